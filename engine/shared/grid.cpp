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
    const double apart = Limits::epsilon() * std::max(std::abs(a.origin), std::abs(a.origin + a.length()));
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
