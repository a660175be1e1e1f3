#include "tests/catch.hpp"
#include "tests/fluid/face_fields.hpp"
#include "tests/fluid/projection_flow.hpp"
#include "tests/sanitized.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace corral::test {
namespace {

using fluid::Advection;
using fluid::Domain;
using fluid::SideKind;

/// A velocity at a node of a grid of 129 x 129 nodes.
struct Tabulated {
  int node; ///< 1 to 129, at (node - 1)/128
  double velocity;
};

/// U. Ghia, K.N. Ghia and C.T. Shin, J. Comput. Phys. 48 (1982) 387, tables I and II, Re 100: u on the vertical
/// centreline, v on the horizontal one.
constexpr std::array<Tabulated, 15> ghia_u{{{8, -.03717}, {9, -.04192}, {10, -.04775}, {14, -.06434}, {23, -.10150},
                                            {37, -.15662}, {59, -.21090}, {65, -.20581}, {80, -.13641}, {95, .00332},
                                            {110, .23151}, {123, .68717}, {124, .73722}, {125, .78871}, {126, .84123}}};
constexpr std::array<Tabulated, 15> ghia_v{{{9, .09233}, {10, .10091}, {11, .10890}, {13, .12317}, {21, .16077},
                                            {30, .17507}, {31, .17527}, {65, .05454}, {104, -.24533}, {111, -.22445},
                                            {117, -.16914}, {122, -.10313}, {123, -.08864}, {124, -.07391},
                                            {125, -.05906}}};

/// The steady flow in a square of 1 m whose upper side slides at 1 m/s, Re 100, on its centrelines.
struct Cavity {
  std::vector<double> u, v; ///< n values at cell centres along x = 1/2 and along y = 1/2 [m/s]

  /// Stream function at the nodes of x = 1/2 that a grid of m cells has, too [m2/s].
  std::vector<double> stream_function(std::size_t m) const {
    std::vector<double> psi;
    double sum = 0;
    for (std::size_t j = 0; j < u.size(); ++j) {
      sum += u[j] / static_cast<double>(u.size());
      if ((j + 1) % (u.size() / m) == 0) psi.push_back(sum);
    }
    return psi;
  }
};

Cavity solve(std::int64_t n, Advection scheme) {
  using enum SideKind;
  const std::array<SideKind, 6> sides{no_slip, no_slip, no_slip, no_slip, periodic, periodic};
  const Grid grid = Domain::make_grid({n, n, 1}, {0, 0, 0}, {1, 1, 1}, sides);
  Domain domain(grid, sides, {});
  domain.set_wall_velocity(fluid::side(1, true), {1, 0, 0});
  const double nu = 0.01, h = 1 / static_cast<double>(n);
  ProjectionFlow flow(domain, nu, scheme);
  // Both limits of forward Euler with central differences: h^2/(4 nu), 2 nu/(u^2 + v^2).
  const double dt = std::min(0.22 * h * h / nu, nu);
  Array<double> before;
  double change = 1;
  for (double t = 0; t < 60 && change > 1e-6; t += dt) { // [m/s2]
    before = flow.u[0];
    flow.euler(dt);
    change = 0;
    for (std::int64_t f = 0; f < before.size(); ++f) change = std::max(change, std::abs(flow.u[0][f] - before[f]) / dt);
  }
  REQUIRE(change <= 1e-6);
  Cavity cavity;
  for (std::int64_t i = 0; i < n; ++i) {
    cavity.u.push_back(flow.u[0][n / 2 + i * (n + 1)]);
    cavity.v.push_back(flow.u[1][i + n / 2 * n]);
  }
  return cavity;
}

/// Largest difference from the table, by straight lines between the walls, at 0 and `last`, and the cells' centres.
double apart(const std::vector<double>& profile, const std::array<Tabulated, 15>& table, double last) {
  std::vector<double> x{0}, u{0};
  for (const double value : profile) {
    x.push_back((static_cast<double>(u.size()) - 0.5) / static_cast<double>(profile.size()));
    u.push_back(value);
  }
  x.push_back(1);
  u.push_back(last);
  double error = 0;
  for (const Tabulated& point : table) {
    const double at = (point.node - 1) / 128.0;
    const auto i = static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), at) - x.begin());
    const double share = (at - x[i - 1]) / (x[i] - x[i - 1]);
    error = std::max(error, std::abs((1 - share) * u[i - 1] + share * u[i] - point.velocity));
  }
  return error;
}

/// The extremum of a profile, by a parabola through its largest value (times `sign`) and the two beside it.
double extremum(const std::vector<double>& profile, double sign) {
  std::size_t i = 1;
  for (std::size_t k = 1; k + 1 < profile.size(); ++k)
    if (sign * profile[k] > sign * profile[i]) i = k;
  const double slope = 0.5 * (profile[i + 1] - profile[i - 1]);
  return profile[i] - 0.5 * slope * slope / (profile[i + 1] - 2 * profile[i] + profile[i - 1]);
}

/// Largest relative error of the extrema. C.H. Marchi, R. Suero and L.K. Araki, J. Braz. Soc. Mech. Sci. Eng. 31 (2009)
/// 186: min u, max v, min v of 1024 x 1024 cells, extrapolated.
double extrema_error(const Cavity& c) {
  return std::max({std::abs(extremum(c.u, -1) / -0.2140417 - 1), std::abs(extremum(c.v, 1) / 0.1795728 - 1),
                   std::abs(extremum(c.v, -1) / -0.2538030 - 1)});
}

} // namespace

TEST_CASE("the lid-driven cavity at Re 100 is Ghia's, to second order", "[physics]") {
  if (sanitized) {
    solve(8, Advection::central);
    return;
  }
  const std::size_t coarse = 16;
  std::vector<Cavity> grids;
  for (const std::size_t n : {coarse, 2 * coarse, 4 * coarse})
    grids.push_back(solve(static_cast<std::int64_t>(n), Advection::central));
  std::vector<double> differences;
  for (std::size_t k = 0; k < 2; ++k) {
    const auto a = grids[k].stream_function(coarse), b = grids[k + 1].stream_function(coarse);
    double largest = 0;
    for (std::size_t j = 0; j < coarse; ++j) largest = std::max(largest, std::abs(a[j] - b[j]));
    differences.push_back(largest);
  }
  std::vector<double> errors;
  for (const Cavity& c : grids) errors.push_back(extrema_error(c));
  const double order = observed_order("cavity, stream function, grid to grid", differences);
  const double extrema_order = observed_order("cavity, extrema, against Marchi's", errors);
  for (const Cavity& c : grids)
    std::printf("cavity, %zu^2: %.4f and %.4f of the lid's speed from Ghia's u and v\n", c.u.size(),
                apart(c.u, ghia_u, 1), apart(c.v, ghia_v, 0));
  CHECK(order > 1.8);
  CHECK(extrema_order > 1.8);
  // Of the lid's speed. The table itself is up to .009 from finer grids in v, and does not get nearer.
  CHECK(apart(grids.back().u, ghia_u, 1) < 0.02);
  CHECK(apart(grids.back().v, ghia_v, 0) < 0.02);
  CHECK(errors.back() < 0.01);
}

} // namespace corral::test
