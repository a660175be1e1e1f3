#include <corral/error.hpp>
#include <corral/pairs.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
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

void require_cells(const Grid& grid, const Group& groups, const std::string& whose) {
  const Group cells{grid.axis(0).cells, grid.axis(1).cells, grid.axis(2).cells};
  if (groups != cells)
    throw Error("the order of " + whose + " has " + times(groups) + " groups (the grid has " + times(cells) +
                " cells) sort it over this grid, with Offset::zero along every axis");
}

/// Cells beyond which no pair can be along this axis, or where there are none.
std::int64_t reach(const Axis& axis, double cut_off) {
  const double cells = std::ceil(cut_off / axis.spacing) + 1; // the quotient is rounded
  if (!axis.periodic() && cells >= static_cast<double>(axis.cells)) return axis.cells - 1;
  return static_cast<std::int64_t>(std::min(cells, 0x1p40));
}

} // namespace

NearCells near_cells(const Grid& grid, const Group& targets, const Group& sources, double cut_off) {
  require_cells(grid, targets, "targets");
  require_cells(grid, sources, "sources");
  NearCells near{};
  near.square = cut_off * cut_off;
  if (!(cut_off > 0 && near.square > 0 && std::isfinite(near.square)))
    throw Error(of_cut_off(cut_off) + " (a positive, finite length is needed, and its square has to be one)");
  for (int d = 0; d < 3; ++d) {
    const auto at = static_cast<std::size_t>(d);
    const Axis& axis = grid.axis(d);
    near.cells[at] = axis.cells, near.periodic[at] = axis.periodic();
    near.spacing[at] = axis.spacing, near.length[at] = axis.length(), near.most[at] = reach(axis, cut_off);
  }
  constexpr double most = 0x1p22;
  if (static_cast<double>(2 * near.most[1] + 1) * static_cast<double>(2 * near.most[2] + 1) > most)
    throw Error(of_cut_off(cut_off) + " (more than 2^22 rows of cells lie within it) take larger cells, or a shorter cut-off");
  for (std::int64_t k = 0; k < NearCells::in_table; ++k)
    for (std::int64_t j = 0; j < NearCells::in_table; ++j) {
      const std::int64_t x = near.find_reach(j, k);
      near.table[static_cast<std::size_t>(k)][static_cast<std::size_t>(j)] =
          x <= std::numeric_limits<std::int32_t>::max() ? static_cast<std::int32_t>(x) : -2;
    }
  return near;
}

NearGroups::NearGroups(const Grid& grid, const OrderView<double>& targets, const OrderView<double>& sources,
                       double cut_off)
    : sources_(sources), near_(near_cells(grid, targets.groups, sources.groups, cut_off)) {
  for (std::int64_t k = -near_.most[2]; k <= near_.most[2]; ++k)
    for (std::int64_t j = -near_.most[1]; j <= near_.most[1]; ++j) {
      const std::int64_t i = near_.reach(j, k);
      if (i == NearCells::none) continue;
      rows_.push_back({j, k, i, near_.cells[0] * (j + near_.cells[1] * k)});
      const Group far{i, std::abs(j), std::abs(k)};
      for (std::size_t d = 0; d < 3; ++d) reach_[d] = std::max(reach_[d], far[d]);
    }
}

} // namespace corral::detail
