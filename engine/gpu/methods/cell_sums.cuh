#pragma once

#include "engine/gpu/methods/methods.cuh"
#include "engine/gpu/methods/parts.cuh"

#include <algorithm>
#include <type_traits>

/// What the methods of linear kernels that work cell by cell share. Each leaves, per group of the order, a sum for
/// every point that the group's particles touch; `add_cells` then adds them to the fields, point by point in a fixed
/// order: no atomics, and the same bits always.
namespace corral::gpu {

/// Points that a group touches: two along an axis, three where it is straddled. A thin axis, which has one, gives the
/// second a weight of 0. Axes with three come first, whichever they are in the grid: entries are compiled for four shapes.
template <int X, int Y, int Z> struct Shape {
  static constexpr int x = X, y = Y, z = Z, points = X * Y * Z;
};

/// The axes of the grid in the order of a shape's.
struct Turn {
  int axis[3];
};

/// The same places, with fractions in the order of a shape's axes.
template <class T> Places<T> turned(Places<T> places, const Turn& turn) {
  const Places<T> from = places;
  for (int a = 0; a < 3; ++a) places.u[a] = from.u[turn.axis[a]];
  return places;
}

/// Most fields that are mapped at once: so that their sums stay in registers.
template <class S> inline constexpr int fields_at_once = S::points == 8 ? 4 : S::points == 12 ? 2 : 1;

/// What a launch works on: all groups, or all further parts of crowded ones; `i` below is the number of either.
/// Number n = f * points + s of group g, s = (c Y + b) X + a along the shape's axes: sums[n * groups + g].
template <class T> struct CellWork {
  Places<T> places; ///< turned, as `thin`
  bool thin[3];
  bool further;
  Column<const T> column[4];
  T* sums;
  Parts<T> parts;

  struct Range {
    std::int64_t begin, end; ///< places
  };
  /// Empty where there is no i.
  __device__ Range range(std::int64_t i) const {
    if (i >= (further ? std::int64_t{*parts.count} : std::int64_t{places.groups})) return {0, 0};
    const std::int64_t group = further ? parts.owner[i] : static_cast<std::uint32_t>(i);
    const std::int64_t end = places.begin[group + 1];
    if (parts.most == 0) return {places.begin[group], end};
    const std::int64_t k = further ? parts.number(static_cast<std::uint32_t>(i)) : 0;
    const std::int64_t begin = places.begin[group] + k * parts.particles;
    return {begin, end - begin < parts.particles ? end : begin + parts.particles};
  }
  /// Leaves number s of `numbers`, together with those of the group's further parts. Nothing where there is no i.
  __device__ void store(std::int64_t i, int numbers, int s, T value) const {
    if (further) {
      if (i < std::int64_t{*parts.count}) parts.sums[i * numbers + s] = value;
    } else if (i < std::int64_t{places.groups}) {
      if (const std::uint32_t n = parts.further(places.begin[i + 1] - places.begin[i]); n > 0) {
        const T* const left = parts.sums + std::int64_t{parts.first[i]} * numbers + s;
        for (std::uint32_t k = 0; k < n; ++k) value += left[std::int64_t{k} * numbers];
      }
      sums[std::int64_t{s} * places.groups + i] = value;
    }
  }
};

/// The weights of one particle along an axis on the N points of its group.
template <int N, class T> __device__ __forceinline__ void group_weights(T u, bool thin, T (&w)[N]) {
  static_assert(N == 2 || N == 3);
  if constexpr (N == 2) {
    w[0] = thin ? T(1) : T(1) - u;
    w[1] = thin ? T(0) : u;
  } else {
    w[0] = u < T(0.5) ? T(0.5) - u : T(0);
    w[2] = u < T(0.5) ? T(0) : u - T(0.5);
    w[1] = T(1) - w[0] - w[2];
  }
}

/// The weights of one particle on all points of its group.
template <class S, class T>
__device__ __forceinline__ void point_weights(const bool (&thin)[3], const T (&u)[3], T (&w)[S::points]) {
  T x[S::x], y[S::y], z[S::z];
  group_weights<S::x>(u[0], thin[0], x);
  group_weights<S::y>(u[1], thin[1], y);
  group_weights<S::z>(u[2], thin[2], z);
#pragma unroll
  for (int c = 0; c < S::z; ++c)
#pragma unroll
    for (int b = 0; b < S::y; ++b)
#pragma unroll
      for (int a = 0; a < S::x; ++a) w[(c * S::y + b) * S::x + a] = x[a] * (y[b] * z[c]);
}

/// What one launch of a method's entry is about.
template <class T> struct CellBlock {
  CellWork<T> work;
  cudaStream_t stream;
  std::int64_t count; ///< of groups, or of the further parts that there may be
};

/// Calls run(Shape, number of fields as integral_constant, block) for all fields of all blocks, so many at a time, and
/// collects what it leaves; before it, for the further parts of crowded groups.
template <class T, class Run> void by_cells(const SpreadCall<T>& call, Run&& run);

/// The sums that were left of all groups: sums as in CellWork. Carried, if anything is: of each tile of so many places
/// those of its first group, where an earlier tile has begun that: carried[tile * numbers + n].
template <class T> struct CellSums {
  const T* sums;
  int points[3], step[3]; ///< of a group along each axis of the grid, and how many numbers lie from one to the next
  const T* carried = nullptr;
  int tile_bits = 0; ///< a tile has 2^tile_bits places

  template <class S> CellSums(const T* of_groups, S, const Turn& turn) : sums(of_groups) {
    constexpr int of_shape[] = {S::x, S::y, S::z}, steps[] = {1, S::x, S::x * S::y};
    for (int a = 0; a < 3; ++a) {
      points[turn.axis[a]] = of_shape[a];
      step[turn.axis[a]] = steps[a];
    }
  }
};

/// Each field += what the groups have left for its points, and for those beyond it that stand for them.
template <class T>
void add_cells(cudaStream_t, const PaddedField&, const Places<T>&, const CellSums<T>&, const FieldsOfBlock<T>&);

template <class T, class S, class Run>
void by_cells_of_shape(const SpreadCall<T>& call, const FieldBlock<T, Spread<T>>& block, const Parts<T>& parts, S shape,
                       const Turn& turn, Run&& run) {
  const std::int64_t groups = call.places.groups;
  for (int first = 0; first < block.fields.count; first += fields_at_once<S>) {
    const int n = std::min(fields_at_once<S>, block.fields.count - first);
    T* const sums = call.scratch.sums_of(groups * S::points * n, call.stream);
    CellWork<T> work{turned(call.places, turn), {}, false, {}, sums, parts};
    for (int a = 0; a < 3; ++a) work.thin[a] = block.stencils.axis[turn.axis[a]].support.thin;
    for (int f = 0; f < n; ++f) work.column[f] = block.fields.column[first + f];
    const auto run_for = [&](auto fields) {
      if constexpr (fields <= fields_at_once<S>) {
        if (n != fields) return;
        for (const bool further : {true, false}) {
          work.further = further;
          const CellBlock<T> cells{work, call.stream, further ? parts.most : groups};
          if (cells.count > 0) run(shape, fields, cells);
        }
      }
    };
    run_for(std::integral_constant<int, 1>{});
    run_for(std::integral_constant<int, 2>{});
    run_for(std::integral_constant<int, 3>{});
    run_for(std::integral_constant<int, 4>{});
    add_cells<T>(call.stream, block.layout, call.places, {sums, shape, turn}, block.fields_of_caller.part(first, n));
  }
}

/// Calls run(Shape, Turn) with the points of the block's groups.
template <class T, class Term, class Run> void with_shape(const FieldBlock<T, Term>& block, Run&& run) {
  Turn turn{};
  int placed = 0, straddled = 0;
  for (const bool three : {true, false}) {
    for (int d = 0; d < 3; ++d)
      if ((block.support.axis[d].width == 3) == three) turn.axis[placed++] = d;
    if (three) straddled = placed;
  }
  switch (straddled) {
  case 0: return run(Shape<2, 2, 2>{}, turn);
  case 1: return run(Shape<3, 2, 2>{}, turn);
  case 2: return run(Shape<3, 3, 2>{}, turn);
  default: return run(Shape<3, 3, 3>{}, turn);
  }
}

template <class T, class Run> void by_cells(const SpreadCall<T>& call, Run&& run) {
  const Cut cells{{1, 1, 1}, 8, 4}; // no shape has more sums
  const Parts<T> parts = cut_into_parts<T>(call, std::span(&cells, 1), tuning::part_of_cell)[0];
  for (const auto& block : call.blocks)
    with_shape(block, [&](auto shape, const Turn& turn) { by_cells_of_shape(call, block, parts, shape, turn, run); });
}

} // namespace corral::gpu
