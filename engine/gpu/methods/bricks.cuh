#pragma once

#include "engine/gpu/methods/methods.cuh"
#include "engine/gpu/methods/parts.cuh"

#include <algorithm>
#include <string>

/// What the methods share in which a block of threads has a brick of groups to itself. Bricks of one colour lie so far
/// apart that no point belongs to two of them: colour after colour, a block adds to padded fields without atomics, and
/// in a fixed order.
namespace corral::gpu {

/// What one block does: some particles of a brick, and where their sums go.
template <class T> struct BlockTask {
  /// Particles of the block.
  __device__ std::uint32_t particles(std::uint32_t of_brick) const { return (of_brick < end ? of_brick : end) - begin; }

  std::uint32_t low[3], n[3];   ///< the brick's lowest group, and groups along each axis; n is 0 for nothing to do
  std::uint32_t brick;
  std::uint32_t begin, end;     ///< which of its particles, if it has so many
  bool further;                 ///< a part beyond the brick's first
  T* field[4];                  ///< where the brick's first point lies
  std::int64_t stride[3];       ///< from there on
};

/// The bricks of one colour, or further parts of crowded bricks, as a launch sees them.
template <class T> struct Bricks {
  int size[3];   ///< groups along each axis
  int count[3];  ///< bricks
  int points[3]; ///< that the stencils of a whole brick reach
  int first[3];  ///< the first brick of this colour
  int step[3];   ///< from one to the next
  int across[3]; ///< so many of them
  int further;   ///< 1 for further parts, else 0
  Parts<T> parts;

  /// One for each brick, or part.
  CORRAL_HOST_DEVICE unsigned blocks() const {
    return further != 0 ? parts.most : static_cast<unsigned>(across[0] * across[1] * across[2]);
  }
  __device__ int points_of_brick() const { return points[0] * points[1] * points[2]; }

  /// What block `number` does. By one thread.
  template <class Fields>
  __device__ void task(unsigned number, const Stencils<T>& stencils, const Fields& fields, BlockTask<T>& task) const;
  /// Clears what the block adds to where that is memory of a part. By all threads; no barrier.
  __device__ void clear(const BlockTask<T>&, int fields) const;
  /// Adds what the further parts of the brick have left, to the sums of its first, which are in place before. By all
  /// threads.
  __device__ void add_further(const BlockTask<T>&, std::uint32_t particles_of_brick, int fields) const;
};

template <class T>
template <class Fields>
__device__ void Bricks<T>::task(unsigned number, const Stencils<T>& stencils, const Fields& fields,
                                BlockTask<T>& task) const {
  std::uint32_t along[3], part = 0;
  task.further = further != 0 && number < *parts.count;
  if (further != 0 && !task.further) {
    task.n[0] = task.n[1] = task.n[2] = 0;
    return;
  }
  if (further != 0) {
    task.brick = parts.owner[number];
    part = parts.number(number);
    along[0] = task.brick % static_cast<unsigned>(count[0]);
    along[1] = task.brick / static_cast<unsigned>(count[0]) % static_cast<unsigned>(count[1]);
    along[2] = task.brick / static_cast<unsigned>(count[0]) / static_cast<unsigned>(count[1]);
  } else {
    const unsigned of_colour[3] = {number % static_cast<unsigned>(across[0]),
                                   number / static_cast<unsigned>(across[0]) % static_cast<unsigned>(across[1]),
                                   number / static_cast<unsigned>(across[0]) / static_cast<unsigned>(across[1])};
    for (int d = 0; d < 3; ++d)
      along[d] = static_cast<unsigned>(first[d]) + of_colour[d] * static_cast<unsigned>(step[d]);
    task.brick = (along[2] * static_cast<unsigned>(count[1]) + along[1]) * static_cast<unsigned>(count[0]) + along[0];
  }
  task.begin = parts.most == 0 ? 0 : part * parts.particles;
  task.end = parts.most == 0 || parts.particles > ~task.begin ? 0xffffffffu : task.begin + parts.particles;
  std::int64_t low = 0;
  for (int d = 0; d < 3; ++d) {
    task.low[d] = along[d] * static_cast<unsigned>(size[d]);
    const std::uint32_t rest = stencils.places.per_axis[d] - task.low[d];
    task.n[d] = rest < static_cast<unsigned>(size[d]) ? rest : static_cast<unsigned>(size[d]);
    task.stride[d] = further == 0 ? stencils.stride[d] : d == 0 ? 1 : task.stride[d - 1] * points[d - 1];
    low += task.low[d] * stencils.stride[d];
  }
  for (int f = 0; f < fields.count; ++f)
    task.field[f] = further != 0 ? parts.sums + (std::int64_t{number} * fields.count + f) * points_of_brick()
                            : fields.padded[f] + low;
}

template <class T> __device__ void Bricks<T>::clear(const BlockTask<T>& task, int fields) const {
  if (!task.further) return;
  const int n = fields * points_of_brick();
  for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x)) task.field[0][i] = T(0);
}

