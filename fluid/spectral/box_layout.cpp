#include "fluid/spectral/box_layout.hpp"

#include "fluid/spectral/lengths.hpp"

#include <corral/error.hpp>

#include <string>

namespace corral::fluid::spectral {
namespace {

std::string name_of(int side) { return std::string(side_names[static_cast<std::size_t>(side)]); }

[[noreturn]] void refuse(const Domain& domain, int side) {
  throw Error("side " + name_of(side) + " is " + std::string(name(domain.side_kind(side))) +
              " (Fourier solves serve boxes that wrap along all axes, and no_slip walls at both ends of y)");
}

void require_sides(const Domain& domain) {
  for (int side = 0; side < 6; ++side) {
    const SideKind kind = domain.side_kind(side);
    if (kind == SideKind::periodic || (kind == SideKind::no_slip && side / 2 == 1)) continue;
    refuse(domain, side);
  }
  if ((domain.side_kind(2) == SideKind::no_slip) != (domain.side_kind(3) == SideKind::no_slip)) refuse(domain, 2);
}

void require_plain_box(const Domain& domain) {
  if (!domain.inlets().empty())
    throw Error("inlet " + domain.inlets().front().name + " (Fourier solves know no inlets)");
  if (domain.has_closed_faces()) throw Error("blocked cells (Fourier solves need every cell of the box)");
  for (int d = 0; d < 3; ++d)
    if (domain.grid().axis(d).whole_cells() != domain.grid().axis(d).cells)
      throw Error("a part of a grid (Fourier solves need the whole of it)");
}

} // namespace

BoxLayout::BoxLayout(const Domain& domain) : grid(domain.grid()), walled(domain.side_kind(2) == SideKind::no_slip) {
  require_sides(domain);
  require_plain_box(domain);
  const std::int64_t ny = grid.axis(1).cells;
  if (walled && ny < 2) throw Error("one cell between two walls (two at least are needed)");
  for (int d = 0; d < 3; ++d)
    if (!walled || d != 1) require_length(grid.axis(d).cells);
  shape = {.nx = grid.axis(0).cells, .rows = grid.axis(row_axis()).cells, .planes = grid.axis(plane_axis()).cells};
}

double BoxLayout::transform_factor() const {
  return static_cast<double>(shape.nx) * static_cast<double>(shape.rows) *
         (walled ? 1.0 : static_cast<double>(shape.planes));
}

} // namespace corral::fluid::spectral
