#pragma once

#include <corral/host_device.hpp>

#include <cmath>

namespace corral::fluid {

/// When to stop: every criterion that is not 0 must hold; one at least must be given.
struct SolveOptions {
  double relative = 0;     ///< ||r||_2 <= relative ||b||_2 [-]
  double absolute_max = 0; ///< max |r| <= absolute_max, in the unit of the right-hand side
  int max_iterations = 200;
  bool whole = true; ///< where ranks share the work, each gets all of the solution; else that of its own planes
};

struct SolveResult {
  int iterations = 0;
  double residual_relative = 0; ///< ||r||_2 / ||b||_2 of the solution returned [-]
  double residual_max = 0;      ///< max |r|, in the unit of the right-hand side
  bool converged = false;
};

/// Of a residual, or of a right-hand side.
struct ResidualNorms {
  double square = 0; ///< sum of squares
  double max = 0;

  CORRAL_HOST_DEVICE ResidualNorms& operator+=(const ResidualNorms& other) {
    square += other.square;
    max = max < other.max ? other.max : max;
    return *this;
  }
};

/// `start`: of the right-hand side.
CORRAL_HOST_DEVICE inline bool satisfied(const ResidualNorms& left, const ResidualNorms& start,
                                         const SolveOptions& options) {
  return (options.relative == 0 || std::sqrt(left.square) <= options.relative * std::sqrt(start.square)) &&
         (options.absolute_max == 0 || left.max <= options.absolute_max);
}

/// Iterations are begun again from a true residual as long as the last ones have lowered it.
CORRAL_HOST_DEVICE inline bool worth_going_on(const ResidualNorms& left, double square_before) {
  return left.square < 0.25 * square_before;
}

} // namespace corral::fluid
