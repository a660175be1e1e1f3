#pragma once

/// The device entries behind <corral/pairs.cuh>.

#include <corral/cell_order.hpp>
#include <corral/device_code.cuh>
#include <corral/near_cells.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace corral::detail {

// Chosen by counting, not measured yet (docs/gpu.md).
inline constexpr int target_threads = 128;
inline constexpr int staged_threads = 128;               ///< most of a block
inline constexpr int targets_of_block = 128;             ///< so many cells a block takes, but no more than
inline constexpr std::int64_t most_cells_of_block = 8;
inline constexpr int few_targets = 24;                   ///< of so many cells: below that a thread a target is the faster way
inline constexpr int staged_sources = 64;                ///< that a block holds: bits of a mask
inline constexpr std::int64_t most_staged_blocks = 0x7fffffff;

/// What entries see of a call.
struct PairView {
  NearCells near;
  OrderView<double> targets, sources;
  std::array<const double*, 3> target_x{}, source_x{}; ///< by place: fractions, or coordinates from the grid's corner [m]
  std::array<double, 3> to_cut_off{};                  ///< of those, to cut-offs
  float limit = 0;                                     ///< square from which on no pair can be [cut-offs^2]
};

/// How blocks share the cells.
struct StagedShape {
  std::int64_t cells;   ///< of a row that a block takes
  std::int64_t row = 0; ///< blocks of a row
};

/// Sources of neighbouring cells along x, of one image.
struct PairStretch {
  std::int64_t begin, end;     ///< places
  std::int64_t first;          ///< cell
  double cell_x;               ///< the first cell's place along x, beyond the box where the image is
  std::array<double, 3> ahead; ///< what is added to differences: cells (along x by cell), or lengths of the image [m]
};

template <bool fractions>
__device__ inline std::array<double, 3> ahead_of(const NearCells& near, const Group& image, std::int64_t y, std::int64_t z) {
  if constexpr (fractions) return {0.0, static_cast<double>(-y), static_cast<double>(-z)};
  else
    return {-static_cast<double>(image[0]) * near.length[0], -static_cast<double>(image[1]) * near.length[1],
            -static_cast<double>(image[2]) * near.length[2]};
}

/// A pair's distance from what its two particles have, in the arithmetic of <corral/pairs.hpp>; `cells_x`: the source's
/// cell to the target's.
template <bool fractions>
__device__ inline std::array<double, 3> apart_of(const PairView& view, const double* target, const double* source,
                                                 double cells_x, const std::array<double, 3>& ahead) {
  const double x = target[0] - source[0], y = target[1] - source[1], z = target[2] - source[2];
  if constexpr (fractions)
    return {(cells_x + x) * view.near.spacing[0], (ahead[1] + y) * view.near.spacing[1],
            (ahead[2] + z) * view.near.spacing[2]};
  else return {x + ahead[0], y + ahead[1], z + ahead[2]};
}

/// Calls f(stretch) for what may be near the cells [x0, x1] of the row (y, z), by z, y and x.
template <bool fractions, class F>
__device__ void for_each_stretch(const PairView& view, std::int64_t x0, std::int64_t x1, std::int64_t y, std::int64_t z,
                                 const F& f) {
  const NearCells& near = view.near;
  const std::int64_t nx = near.cells[0], ny = near.cells[1];
  for (std::int64_t k = -near.most[2]; k <= near.most[2]; ++k) {
    std::int64_t at_z = z + k;
    Group image{};
    if (!near.wrap(2, at_z, image[2])) continue;
    for (std::int64_t j = -near.most[1]; j <= near.most[1]; ++j) {
      const std::int64_t reach = near.reach(j, k);
      std::int64_t at_y = y + j;
      image[1] = 0;
      if (reach == NearCells::none || !near.wrap(1, at_y, image[1])) continue;
      std::int64_t x = x0 - reach, last = x1 + reach;
      near.cut(x, last);
      while (x <= last) {
        std::int64_t at_x = x;
        image[0] = 0;
        near.wrap(0, at_x, image[0]);
        const std::int64_t count = last - x + 1 < nx - at_x ? last - x + 1 : nx - at_x, first = at_x + nx * (at_y + ny * at_z);
        const std::int64_t begin = view.sources.group_begin(first), end = view.sources.group_begin(first + count);
        if (begin < end)
          f(PairStretch{begin, end, first, static_cast<double>(x), ahead_of<fractions>(near, image, j, k)});
        x += count;
      }
    }
  }
}

