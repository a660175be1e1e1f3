#pragma once

/// The device entries behind <corral/pairs.cuh>.

#include <corral/cell_order.hpp>
#include <corral/device_code.cuh>
#include <corral/host_device.hpp>
#include <corral/near_cells.hpp>

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

/// Neighbouring cells along x, of one image, that may hold sources.
struct PairStretch {
  std::int64_t first, count;   ///< cells
  std::int64_t begin, end;     ///< places
  std::array<double, 3> ahead; ///< fractions: where the first cell is, along x from the box's, along y and z from the
                               ///< targets' cells; else what is added to coordinates of this image [m]
};

/// Finds the stretches near the cells [x0, x1] of a row, one after the other, by z, y and x.
template <bool fractions> struct StretchWalk {
  std::int64_t x0, x1, y, z;
  std::int64_t row_y, row_z;     ///< the row at hand, from the cells' row
  std::int64_t x, last;          ///< what is left of it
  std::int64_t first_of_row;     ///< cell
  std::int64_t image_y, image_z;

  __device__ void start(const NearCells& near, std::int64_t from, std::int64_t to, std::int64_t at_y, std::int64_t at_z) {
    x0 = from, x1 = to, y = at_y, z = at_z;
    row_y = -near.most[1] - 1, row_z = -near.most[2];
    x = 0, last = -1;
  }
  /// False where there is no other. Places are not looked up.
  __device__ bool next(const NearCells& near, PairStretch& found) {
    while (x > last)
      if (!next_row(near)) return false;
    std::int64_t at_x = x, image_x = 0;
    near.wrap(0, at_x, image_x);
    found.first = first_of_row + at_x;
    found.count = last - x + 1 < near.cells[0] - at_x ? last - x + 1 : near.cells[0] - at_x;
    if constexpr (fractions)
      found.ahead = {static_cast<double>(x), static_cast<double>(row_y), static_cast<double>(row_z)};
    else
      found.ahead = {static_cast<double>(image_x) * near.length[0], static_cast<double>(image_y) * near.length[1],
                     static_cast<double>(image_z) * near.length[2]};
    x += found.count;
    return true;
  }

private:
  __device__ bool next_row(const NearCells& near) {
    if (++row_y > near.most[1]) {
      row_y = -near.most[1];
      if (++row_z > near.most[2]) return false;
    }
    const std::int64_t reach = near.reach(row_y, row_z);
    std::int64_t at_y = y + row_y, at_z = z + row_z;
    image_y = image_z = 0;
    if (reach == NearCells::none || !near.wrap(1, at_y, image_y) || !near.wrap(2, at_z, image_z)) return true; // empty
    first_of_row = near.cells[0] * (at_y + near.cells[1] * at_z);
    x = x0 - reach, last = x1 + reach;
    near.cut(x, last);
    return true;
  }
};

/// Where a source is to pairs: fractions, and how many cells ahead; else coordinates of the image.
template <bool fractions> struct SourcePlace;
template <> struct SourcePlace<true> {
  double x[3], ahead[3];
};
template <> struct SourcePlace<false> {
  double x[3];
};

/// Of the source at a place; its cell is `cells` beyond the first of the stretch.
template <bool fractions>
__device__ inline SourcePlace<fractions> source_place(const PairView& view, const PairStretch& s, std::int64_t place,
                                                      double cells) {
  const double x = view.source_x[0][place], y = view.source_x[1][place], z = view.source_x[2][place];
  if constexpr (fractions) return {{x, y, z}, {s.ahead[0] + cells, s.ahead[1], s.ahead[2]}};
  else return {{x + s.ahead[0], y + s.ahead[1], z + s.ahead[2]}};
}

/// A pair's distance; of fractions in the arithmetic of <corral/pairs.hpp>. `cell_x`: the target's cell along x.
template <bool fractions>
__device__ inline std::array<double, 3> apart_of(const PairView& view, const double* target, double cell_x,
                                                 const SourcePlace<fractions>& source) {
  const double x = target[0] - source.x[0], y = target[1] - source.x[1], z = target[2] - source.x[2];
  if constexpr (fractions)
    return {((cell_x - source.ahead[0]) + x) * view.near.spacing[0], (y - source.ahead[1]) * view.near.spacing[1],
            (z - source.ahead[2]) * view.near.spacing[2]};
  else return {x, y, z};
}

/// The group that holds a place below the last group's end.
CORRAL_HOST_DEVICE inline std::int64_t group_of(const OrderView<double>& order, std::int64_t place) {
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
