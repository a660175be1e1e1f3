#pragma once

/// Where the sources of <corral/pair_entries.cuh> are, and how far from targets.

#include <corral/cell_order.hpp>
#include <corral/device_code.cuh>
#include <corral/host_device.hpp>
#include <corral/near_cells.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace corral::detail {

/// What entries see of a call.
struct PairView {
  NearCells near;
  OrderView<double> targets, sources;
  std::array<const double*, 3> target_x{}, source_x{}; ///< by place: fractions, or coordinates from the grid's corner [m]
  std::array<double, 3> to_cut_off{};                  ///< of those, to cut-offs
  float limit = 0;                                     ///< square from which on no pair can be [cut-offs^2]
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

} // namespace corral::detail
