#include "structure/bodies/reached_rows.hpp"

#include <algorithm>
#include <cmath>

namespace corral::structure {

namespace {

std::int64_t wrapped(std::int64_t i, std::int64_t cells) { return (i % cells + cells) % cells; }

fluid::CellBox box_of(const fluid::Domain& domain) {
  fluid::CellBox box;
  for (int d = 0; d < 3; ++d) {
    const auto e = static_cast<std::size_t>(d);
    box.begin[e] = domain.shared() ? domain.shared()->first(d) : 0;
    box.end[e] = box.begin[e] + domain.grid().axis(d).cells;
  }
  return box;
}

} // namespace

ReachedRows::ReachedRows(const fluid::Domain& domain) : ReachedRows(domain.whole(), box_of(domain)) {}

ReachedRows::ReachedRows(const Grid& grid, const fluid::CellBox& box)
    : grid_(grid), box_(box), reached_(cells(0), cells(1) * cells(2)) {}

/// f(begin, end) of the box's cells along an axis, wherever it has some of [low, end). What lies beyond a side that is not periodic is
/// inside, mirrored.
template <class F> void ReachedRows::each_image(int d, std::int64_t low, std::int64_t end, const F& f) const {
  const Axis axis = grid_.axis(d);
  const std::int64_t n = cells(d), length = end - low;
  std::int64_t begin = low - box_.begin[static_cast<std::size_t>(d)];
  if (axis.periodic()) begin = wrapped(begin, axis.cells) - (length + axis.cells - 1) / axis.cells * axis.cells;
  do {
    const std::int64_t from = std::max<std::int64_t>(begin, 0), to = std::min(begin + length, n);
    if (from < to) f(from, to);
    begin += axis.cells;
  } while (axis.periodic() && begin < n);
}

void ReachedRows::reach(const std::array<std::int64_t, 3>& low, const std::array<std::int64_t, 3>& end) {
  each_image(2, low[2], end[2], [&](std::int64_t k, std::int64_t end_k) {
    for (; k < end_k; ++k)
      each_image(1, low[1], end[1], [&](std::int64_t first_j, std::int64_t end_j) {
        for (std::int64_t j = first_j; j < end_j; ++j)
          each_image(0, low[0], end[0], [&](std::int64_t i, std::int64_t end_i) { reached_.mark(j + cells(1) * k, i, end_i); });
      });
  });
}

fluid::RowParts ReachedRows::find(const ConstPoints& x, std::int64_t n, int support) {
  reached_.clear();
  for (std::int64_t p = 0; p < n; ++p) {
    std::array<std::int64_t, 3> low{0, 0, 0}, end{1, 1, 1};
    for (int d = 0; d < 3; ++d) {
      const Axis axis = grid_.axis(d);
      if (axis.thin()) continue;
      const auto e = static_cast<std::size_t>(d);
      const double along = axis.index(x[e][p]) - 0.5;
      low[e] = static_cast<std::int64_t>(std::floor(support % 2 == 0 ? along : along + 0.5)) - (support - 1) / 2;
      end[e] = low[e] + support;
    }
    reach(low, end);
  }
  reached_.collect();
  return reached_.parts();
}

} // namespace corral::structure
