#pragma once

#include "fluid/planes.hpp"

#include <corral/array.hpp>
#include <corral/for_each.hpp>
#include <corral/grid.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

namespace corral::fluid {

/// Rows along x that one task takes: about 8192 cells, so that small grids are not cut at all.
inline std::int64_t rows_per_chunk(std::int64_t nx) { return std::max<std::int64_t>(1, 8192 / nx); }

/// Calls f(j, k) for every row along x of planes [begin, end) of a box of cells, in parallel.
template <class F> void for_each_row(Cpu cpu, std::array<std::int64_t, 3> cells, std::int64_t begin, std::int64_t end, F&& f) {
  const std::int64_t ny = cells[1];
  for_each_chunk(cpu, ny * (end - begin), rows_per_chunk(cells[0]), [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t row = from; row < to; ++row) f(row % ny, begin + row / ny);
  });
}
/// Of its own planes.
template <class F> void for_each_row(Cpu cpu, std::array<std::int64_t, 3> cells, const Planes& planes, F&& f) {
  for_each_row(cpu, cells, planes.begin(), planes.end(), f);
}

/// Sum of f(j, k) over all rows, of each plane and then of all planes: the same bits on any number of ranks and threads. Collective
/// where ranks share the planes; R is then copied byte by byte. `parts` is kept by the caller, so that memory is allocated once.
template <class R, class F> R sum_rows(Cpu cpu, std::array<std::int64_t, 3> cells, const Planes& planes, Array<R>& parts, F&& f) {
  const std::int64_t rows = cells[1];
  parts.resize((rows + 1) * cells[2]);
  R* of_plane = parts.data() + rows * cells[2];
  for_each_row(cpu, cells, planes, [&](std::int64_t j, std::int64_t k) { parts[j + rows * k] = f(j, k); });
  for (std::int64_t k = planes.begin(); k < planes.end(); ++k) {
    of_plane[k] = R{};
    for (std::int64_t j = 0; j < rows; ++j) of_plane[k] += parts[j + rows * k];
  }
  planes.complete(of_plane, 1);
  R total{};
  for (std::int64_t k = 0; k < cells[2]; ++k) total += of_plane[k];
  return total;
}

/// The same of cells: f(cell, sum) adds to the sum of a row.
template <class R, class F> R sum_cells(Cpu cpu, const Grid& grid, const Planes& planes, Array<R>& parts, F&& f) {
  const std::array<std::int64_t, 3> cells{grid.axis(0).cells, grid.axis(1).cells, grid.axis(2).cells};
  return sum_rows(cpu, cells, planes.shared() ? planes : Planes(cells[2]), parts, [&](std::int64_t j, std::int64_t k) {
    R sum{};
    const std::int64_t row = cells[0] * (j + cells[1] * k);
    for (std::int64_t c = row; c < row + cells[0]; ++c) f(c, sum);
    return sum;
  });
}

} // namespace corral::fluid
