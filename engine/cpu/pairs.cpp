#include <corral/error.hpp>
#include <corral/pairs.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

namespace corral::detail {
namespace {

std::string times(const Group& n) {
  return std::to_string(n[0]) + " x " + std::to_string(n[1]) + " x " + std::to_string(n[2]);
}

std::string of_cut_off(double cut_off) {
  std::ostringstream text;
  text << "pairs within a cut-off of " << cut_off << " m";
  return text.str();
}

void require_cells(const Grid& grid, const OrderView<double>& order, const std::string& whose) {
  const Group cells{grid.axis(0).cells, grid.axis(1).cells, grid.axis(2).cells};
  if (order.groups != cells)
    throw Error("the order of " + whose + " has " + times(order.groups) + " groups (the grid has " + times(cells) +
                " cells) sort it over this grid, with Offset::zero along every axis");
}

/// The least distance between points of cells that are so many apart, rounded as distances of pairs are [m].
double gap(const Axis& axis, std::int64_t cells) {
  return static_cast<double>(std::max<std::int64_t>(std::abs(cells) - 1, 0)) * axis.spacing;
}

/// Cells beyond which no pair can be along this axis, or where there are none.
std::int64_t reach(const Axis& axis, double cut_off) {
  const double cells = std::ceil(cut_off / axis.spacing) + 1; // the quotient is rounded
  if (!axis.periodic() && cells >= static_cast<double>(axis.cells)) return axis.cells - 1;
  return static_cast<std::int64_t>(std::min(cells, 0x1p40));
}

} // namespace

NearGroups::NearGroups(const Grid& grid, const OrderView<double>& targets, const OrderView<double>& sources,
                       double cut_off)
    : sources_(sources) {
  require_cells(grid, targets, "targets");
  require_cells(grid, sources, "sources");
  const double square = cut_off * cut_off;
  if (!(cut_off > 0 && square > 0 && std::isfinite(square)))
    throw Error(of_cut_off(cut_off) + " (a positive, finite length is needed, and its square has to be one)");
  for (int d = 0; d < 3; ++d) {
    const auto at = static_cast<std::size_t>(d);
    cells_[at] = grid.axis(d).cells, periodic_[at] = grid.axis(d).periodic(), length_[at] = grid.axis(d).length();
  }
  const std::int64_t x = reach(grid.axis(0), cut_off), y = reach(grid.axis(1), cut_off), z = reach(grid.axis(2), cut_off);
  constexpr double most = 0x1p22;
  if (static_cast<double>(2 * y + 1) * static_cast<double>(2 * z + 1) > most)
    throw Error(of_cut_off(cut_off) + " (more than 2^22 rows of cells lie within it) take larger cells, or a shorter cut-off");
  for (std::int64_t k = -z; k <= z; ++k)
    for (std::int64_t j = -y; j <= y; ++j) {
      const double gap_y = gap(grid.axis(1), j), gap_z = gap(grid.axis(2), k);
      // Added in the order of the pairs' squares: what is rounded then leaves out none of them.
      const auto beyond = [&](std::int64_t i) {
        const double gap_x = gap(grid.axis(0), i);
        return gap_x * gap_x + gap_y * gap_y + gap_z * gap_z >= square;
      };
      if (beyond(0)) continue;
      const double left = std::sqrt(std::max(square - gap_y * gap_y - gap_z * gap_z, 0.0)) / grid.axis(0).spacing;
      std::int64_t i = static_cast<std::int64_t>(std::min(static_cast<double>(x), std::ceil(left) + 1));
      while (beyond(i)) --i;
      rows_.push_back({j, k, i, cells_[0] * (j + cells_[1] * k)});
      const Group far{i, std::abs(j), std::abs(k)};
      for (std::size_t d = 0; d < 3; ++d) reach_[d] = std::max(reach_[d], far[d]);
    }
}

} // namespace corral::detail
