#pragma once

#include "structure/radial/sphere/harmonics.hpp"
#include "structure/radial/sphere/site_table.hpp"

#include <cmath>

namespace corral::test {

/// exp(a . x) on the unit sphere, which no sum of harmonics is: value and derivatives along a frame.
struct SmoothFunction {
  structure::radial::Direction a{0.9, -0.5, 0.7};

  double along(const structure::radial::Direction& x) const { return a[0] * x[0] + a[1] * x[1] + a[2] * x[2]; }
  double operator()(const structure::radial::Direction& x) const { return std::exp(along(x)); }
  structure::radial::SiteValues at(const structure::radial::Direction& x, const structure::radial::Frame& frame) const {
    const double f = std::exp(along(x)), p = along(frame.first), q = along(frame.second);
    return {f, f * p, f * q, f * (p * p - along(x)), f * p * q, f * (q * q - along(x))};
  }
  double mean() const {
    const double length = std::hypot(a[0], a[1], a[2]);
    return std::sinh(length) / length;
  }
};

/// Numbers without a pattern.
inline double any_number(std::int64_t site, std::int64_t column) {
  return std::sin(3 * static_cast<double>(site) + 0.7 * static_cast<double>(column));
}

/// Values of functions f(site, column) at a spiral's sites.
template <class F>
structure::radial::SiteTable table_of(const structure::radial::Spiral& sites, std::int64_t columns, F&& f) {
  structure::radial::SiteTable table;
  table.resize(sites.count(), columns);
  for (std::int64_t i = 0; i < sites.count(); ++i)
    for (std::int64_t c = 0; c < columns; ++c) table.at(i)[c] = f(i, c);
  return table;
}

} // namespace corral::test