/// The group that holds a place below the last group's end.
__device__ inline std::int64_t group_of(const OrderView<double>& order, std::int64_t place) {
  std::int64_t low = 0, high = order.group_count(); // begin(low) <= place < begin(high)
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    if (order.group_begin(middle) <= place) low = middle;
    else high = middle;
  }
  return low;
}

// A thread a target. Those of a warp mostly look at the same sources, which then come from the first cache: 32 of them,
// and then the pairs that there are, so that lanes work together although each has pairs of its own.
template <bool fractions, class Law>
__global__ void __launch_bounds__(target_threads, 1)
    target_pairs_global(const __grid_constant__ PairView view, const __grid_constant__ Law law) {
  const std::int64_t place = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t groups = view.targets.group_count();
  if (place >= view.targets.size || place >= view.targets.group_begin(groups)) return;
  const std::int64_t g = group_of(view.targets, place), nx = view.near.cells[0], ny = view.near.cells[1];
  const std::int64_t x = g % nx, y = g / nx % ny, z = g / (nx * ny), i = view.targets.source(place);
  const double target[3] = {view.target_x[0][place], view.target_x[1][place], view.target_x[2][place]};
  typename Law::Sum sum = law.begin(i);
  const auto apart_from = [&](std::int64_t p, double cells_x, const std::array<double, 3>& ahead) {
    const double source[3] = {view.source_x[0][p], view.source_x[1][p], view.source_x[2][p]};
    return apart_of<fractions>(view, target, source, cells_x, ahead);
  };
  for_each_stretch<fractions>(view, x, x, y, z, [&](const PairStretch& s) {
    std::int64_t group = s.first, begin = s.begin;
    double cells_x = static_cast<double>(x) - s.cell_x;
    while (begin < s.end) { // cell by cell where places along x are by cell
      const std::int64_t end = fractions ? view.sources.group_begin(++group) : s.end;
      for (std::int64_t first = begin; first < end; first += 32) {
        const int count = end - first < 32 ? static_cast<int>(end - first) : 32;
        unsigned close = 0;
        for (int p = 0; p < count; ++p) {
          const std::array<double, 3> apart = apart_from(first + p, cells_x, s.ahead);
          if (sum_of_squares(apart[0], apart[1], apart[2]) < view.near.square) close |= 1u << p;
        }
        while (close != 0) {
          const std::int64_t p = first + __ffs(static_cast<int>(close)) - 1;
          close &= close - 1;
          const std::array<double, 3> apart = apart_from(p, cells_x, s.ahead);
          law.add(law.source(p, view.sources.source(p)), apart, sum_of_squares(apart[0], apart[1], apart[2]), sum);
        }
      }
      begin = end;
      cells_x -= 1;
    }
  });
  law.end(i, sum);
}

