#pragma once

#include "stokes/sums/kind.hpp"

#include <array>
#include <cstdint>

namespace corral::stokes {

/// What is asked of a sum, as errors see it. Errors are root mean squares over targets, in units of sqrt(Q)/L^n: Q is
/// the sum of squares of strengths (of a stresslet |q|^2 |n|^2), L the cube root of the box's volume, and results decay
/// as 1/r^n. Sources are thought of as anywhere in the box, in any direction, and a target as being one of them: then
/// the square of what a target gets wrong is the mean over the box of all sources' errors, plus its own or its
/// neighbour's.
struct ErrorScale {
  Sum sum;
  Result result;
  double volume;        ///< of the box [m3]
  std::int64_t sources; ///< 1 or more
  double radius = 0;    ///< of the spheres that forces act on; 0 of points [m]

  double length() const; ///< L [m]
};

/// What is left out by pairs farther apart than `cut_off` [m].
double near_error(const ErrorScale&, double xi, double cut_off);

/// What is left out by modes above K [1/m].
double far_error(const ErrorScale&, double xi, double K);

/// What a Kaiser-Bessel window of P points and that beta does to modes up to K [1/m] on a grid of that spacing [m]
/// along each axis: each mode k comes with its aliases, such as k - 2 pi/h, by the ratio of the window's transforms
/// there. An exponential of semicircle is as good.
double window_error(const ErrorScale&, double xi, double K, const std::array<double, 3>& spacing, int P, double beta);

} // namespace corral::stokes