template <class T>
__device__ void Bricks<T>::add_further(const BlockTask<T>& task, std::uint32_t particles_of_brick, int fields) const {
  const std::uint32_t further_parts = task.further ? 0 : parts.further(particles_of_brick);
  if (further_parts == 0) return; // the same for all threads
  __syncthreads();
  const int n = points_of_brick();
  const T* const left = parts.sums + std::int64_t{parts.first[task.brick]} * fields * n;
  for (int i = static_cast<int>(threadIdx.x); i < fields * n; i += static_cast<int>(blockDim.x)) {
    const int point = i % n, at[3] = {point % points[0], point / points[0] % points[1], point / points[0] / points[1]};
    std::int64_t to = 0;
    bool exists = true;
    for (int d = 0; d < 3; ++d) {
      exists = exists && at[d] < static_cast<int>(task.n[d]) + points[d] - size[d];
      to += at[d] * task.stride[d];
    }
    if (!exists) continue; // at the grid's end
    T sum = T(0);
    for (std::uint32_t k = 0; k < further_parts; ++k) sum += left[std::int64_t{k} * fields * n + i];
    task.field[i / n][to] += sum;
  }
}

/// How the groups of an order are cut into bricks of a size, and these coloured for stencils of the given widths.
struct Colouring {
  int size[3], count[3], colours[3], points[3];

  template <class T> Colouring(const Places<T>& places, const int (&brick)[3], const int (&width)[3]) {
    for (int d = 0; d < 3; ++d) {
      size[d] = brick[d];
      count[d] = static_cast<int>((std::int64_t{places.per_axis[d]} + size[d] - 1) / size[d]);
      colours[d] = std::min(count[d], 1 + (width[d] - 1 + size[d] - 1) / size[d]);
      points[d] = size[d] + width[d] - 1;
    }
  }
  Cut cut(int fields) const {
    return {{size[0], size[1], size[2]}, std::int64_t{points[0]} * points[1] * points[2], fields};
  }
  /// All that further parts have to do.
  template <class T> Bricks<T> further_parts(const Parts<T>& parts) const {
    Bricks<T> some = bricks(0, 0, 0, parts);
    some.further = 1;
    return some;
  }
  /// The bricks of a colour, none where there is no such colour.
  template <class T> Bricks<T> bricks(int a, int b, int c, const Parts<T>& parts) const {
    Bricks<T> some{{size[0], size[1], size[2]}, {count[0], count[1], count[2]}, {points[0], points[1], points[2]},
                   {a, b, c}, {colours[0], colours[1], colours[2]}, {}, 0, parts};
    for (int d = 0; d < 3; ++d)
      some.across[d] = some.first[d] < colours[d] ? (count[d] - some.first[d] + colours[d] - 1) / colours[d] : 0;
    return some;
  }
};

/// Calls run(bricks) for the further parts of crowded bricks, if there may be any, and then colour by colour, for
/// bricks of the given size, stencils of the given widths and so many fields.
template <class T, class Run>
void by_colour(const SpreadCall<T>& call, const int (&size)[3], const int (&width)[3], int fields, Run&& run) {
  const Colouring colouring(call.places, size, width);
  const Cut cut = colouring.cut(fields);
  const Parts<T> parts = cut_into_parts<T>(call, std::span(&cut, 1), tuning::part_of_brick)[0];
  if (parts.most > 0) run(colouring.further_parts(parts));
  for (int c = 0; c < colouring.colours[2]; ++c)
    for (int b = 0; b < colouring.colours[1]; ++b)
      for (int a = 0; a < colouring.colours[0]; ++a) run(colouring.bricks(a, b, c, parts));
}

/// What these methods stage of a particle has a bounded size.
using tuning::most_brick_points;

template <class T> void require_brick_points(const FieldBlock<T, Spread<T>>& block, Method method) {
  for (const shared::AxisSupport& axis : block.support.axis)
    if (axis.support > most_brick_points)
      throw Error("method " + std::string(name(method)) + " with a kernel of " + std::to_string(axis.support) +
                  " points along an axis (at most " + std::to_string(most_brick_points) +
                  ") take grid_gather or atomic");
}

/// What the entries here have of shared memory beside what their launches ask for, at most [bytes].
inline constexpr std::size_t most_static_shared = 2048;

/// What is left of a block's shared memory [bytes].
inline std::size_t most_dynamic_shared() { return most_shared_memory() - most_static_shared; }

} // namespace corral::gpu
