#include "stokes/lubrication/two_spheres.hpp"

#include "stokes/sums/spheres.hpp"

#include <algorithm>
#include <cmath>

namespace corral::stokes {
namespace {

constexpr std::int64_t last_entry = 2048;

TwoSphereDrag above_rpy(double gap) {
  const TwoSphereDrag all = two_sphere_drag(gap);
  const double own = spheres(1.0, 0.0).along, other = spheres(1.0, 2 + gap).along;
  return {all.same - own / (own + other), all.opposite - own / (own - other)};
}

} // namespace

TwoSphereDrag two_sphere_drag(double gap) {
  // Bispherical coordinates: spheres at +- alpha. 2 cosh(alpha) = 2 + gap, and sinh(alpha/2)^2 = gap/4.
  const double alpha = 2 * std::asinh(std::sqrt(gap) / 2), s = std::sinh(alpha), twice = std::sinh(2 * alpha);
  TwoSphereDrag drag{0, 0};
  for (std::int64_t n = 1;; ++n) {
    const double m = 2 * static_cast<double>(n) + 1, x = m * alpha;
    const double weight = static_cast<double>(n) * (static_cast<double>(n) + 1) / ((m - 2) * (m + 2));
    const double sinh2 = std::pow(std::sinh(x / 2), 2), cosh2 = sinh2 + 1, wide = 2 * std::sinh(x);
    const double same = 1 - (4 * sinh2 - m * m * s * s) / (wide + m * twice);
    const double opposite = (4 * cosh2 + m * m * s * s) / (wide - m * twice) - 1;
    drag.same += weight * same;
    drag.opposite += weight * opposite;
    if (x > 40) break;
  }
  const double factor = 4 * s / 3;
  return {factor * drag.same, factor * drag.opposite};
}

LubricationTable::LubricationTable(double range, double least_gap)
    : range_(range), least_gap_(least_gap), scale_(static_cast<double>(last_entry) / std::log(range / least_gap)) {
  entries_.resize(2 * (last_entry + 1));
  const TwoSphereDrag end = above_rpy(range);
  for (std::int64_t i = 0; i <= last_entry; ++i) {
    const double gap = least_gap * std::exp(static_cast<double>(i) / scale_);
    const TwoSphereDrag drag = above_rpy(gap);
    entries_[2 * i] = drag.same - end.same;
    entries_[2 * i + 1] = (drag.opposite - end.opposite) * gap;
  }
}

TwoSphereDrag LubricationTable::operator()(double gap) const {
  if (gap >= range_) return {0, 0};
  const double g = std::max(gap, least_gap_), x = scale_ * std::log(g / least_gap_);
  const std::int64_t i = std::min(static_cast<std::int64_t>(x), last_entry - 1);
  const double w = x - static_cast<double>(i);
  const auto at = [&](std::int64_t k) { return (1 - w) * entries_[2 * i + k] + w * entries_[2 * i + 2 + k]; };
  return {at(0), at(1) / g};
}

} // namespace corral::stokes
