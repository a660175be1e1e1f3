#pragma once

#include "fluid/domain.hpp"
#include "fluid/pressure/pressure.hpp"
#include "mppic/step_scratch.hpp"

#include <corral/host_device.hpp>

#include <array>
#include <cstdint>

namespace corral::mppic {

namespace complementarity {

/// How J falls along a correction where the search begins, and its slope where it is.
struct Falls {
  double fall = 0, slope = 0;
  CORRAL_HOST_DEVICE void operator+=(const Falls& b) {
    fall += b.fall;
    slope += b.slope;
  }
};

} // namespace complementarity

/// Contact as an inequality: in every cell x >= 0, F(x) = A x + r(x) >= 0 and x F(x) = 0, with A = -div(b grad) of face
/// coefficients b >= 0 and r a function of the cell's x alone that never falls. This is the minimum of the convex
/// J(x) = x A x/2 + sum R(x), R' = r, over x >= 0, and J is what falls in every round: nonlinear Gauss-Seidel, which
/// finds the cells that touch, a linear system over these alone, which carries pressure across the bed, and a search
/// along that correction (truncated nonsmooth Newton multigrid, Graeser and Kornhuber, J. Comput. Math. 27 (2009) 1).
/// On the CPU rows of cells are relaxed in turn, on a device cells of a colour at once: other ways to the same solution.
///
/// Where ranks share the pressure solvers' work they share this, too, by the same planes. The bits are those of one process. A rank
/// reads b and r of its own planes; x is whole before and after.
///
/// A Law is a value that loops copy, with pointers to where they run. It has
///   Value at(cell, x)           r and its slope, from the right where it has a kink
///   double root(cell, a, s)     the x >= 0 with a x + r(x) = s, or 0 where r(0) >= s; a > 0
///   double beyond(cell, x, e, a) x + e, a correction by r's slope at x; less of it beyond a kink where r grows stiffer
///
/// Its loops stand in complementarity.t.hpp.
class Complementarity {
public:
  Complementarity(const fluid::Domain& domain, StepScratch& scratch);

  struct Value {
    double r, slope;
  };
  struct Report {
    int rounds = 0; ///< of the search for the cells in contact
    int linear = 0; ///< iterations of the linear solver, in all
    bool converged = true;
  };

  /// x holds a first guess and becomes the solution: |F| <= tolerance where x > 0, F >= -tolerance elsewhere.
  template <Execution E, class Law>
  Report solve(E, const fluid::FaceArrays& b, const Law& law, Array<double>& x, double tolerance);

  // Parts of `solve`; public, since nvcc takes the loops of no others.
  /// Over the cells that touch, and those that anything would press together: a bed that only moves as a whole is one
  /// system, not one that contact enters cell by cell (Bertsekas, SIAM J. Control Optim. 20 (1982) 221). Returns iterations.
  template <Execution E>
  int correct(E, const fluid::FaceArrays& b, const Array<double>& x, double zero, double linear_tolerance);
  template <Execution E> int solve_truncated(E, const fluid::FaceArrays& b, double tolerance);

private:
  static constexpr int most_rounds = 20;

  const fluid::Planes& planes() const { return scratch_.planes(); }

  void take();
  void give_back();

  const fluid::Domain& domain_;
  StepScratch& scratch_;
  std::array<std::int64_t, 3> cells_;
  std::array<bool, 3> wraps_;
  fluid::PressureSolver solver_;
  Array<complementarity::Falls> falls_; ///< of rows and planes
  fluid::FaceArrays truncated_; // as the next, taken while it solves
  Array<double> diagonal_;      ///< r's slope, and then the truncated system's diagonal
  Array<double> F_;             ///< and then that system's right-hand side
  Array<double> correction_, start_; ///< start_: of a search alone
};

} // namespace corral::mppic
