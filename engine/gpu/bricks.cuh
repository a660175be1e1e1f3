#pragma once

#include "engine/gpu/methods.cuh"
#include "engine/gpu/tuning.cuh"

#include <algorithm>
#include <string>

/// What the methods share in which a block of threads has a brick of groups to itself. Bricks of one colour lie so far
/// apart that no point belongs to two of them: colour after colour, a block adds to padded fields without atomics, and
/// in a fixed order.
namespace corral::gpu {

/// The bricks of one colour, as the launch of that colour sees them.
struct Bricks {
  int size[3];   ///< groups along each axis
  int first[3];  ///< the first brick of this colour
  int step[3];   ///< from one to the next
  int across[3]; ///< so many of them

  /// Lowest group of block `number`, and how many groups it has along each axis.
  __device__ void groups_of(unsigned number, const std::uint32_t (&per_axis)[3], std::uint32_t (&low)[3],
                            std::uint32_t (&n)[3]) const {
    const unsigned along[3] = {number % static_cast<unsigned>(across[0]),
                               number / static_cast<unsigned>(across[0]) % static_cast<unsigned>(across[1]),
                               number / static_cast<unsigned>(across[0]) / static_cast<unsigned>(across[1])};
    for (int d = 0; d < 3; ++d) {
      low[d] = (static_cast<unsigned>(first[d]) + along[d] * static_cast<unsigned>(step[d])) *
               static_cast<unsigned>(size[d]);
      const std::uint32_t rest = per_axis[d] - low[d];
      n[d] = rest < static_cast<unsigned>(size[d]) ? rest : static_cast<unsigned>(size[d]);
    }
  }
};

/// The group with number g in a brick of n groups from `low` on, and where it lies along each axis.
inline __device__ std::uint32_t group_of_brick(std::uint32_t g, const std::uint32_t (&low)[3],
                                               const std::uint32_t (&n)[3], const std::uint32_t (&per_axis)[3],
                                               std::uint32_t (&along)[3]) {
  along[0] = low[0] + g % n[0];
  along[1] = low[1] + g / n[0] % n[1];
  along[2] = low[2] + g / n[0] / n[1];
  return (along[2] * per_axis[1] + along[1]) * per_axis[0] + along[0];
}

/// Calls run(bricks, number of blocks) colour by colour, for bricks of the given size and stencils of the given widths.
template <class T, class Run>
void by_colour(const Places<T>& places, const int (&size)[3], const int (&width)[3], Run&& run) {
  int count[3], colours[3];
  for (int d = 0; d < 3; ++d) {
    count[d] = static_cast<int>((std::int64_t{places.per_axis[d]} + size[d] - 1) / size[d]);
    colours[d] = std::min(count[d], 1 + (width[d] - 1 + size[d] - 1) / size[d]);
  }
  for (int c = 0; c < colours[2]; ++c)
    for (int b = 0; b < colours[1]; ++b)
      for (int a = 0; a < colours[0]; ++a) {
        Bricks bricks{{size[0], size[1], size[2]}, {a, b, c}, {colours[0], colours[1], colours[2]}, {}};
        std::int64_t blocks = 1;
        for (int d = 0; d < 3; ++d) {
          bricks.across[d] = (count[d] - bricks.first[d] + colours[d] - 1) / colours[d];
          blocks *= bricks.across[d];
        }
        run(bricks, blocks_for(blocks, 1));
      }
}

/// Most points along an axis that these methods serve: what they stage of a particle has a bounded size.
inline constexpr int most_brick_points = 16;

template <class T> void require_brick_points(const FieldBlock<T, Spread<T>>& block, Method method) {
  for (const shared::AxisSupport& axis : block.support.axis)
    if (axis.support > most_brick_points)
      throw Error("method " + std::string(name(method)) + " with a kernel of " + std::to_string(axis.support) +
                  " points along an axis (at most " + std::to_string(most_brick_points) +
                  ") take grid_gather or atomic");
}

/// Lets an entry use more than the 48 KB of shared memory that every launch may ask for.
template <class Entry> void allow_shared_memory(Entry* entry, std::size_t bytes) {
  if (bytes > 48 * 1024)
    check(cudaFuncSetAttribute(reinterpret_cast<const void*>(entry), cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(bytes)),
          "asking for shared memory");
}

/// Shared memory that one block may have on the current device [bytes].
std::size_t most_shared_memory();

} // namespace corral::gpu
