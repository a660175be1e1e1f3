#pragma once

/// The device entries behind <corral/pairs.cuh>.

#include <corral/device_code.cuh>
#include <corral/pair_places.cuh>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace corral::detail {

// Chosen by counting, not measured yet (docs/gpu.md).
inline constexpr int target_threads = 128;
inline constexpr int staged_threads = 128;              ///< most of a block
inline constexpr int targets_of_block = 128;            ///< so many cells a block takes, but no more than
inline constexpr std::int64_t most_cells_of_block = 8;
inline constexpr int few_targets = 24;                  ///< of so many cells: below that a thread a target is the faster way
inline constexpr int staged_sources = 64;               ///< that a block holds: bits of a mask
inline constexpr int side_by_side = 4;                  ///< of a tile that is a sample: what comes from memory together
inline constexpr int most_stretches = 64;               ///< that a block lists at a time
inline constexpr std::int64_t most_staged_blocks = 0x7fffffff;

/// How blocks share the cells.
struct StagedShape {
  std::int64_t cells;   ///< of a row that a block takes
  std::int64_t row = 0; ///< blocks of a row
};

// A thread a target. Those of a warp mostly look at the same sources, which then come from the first cache: 32 of them,
// and then the pairs that there are, so that lanes work together although each has pairs of its own.
template <bool fractions, class Law>
__global__ void __launch_bounds__(target_threads, 1)
    target_pairs_global(const __grid_constant__ PairView view, const __grid_constant__ Law law) {
  const std::int64_t place = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t groups = view.targets.group_count();
  if (place >= view.targets.size || place >= view.targets.group_begin(groups)) return;
  const std::int64_t g = group_of(view.targets, place), nx = view.near.cells[0], ny = view.near.cells[1];
  const std::int64_t i = view.targets.source(place);
  const double target[3] = {view.target_x[0][place], view.target_x[1][place], view.target_x[2][place]};
  const auto cell_x = static_cast<double>(g % nx);
  typename Law::Sum sum = law.begin(i);
  StretchWalk<fractions> walk;
  walk.start(view.near, g % nx, g % nx, g / nx % ny, g / (nx * ny));
  for (PairStretch s; walk.next(view.near, s);) {
    const std::int64_t cells = fractions ? s.count : 1, at_once = fractions ? 1 : s.count;
    for (std::int64_t c = 0; c < cells; ++c) { // cell by cell where places along x are by cell
      const std::int64_t begin = view.sources.group_begin(s.first + c), end = view.sources.group_begin(s.first + c + at_once);
      const auto apart_from = [&](std::int64_t p) {
        return apart_of<fractions>(view, target, cell_x, source_place<fractions>(view, s, p, static_cast<double>(c)));
      };
      for (std::int64_t first = begin; first < end; first += 32) {
        const int count = end - first < 32 ? static_cast<int>(end - first) : 32;
        unsigned close = 0;
        for (int p = 0; p < count; ++p) {
          const std::array<double, 3> apart = apart_from(first + p);
          if (sum_of_squares(apart[0], apart[1], apart[2]) < view.near.square) close |= 1u << p;
        }
        while (close != 0) {
          const std::int64_t p = first + __ffs(static_cast<int>(close)) - 1;
          close &= close - 1;
          const std::array<double, 3> apart = apart_from(p);
          law.add(law.source(p, view.sources.source(p)), apart, sum_of_squares(apart[0], apart[1], apart[2]), sum);
        }
      }
    }
  }
  law.end(i, sum);
}