/// Sources in shared memory. Rows have an odd number of doubles: lanes that read different ones meet fewer in a bank.
template <class Source> struct PairTile {
  struct Row {
    double x[3];
    double cell_x; ///< place of the cell along x
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
};

/// Where a block's cells begin, as positions have it.
template <bool fractions>
__device__ inline std::array<double, 3> corner_of(const PairView& view, std::int64_t x, std::int64_t y, std::int64_t z) {
  if constexpr (fractions) return {0.0, 0.0, 0.0};
  else
    return {static_cast<double>(x) * view.near.spacing[0], static_cast<double>(y) * view.near.spacing[1],
            static_cast<double>(z) * view.near.spacing[2]};
}

/// Brings the source at a place into row t of the tile; nothing beyond the first `count`.
template <bool fractions, class Law>
__device__ inline void stage(const PairView& view, const Law& law, const PairStretch& s, std::int64_t x0,
                             const std::array<double, 3>& corner, std::int64_t place, int t, int count,
                             PairTile<typename Law::Source>& to) {
  if (t >= count) {
    to.near[t] = {0.0f, 0.0f, 0.0f, 0.0f}; // read, but it counts for nothing
    return;
  }
  auto& row = to.row[t];
  for (int d = 0; d < 3; ++d) row.x[d] = view.source_x[d][place];
  double cells = 0; // from the first of the block to that of the source
  row.cell_x = s.cell_x;
  if constexpr (fractions) {
    for (std::int64_t g = s.first; view.sources.group_begin(g + 1) <= place; ++g) row.cell_x += 1;
    cells = row.cell_x - static_cast<double>(x0);
  }
  const std::array<double, 3> ahead = {fractions ? -cells : s.ahead[0], s.ahead[1], s.ahead[2]};
  float near[3];
  for (int d = 0; d < 3; ++d)
    near[d] = static_cast<float>(((row.x[d] - corner[d]) - ahead[d]) * view.to_cut_off[d]);
  to.near[t] = {near[0], near[1], near[2], 0.0f};
  row.source = law.source(place, view.sources.source(place));
}

/// Which of the tile's first `count` sources may be near: one bit each.
template <class Source>
__device__ inline unsigned long long sieve(const PairTile<Source>& from, int count, const float (&at)[3], float limit) {
  unsigned long long close = 0;
  for (int first = 0; first < count; first += 8) {
    unsigned bits = 0;
#pragma unroll
    for (int b = 0; b < 8; ++b) {
      const auto& near = from.near[first + b];
      const float x = at[0] - near.x, y = at[1] - near.y, z = at[2] - near.z;
      // What is not a number is let through.
      if (!(__fmaf_rn(x, x, __fmaf_rn(y, y, __fmul_rn(z, z))) > limit)) bits |= 1u << b;
    }
    close |= static_cast<unsigned long long>(bits) << first;
  }
  return count < 64 ? close & ((1ull << count) - 1) : close;
}

// A block takes the targets of some cells of a row, a thread each, and brings all that is near any of them into shared
// memory, a tile at a time. Threads sieve a tile in single precision, and then go through what is left, each through its
// own: there distances are found in double, and decide.
template <bool fractions, class Law>
__global__ void __launch_bounds__(staged_threads, 1)
    staged_pairs_global(const __grid_constant__ PairView view, const __grid_constant__ Law law, StagedShape shape) {
  CORRAL_SHARED(PairTile<typename Law::Source>, sources, [1]);
  const std::int64_t nx = view.near.cells[0], ny = view.near.cells[1], tasks = shape.row * ny * view.near.cells[2];
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  for (std::int64_t task = blockIdx.x; task < tasks; task += gridDim.x) {
    const std::int64_t row = task / shape.row, y = row % ny, z = row / ny, x0 = task % shape.row * shape.cells;
    const std::int64_t x1 = x0 + shape.cells < nx ? x0 + shape.cells : nx;
    const std::int64_t end = view.targets.group_begin(nx * row + x1);
    const std::array<double, 3> corner = corner_of<fractions>(view, x0, y, z);
    for (std::int64_t first = view.targets.group_begin(nx * row + x0); first < end; first += threads) {
      const bool mine = end - first > thread;
      const std::int64_t place = mine ? first + thread : first, i = view.targets.source(place);
      const double target[3] = {view.target_x[0][place], view.target_x[1][place], view.target_x[2][place]};
      double cell_x = static_cast<double>(x0), own[3] = {0, 0, 0};
      if constexpr (fractions)
        for (std::int64_t g = nx * row + x0; view.targets.group_begin(g + 1) <= place; ++g) cell_x += 1;
      if constexpr (fractions) own[0] = cell_x - static_cast<double>(x0);
      float at[3];
      for (int d = 0; d < 3; ++d)
        at[d] = static_cast<float>(((target[d] - corner[d]) + own[d]) * view.to_cut_off[d]);
      typename Law::Sum sum = law.begin(i);
      for_each_stretch<fractions>(view, x0, x1 - 1, y, z, [&](const PairStretch& s) {
        for (std::int64_t p = s.begin; p < s.end; p += staged_sources) {
          const int count = s.end - p < staged_sources ? static_cast<int>(s.end - p) : staged_sources;
          __syncthreads(); // all are done with the tile before
          for (int t = thread; t < (count + 7) / 8 * 8; t += threads)
            stage<fractions>(view, law, s, x0, corner, p + t, t, count, sources[0]);
          __syncthreads();
          unsigned long long close = mine ? sieve(sources[0], count, at, view.limit) : 0;
          while (close != 0) {
            const auto& from = sources[0].row[__ffsll(static_cast<long long>(close)) - 1];
            close &= close - 1;
            const std::array<double, 3> apart =
                apart_of<fractions>(view, target, from.x, cell_x - from.cell_x, s.ahead);
            const double square = sum_of_squares(apart[0], apart[1], apart[2]);
            if (square < view.near.square) law.add(from.source, apart, square, sum);
          }
        }
      });
      if (mine) law.end(i, sum);
    }
  }
}

} // namespace corral::detail
