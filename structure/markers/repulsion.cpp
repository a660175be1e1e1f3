#include "structure/markers/repulsion.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>

namespace corral::structure {

namespace {

/// Cells from `first` on, `count` of them, each once: around the end of a periodic axis.
struct CellRange {
  std::int64_t first, count, cells;
  bool periodic;

  CellRange(const Axis& axis, std::int64_t at, std::int64_t reach) : cells(axis.cells), periodic(axis.periodic()) {
    first = at - reach;
    count = 2 * reach + 1;
    if (periodic && count > cells) first = 0, count = cells;
    if (periodic) return;
    const std::int64_t end = std::min(first + count, cells);
    first = std::max<std::int64_t>(first, 0);
    count = end - first;
  }
  std::int64_t operator[](std::int64_t k) const {
    const std::int64_t at = first + k;
    return at < 0 ? at + cells : at < cells ? at : at - cells;
  }
  /// The same as two runs of neighbours, [begin, end): the second is empty where none lies around the end.
  struct Run {
    std::int64_t begin, end;
  };
  std::array<Run, 2> runs() const {
    const std::int64_t end = first + count;
    if (first < 0) return {Run{first + cells, cells}, Run{0, end}};
    if (end > cells) return {Run{first, cells}, Run{0, end - cells}};
    return {Run{first, end}, Run{0, 0}};
  }
};

} // namespace

Repulsion::Repulsion(const Grid& grid, double range, double stiffness)
    : grid_(grid), range_(range), stiffness_(stiffness) {
  for (int d = 0; d < 3; ++d) {
    const Axis& axis = grid.axis(d);
    reach_[d] = static_cast<std::int64_t>(std::ceil(range / axis.spacing));
    if (axis.periodic()) period_[d] = axis.length();
  }
}

/// What the points of `from` do to one point.
struct Repulsion::Push {
  std::array<double, 3> force{}; ///< [N]
  double energy = 0;             ///< half of each pair's [J]
};

void Repulsion::add_pair(const std::array<double, 3>& at, const OrderedPoints& from, std::int64_t j, Push& push) const {
  std::array<double, 3> apart{};
  double square = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    apart[d] = at[d] - from.x[d][j];
    if (period_[d] > 0) apart[d] -= period_[d] * std::round(apart[d] / period_[d]);
    square += apart[d] * apart[d];
  }
  if (square >= range_ * range_) return;
  const double r = std::sqrt(square), lacking = range_ - r;
  push.energy += 0.25 * stiffness_ * lacking * lacking;
  if (!(r > 0)) return; // which way is away?
  for (std::size_t d = 0; d < 3; ++d) push.force[d] += stiffness_ * lacking / r * apart[d];
}

double Repulsion::add_in_cell(const OrderedPoints& on, const OrderedPoints& from, std::int64_t cell,
                              const Points& force) const {
  const std::int64_t begin = on.order.group_begin(cell), end = on.order.group_begin(cell + 1);
  if (begin == end) return 0;
  const std::int64_t nx = on.order.groups[0], ny = on.order.groups[1];
  const CellRange xs(grid_.axis(0), cell % nx, reach_[0]), ys(grid_.axis(1), cell / nx % ny, reach_[1]),
      zs(grid_.axis(2), cell / (nx * ny), reach_[2]);
  const auto runs = xs.runs();
  double energy = 0;
  for (std::int64_t place = begin; place < end; ++place) {
    const std::int64_t i = on.order.source(place);
    const std::array<double, 3> at{on.x[0][i], on.x[1][i], on.x[2][i]};
    Push push;
    for (std::int64_t kz = 0; kz < zs.count; ++kz)
      for (std::int64_t ky = 0; ky < ys.count; ++ky)
        for (const CellRange::Run& run : runs) {
          const std::int64_t row = nx * (ys[ky] + ny * zs[kz]);
          for (std::int64_t p = from.order.group_begin(row + run.begin), last = from.order.group_begin(row + run.end);
               p < last; ++p)
            if (const std::int64_t j = from.order.source(p); from.membrane[j] != on.membrane[i])
              add_pair(at, from, j, push);
        }
    for (std::size_t d = 0; d < 3; ++d) force[d][i] += push.force[d];
    energy += push.energy;
  }
  return energy;
}

double Repulsion::add(Cpu cpu, const OrderedPoints& on, const OrderedPoints& from, const Points& force) const {
  return sum(cpu, on.order.group_count(),
             [&](std::int64_t cell) { return add_in_cell(on, from, cell, force); });
}

double Repulsion::add_walls(Cpu cpu, const OrderedPoints& on, const Points& force) const {
  const Axis& axis = grid_.axis(1);
  if (axis.periodic()) return 0;
  const double low = axis.origin, high = axis.origin + axis.length();
  return sum(cpu, on.size, [&, low, high](std::int64_t i) {
    const double y = on.x[1][i];
    const double below = std::max(range_ - (y - low), 0.0), above = std::max(range_ - (high - y), 0.0);
    force[1][i] += stiffness_ * (below - above);
    return 0.5 * stiffness_ * (below * below + above * above);
  });
}

} // namespace corral::structure
