#pragma once

#include <array>
#include <cstdint>

namespace corral::fluid {

/// What the divergence of a viscous stress on a row along x takes: rows of one component, of those beside, and of
/// viscosity. The row wraps along x.

/// Of component x. [0] along y, [1] along z.
struct StressRowOfX {
  std::int64_t n;
  std::array<double, 3> per_spacing; ///< 1/h [1/m]
  const double* u;
  std::array<const double*, 2> u_low, u_high;       ///< rows beside
  const double* mu;                                 ///< in cells [Pa s]
  std::array<const double*, 2> edge_low, edge_high; ///< on edges, on the lower and upper side of control volumes
  std::array<const double*, 2> side_low, side_high; ///< the component along that axis, there
};
void stress_row(const StressRowOfX&, double* to);

/// Of component `a`, y or z; `b` is the other one.
struct StressRowOfOther {
  std::int64_t n;
  double per_x, per_a, per_b;
  const double *u, *u_low_a, *u_high_a, *u_low_b, *u_high_b;
  const double *mu, *mu_back;           ///< in cells above and below, along a
  const double* edge_x;                 ///< on edges shared with x: on the lower side of each control volume
  const double *x, *x_back;             ///< component x above and below, along a
  const double *edge_b_low, *edge_b_high;
  const double *b_low, *b_low_back, *b_high, *b_high_back; ///< component b on its lower and upper side, above and below
};
void stress_row(const StressRowOfOther&, double* to);

} // namespace corral::fluid
