#include "engine/shared/requirements.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>

namespace corral {

std::string_view name(Staggering s) {
  constexpr std::array<std::string_view, 5> names{"centre", "node", "face_x", "face_y", "face_z"};
  const auto i = static_cast<std::size_t>(s);
  return i < names.size() ? names[i] : "no staggering";
}

std::string_view name(Boundary b) {
  constexpr std::array<std::string_view, 4> names{"periodic", "wall", "open", "halo"};
  const auto i = static_cast<std::size_t>(b);
  return i < names.size() ? names[i] : "no boundary";
}

namespace {

/// Throws Error unless the axis is whole, or a part that lies within one.
void require_part(const Axis& a, const std::string& where) {
  if (a.global_cells == 0) {
    if (a.offset != 0)
      throw Error(where + " begins at cell " + std::to_string(a.offset) + " of an axis of no cells (a part names its "
                  "whole) set global_cells, or offset to 0");
    if (a.global_periodic)
      throw Error(where + " is called a part of a periodic axis of no cells (a part names its whole) set global_cells");
    return;
  }
  if (a.offset < 0 || a.global_cells < a.cells || a.offset > a.global_cells - a.cells)
    throw Error(where + " has cells " + std::to_string(a.offset) + " to " + std::to_string(a.offset + a.cells) +
                " of an axis of " + std::to_string(a.global_cells) + " (a part lies within the whole)");
  if (a.cells == a.global_cells) return;
  if (a.periodic())
    throw Error(where + " is a part with periodic sides (it would wrap within itself) make them halo, and "
                "global_periodic true");
  const bool begins = a.offset == 0 && !a.global_periodic;
  const bool ends = a.offset + a.cells == a.global_cells && !a.global_periodic;
  if ((!begins && a.low != Boundary::halo) || (!ends && a.high != Boundary::halo))
    throw Error(where + " is a part whose " + (!begins && a.low != Boundary::halo ? "lower" : "upper") + " side is " +
                std::string(name(!begins && a.low != Boundary::halo ? a.low : a.high)) +
                " (the whole goes on there) make it halo");
}

} // namespace

Grid::Grid(const std::array<Axis, 3>& axes) : axes_(axes) {
  double points = 1;
  for (int d = 0; d < 3; ++d) {
    const Axis& a = axis(d);
    const std::string where = std::string("axis ") + "xyz"[d];
    if (a.cells < 1) throw Error(where + " has " + std::to_string(a.cells) + " cells (one at least is needed)");
    if (!(std::isfinite(a.spacing) && a.spacing > 0))
      throw Error(where + " has spacing " + std::to_string(a.spacing) + " (a positive, finite length is needed)");
    if (!std::isfinite(a.origin)) throw Error(where + " has an origin that is not finite");
    for (const Boundary side : {a.low, a.high})
      if (side > Boundary::halo)
        throw Error(where + " has a side of boundary number " + std::to_string(static_cast<int>(side)) +
                    " (Boundary has no such value)");
    if ((a.low == Boundary::periodic) != (a.high == Boundary::periodic))
      throw Error(where + " is periodic on one side only (a periodic axis wraps: make both sides periodic)");
    require_part(a, where);
    points *= static_cast<double>(a.cells) + 1;
  }
  if (points > 0x1p62) throw Error("a grid of more than 2^62 points (its indices would not fit 64 bits)");
}

void shared::require_known(Staggering s) {
  if (std::find(all_staggerings.begin(), all_staggerings.end(), s) == all_staggerings.end())
    throw Error("staggering number " + std::to_string(static_cast<int>(s)) + " (Staggering has no such value)");
}

void shared::require_known(Sign s) {
  if (s != Sign::plus && s != Sign::minus)
    throw Error("wall sign " + std::to_string(static_cast<int>(s)) + " (Sign is plus, 1, or minus, -1)");
}

template <class T> void shared::require_resolved(const Grid& grid) {
  using Limits = std::numeric_limits<T>;
  for (int d = 0; d < 3; ++d) {
    const Axis& a = grid.axis(d);
    const double apart = Limits::epsilon() * std::max(std::abs(a.origin), std::abs(a.origin + static_cast<double>(a.whole_cells()) * a.spacing));
    std::ostringstream text;
    text << "axis " << "xyz"[d];
    if (!(1 / a.spacing <= double{Limits::max()} && 1 / a.spacing >= double{Limits::min()}))
      text << " has cells of " << a.spacing << " m (one over that is no number of its precision) take another unit of "
           << "length" << (sizeof(T) == sizeof(float) ? ", or double" : "");
    else if (apart > a.spacing / 4)
      text << " lies too far from 0 for its precision (coordinates there are " << apart << " m apart, cells "
           << a.spacing << " m wide) take double, or an origin near 0";
    else continue;
    throw Error(text.str());
  }
}

template void shared::require_resolved<float>(const Grid&);
template void shared::require_resolved<double>(const Grid&);

} // namespace corral
