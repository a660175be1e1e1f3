#pragma once

#include <corral/array.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

namespace corral::fluid {

/// Rows along x that one task takes: about 8192 cells, so that small grids are not cut at all.
inline std::int64_t rows_per_chunk(std::int64_t nx) { return std::max<std::int64_t>(1, 8192 / nx); }

/// Calls f(j, k) for every row along x of a box of cells, in parallel.
template <class F> void for_each_row(Cpu cpu, std::array<std::int64_t, 3> cells, F&& f) {
  for_each_chunk(cpu, cells[1] * cells[2], rows_per_chunk(cells[0]), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) f(row % cells[1], row / cells[1]);
  });
}

/// Sum of f(j, k) over all rows in fixed order. `parts` is kept by the caller, so that memory is allocated once.
template <class R, class F> R sum_rows(Cpu cpu, std::array<std::int64_t, 3> cells, Array<R>& parts, F&& f) {
  parts.resize(cells[1] * cells[2]);
  for_each_row(cpu, cells, [&](std::int64_t j, std::int64_t k) { parts[j + cells[1] * k] = f(j, k); });
  R total{};
  for (const R& part : parts) total += part;
  return total;
}

} // namespace corral::fluid
