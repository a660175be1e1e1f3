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

  /// One for each brick.
  unsigned blocks() const { return blocks_for(std::int64_t{across[0]} * across[1] * across[2], 1); }

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

/// How the groups of an order are cut into bricks of a size, and these coloured for stencils of the given widths.
struct Colouring {
  int size[3], count[3], colours[3];

  template <class T> Colouring(const Places<T>& places, const int (&brick)[3], const int (&width)[3]) {
    for (int d = 0; d < 3; ++d) {
      size[d] = brick[d];
      count[d] = static_cast<int>((std::int64_t{places.per_axis[d]} + size[d] - 1) / size[d]);
      colours[d] = std::min(count[d], 1 + (width[d] - 1 + size[d] - 1) / size[d]);
    }
  }
  /// The bricks of a colour, none where there is no such colour.
  Bricks bricks(int a, int b, int c) const {
    Bricks some{{size[0], size[1], size[2]}, {a, b, c}, {colours[0], colours[1], colours[2]}, {}};
    for (int d = 0; d < 3; ++d)
      some.across[d] = some.first[d] < colours[d] ? (count[d] - some.first[d] + colours[d] - 1) / colours[d] : 0;
    return some;
  }
};

/// Calls run(bricks, number of blocks) colour by colour, for bricks of the given size and stencils of the given widths.
template <class T, class Run>
void by_colour(const Places<T>& places, const int (&size)[3], const int (&width)[3], Run&& run) {
  const Colouring colouring(places, size, width);
  for (int c = 0; c < colouring.colours[2]; ++c)
    for (int b = 0; b < colouring.colours[1]; ++b)
      for (int a = 0; a < colouring.colours[0]; ++a) {
        const Bricks bricks = colouring.bricks(a, b, c);
        run(bricks, bricks.blocks());
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

/// What the entries here have of shared memory beside what their launches ask for, at most [bytes].
inline constexpr std::size_t most_static_shared = 2048;

/// Lets an entry use more than the 48 KB of shared memory that every launch may ask for.
template <class Entry> void allow_shared_memory(Entry* entry, std::size_t bytes) {
  if (bytes > 48 * 1024 - most_static_shared)
    check(cudaFuncSetAttribute(reinterpret_cast<const void*>(entry), cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(bytes)),
          "asking for shared memory");
}

} // namespace corral::gpu