/// What a block has in shared memory. Rows have an odd number of doubles: lanes that read different ones meet fewer in a
/// bank.
template <bool fractions, class Source> struct PairTile {
  struct Row {
    SourcePlace<fractions> place;
    alignas(8) Source source;
  };
  struct PaddedRow : Row {
    double unused;
  };
  struct alignas(16) Near {
    float x, y, z, unused; ///< from the corner of the block's cells [cut-offs]
  };
  static_assert(alignof(Source) <= 8 && std::is_trivially_copyable_v<Source>);

  Near near[staged_sources];
  std::conditional_t<sizeof(Row) / 8 % 2 == 1, Row, PaddedRow> row[staged_sources];
  StretchWalk<fractions> walk;
  PairStretch stretch[most_stretches];
  std::int64_t before[most_stretches + 1]; ///< sources of the stretches before
  int stretches;
};

/// Lists what is near next; false where nothing is left. The block's, with a barrier before and behind.
template <bool fractions, class Source>
__device__ inline bool list_stretches(const PairView& view, PairTile<fractions, Source>& to) {
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  __syncthreads(); // the list before, and its last tile, are done with
  if (thread == 0) {
    int n = 0;
    while (n < most_stretches && to.walk.next(view.near, to.stretch[n])) ++n;
    to.stretches = n;
  }
  __syncthreads();
  for (int n = thread; n < to.stretches; n += threads) {
    PairStretch& s = to.stretch[n];
    s.begin = view.sources.group_begin(s.first), s.end = view.sources.group_begin(s.first + s.count);
  }
  __syncthreads();
  if (thread == 0) {
    to.before[0] = 0;
    for (int n = 0; n < to.stretches; ++n) to.before[n + 1] = to.before[n] + to.stretch[n].end - to.stretch[n].begin;
  }
  __syncthreads();
  return to.stretches > 0;
}

/// Which of the listed sources comes into row t of a tile: those of a run, or of all of them every so many.
template <bool mixed> __device__ inline std::int64_t listed(std::int64_t number, std::int64_t tiles, int t) {
  if constexpr (!mixed) return number * staged_sources + t;
  else return (number + tiles * (t / side_by_side)) * side_by_side + t % side_by_side;
}

/// Where a block's cells begin, as positions have it.
template <bool fractions>
__device__ inline std::array<double, 3> corner_of(const PairView& view, std::int64_t x, std::int64_t y, std::int64_t z) {
  const std::array<double, 3> cell = {static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
  if constexpr (fractions) return {cell[0], 0.0, 0.0};
  else return {cell[0] * view.near.spacing[0], cell[1] * view.near.spacing[1], cell[2] * view.near.spacing[2]};
}

/// Brings the q-th of the listed sources into row t of the tile, or says that there is none.
template <bool fractions, class Law>
__device__ inline void stage(const PairView& view, const Law& law, const std::array<double, 3>& corner, std::int64_t q, int t,
                             PairTile<fractions, typename Law::Source>& to) {
  if (q >= to.before[to.stretches]) {
    to.near[t] = {1e30f, 1e30f, 1e30f, 0.0f}; // too far
    return;
  }
  int low = 0, high = to.stretches; // before[low] <= q < before[high]
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (to.before[middle] <= q) low = middle;
    else high = middle;
  }
  const PairStretch& s = to.stretch[low];
  const std::int64_t place = s.begin + (q - to.before[low]);
  double cells = 0;
  if constexpr (fractions)
    for (std::int64_t g = s.first; view.sources.group_begin(g + 1) <= place; ++g) cells += 1;
  const SourcePlace<fractions> at = source_place<fractions>(view, s, place, cells);
  float near[3];
  for (int d = 0; d < 3; ++d) {
    double x = at.x[d] - corner[d];
    if constexpr (fractions) x += at.ahead[d];
    near[d] = static_cast<float>(x * view.to_cut_off[d]);
  }
  to.near[t] = {near[0], near[1], near[2], 0.0f};
  to.row[t].place = at;
  to.row[t].source = law.source(place, view.sources.source(place));
}

/// Which of the tile's sources may be near: one bit each.
template <class Near>
__device__ inline unsigned long long sieve(const Near (&from)[staged_sources], const float (&at)[3], float limit) {
  unsigned long long close = 0;
#pragma unroll 1
  for (int first = 0; first < staged_sources; first += 32) {
    unsigned bits = 0;
#pragma unroll
    for (int b = 0; b < 32; ++b) {
      const Near& near = from[first + b];
      const float x = at[0] - near.x, y = at[1] - near.y, z = at[2] - near.z;
      if (__fmaf_rn(x, x, __fmaf_rn(y, y, __fmul_rn(z, z))) <= limit) bits |= 1u << b;
    }
    close |= static_cast<unsigned long long>(bits) << first;
  }
  return close;
}

// A block takes the targets of some cells of a row, a thread each, and brings all that is near any of them into shared
// memory, a tile at a time. Threads sieve a tile in single precision, and then go through what is left, each through its
// own: there distances are found in double, and decide. What a tile takes is what its warps' busiest lanes take. Where
// tiles are samples of all that is near, lanes find about as many pairs each.
template <bool fractions, bool mixed, class Law>
__global__ void __launch_bounds__(staged_threads, 1)
    staged_pairs_global(const __grid_constant__ PairView view, const __grid_constant__ Law law, StagedShape shape) {
  using Tile = PairTile<fractions, typename Law::Source>;
  CORRAL_SHARED(Tile, shared, [1]);
  Tile& tile = shared[0];
  const std::int64_t nx = view.near.cells[0], ny = view.near.cells[1], tasks = shape.row * ny * view.near.cells[2];
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  for (std::int64_t task = blockIdx.x; task < tasks; task += gridDim.x) {
    const std::int64_t row = task / shape.row, x0 = task % shape.row * shape.cells;
    const std::int64_t x1 = x0 + shape.cells < nx ? x0 + shape.cells : nx;
    const std::int64_t end = view.targets.group_begin(nx * row + x1);
    const std::array<double, 3> corner = corner_of<fractions>(view, x0, row % ny, row / ny);
    for (std::int64_t first = view.targets.group_begin(nx * row + x0); first < end; first += threads) {
      const bool mine = end - first > thread;
      const std::int64_t place = mine ? first + thread : first, i = view.targets.source(place);
      const double target[3] = {view.target_x[0][place], view.target_x[1][place], view.target_x[2][place]};
      auto cell_x = static_cast<double>(x0);
      if constexpr (fractions)
        for (std::int64_t g = nx * row + x0; view.targets.group_begin(g + 1) <= place; ++g) cell_x += 1;
      float at[3];
      for (int d = 0; d < 3; ++d) {
        double x = target[d] - corner[d];
        if (fractions && d == 0) x += cell_x;
        at[d] = static_cast<float>(x * view.to_cut_off[d]);
      }
      typename Law::Sum sum = law.begin(i);
      __syncthreads(); // nobody looks for more in the walk before
      if (thread == 0) tile.walk.start(view.near, x0, x1 - 1, row % ny, row / ny);
      while (list_stretches(view, tile)) {
        const std::int64_t tiles = (tile.before[tile.stretches] + staged_sources - 1) / staged_sources;
        for (std::int64_t number = 0; number < tiles; ++number) {
          __syncthreads(); // all are done with the tile before
          for (int t = thread; t < staged_sources; t += threads)
            stage<fractions>(view, law, corner, listed<mixed>(number, tiles, t), t, tile);
          __syncthreads();
          unsigned long long close = mine ? sieve(tile.near, at, view.limit) : 0;
          while (close != 0) {
            const auto& from = tile.row[__ffsll(static_cast<long long>(close)) - 1];
            close &= close - 1;
            const std::array<double, 3> apart = apart_of<fractions>(view, target, cell_x, from.place);
            const double square = sum_of_squares(apart[0], apart[1], apart[2]);
            if (square < view.near.square) law.add(from.source, apart, square, sum);
          }
        }
      }
      if (mine) law.end(i, sum);
    }
  }
}

} // namespace corral::detail
