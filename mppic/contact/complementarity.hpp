#pragma once

#include "fluid/domain.hpp"
#include "fluid/pressure/pressure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace corral::mppic {

/// Contact as an inequality: in every cell x >= 0, F(x) = A x + r(x) >= 0 and x F(x) = 0, with A = -div(b grad) of face
/// coefficients b >= 0 and r a function of the cell's x alone that never falls. This is the minimum of the convex
/// J(x) = x A x/2 + sum R(x), R' = r, over x >= 0, and J is what falls in every round: nonlinear Gauss-Seidel, which
/// finds the cells that touch, a linear system over these alone, which carries pressure across the bed, and a search
/// along that correction (truncated nonsmooth Newton multigrid, Graeser and Kornhuber, J. Comput. Math. 27 (2009) 1).
///
/// A Law has
///   Value at(cell, x)           r and its slope, from the right where it has a kink
///   double root(cell, a, s)     the x >= 0 with a x + r(x) = s, or 0 where r(0) >= s; a > 0
///   double beyond(cell, x, e, a) x + e, a correction by r's slope at x; less of it beyond a kink where r grows stiffer
class Complementarity {
public:
  explicit Complementarity(const fluid::Domain& domain);

  struct Value {
    double r, slope;
  };
  struct Report {
    int rounds = 0; ///< of the search for the cells in contact
    int linear = 0; ///< iterations of the linear solver, in all
    bool converged = true;
  };

  /// x holds a first guess and becomes the solution: |F| <= tolerance where x > 0, F >= -tolerance elsewhere.
  template <class Law>
  Report solve(Cpu cpu, const fluid::FaceArrays& b, const Law& law, Array<double>& x, double tolerance) {
    Report report;
    set_diagonal(cpu, b);
    for (report.rounds = 1;; ++report.rounds) {
      for (int sweeps = report.rounds < 4 ? 1 : report.rounds < 6 ? 4 : 16; sweeps > 0; --sweeps) sweep(cpu, b, law, x);
      const double worst = residual(cpu, b, law, x);
      if (worst <= tolerance) break;
      if (report.rounds == most_rounds || !std::isfinite(worst)) {
        report.converged = false;
        break;
      }
      report.linear += correction(cpu, b, x, tolerance, std::max(0.1 * worst, 0.3 * tolerance));
      search(cpu, b, law, x);
    }
    return report;
  }

private:
  static constexpr int most_rounds = 20;

  void set_diagonal(Cpu, const fluid::FaceArrays& b);
  int solve_truncated(Cpu, const fluid::FaceArrays& b, double tolerance);

  /// Sum of b x over a cell's neighbours.
  double neighbours(const fluid::FaceArrays& b, const fluid::Cell& c, const Array<double>& x) const {
    double sum = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      const double low = b[d][c.low[d]], high = b[d][c.high[d]];
      const std::int64_t around = (cells_[d] - 1) * step_[d]; // used on periodic axes only: elsewhere b is 0 there
      if (low != 0) sum += low * x[c.index + (c.place[d] > 0 ? -step_[d] : around)];
      if (high != 0) sum += high * x[c.index + (c.place[d] < cells_[d] - 1 ? step_[d] : -around)];
    }
    return sum;
  }

  /// Rows of one colour touch no other row of it, also where an odd number of them wraps around.
  int colour(std::int64_t j, std::int64_t k) const {
    const auto of = [this](std::size_t d, std::int64_t at) {
      return wraps_[d] && cells_[d] % 2 == 1 && at == cells_[d] - 1 ? 2 : static_cast<int>(at % 2);
    };
    return (of(1, j) + of(2, k)) % 3;
  }

  /// Every cell in turn is solved for its own x.
  template <class Law> void sweep(Cpu cpu, const fluid::FaceArrays& b, const Law& law, Array<double>& x) {
    for (int now = 0; now < 3; ++now)
      fluid::for_each_cell_of_rows(
          cpu, domain_.grid(), [&](std::int64_t j, std::int64_t k) { return colour(j, k) == now; },
          [&](const fluid::Cell& c) {
            const double a = diagonal_[c.index];
            x[c.index] = a > 0 ? law.root(c.index, a, neighbours(b, c, x)) : 0;
          });
  }

  /// F(x) and r's slope; returns how far the worst cell is from the inequality.
  template <class Law>
  double residual(Cpu cpu, const fluid::FaceArrays& b, const Law& law, const Array<double>& x) {
    fluid::for_each_cell(cpu, domain_.grid(), [&](const fluid::Cell& c) {
      const std::int64_t i = c.index;
      const Value v = law.at(i, x[i]);
      F_[i] = diagonal_[i] > 0 ? diagonal_[i] * x[i] + v.r - neighbours(b, c, x) : 0;
      slope_[i] = v.slope;
    });
    return maximum(cpu, x.size(), 0,
                   [&](std::int64_t c) { return x[c] > 0 ? std::abs(F_[c]) : std::max(-F_[c], 0.0); });
  }

  /// Over the cells that touch, and those that anything would press together: a bed that only moves as a whole is one
  /// system, not one that contact enters cell by cell (Bertsekas, SIAM J. Control Optim. 20 (1982) 221).
  int correction(Cpu cpu, const fluid::FaceArrays& b, const Array<double>& x, double zero, double linear_tolerance) {
    for_each(cpu, x.size(), [&](std::int64_t c) {
      active_[c] = x[c] > 0 || F_[c] <= zero;
      correction_[c] = 0;
    });
    return solve_truncated(cpu, b, linear_tolerance);
  }

  /// x <- max(0, x + s e), s = 1 or, where J would rise again, near its minimum along e. Kinks bend that path: a few
  /// cells that cross one would cut s for all.
  template <class Law> void search(Cpu cpu, const fluid::FaceArrays& b, const Law& law, Array<double>& x) {
    for_each(cpu, x.size(), [&](std::int64_t c) { start_[c] = x[c]; });
    const double fall = sum(cpu, x.size(), [&](std::int64_t c) { return F_[c] * correction_[c]; });
    double s = 1;
    for (int tries = 0; tries < 4; ++tries) {
      for_each(cpu, x.size(), [&](std::int64_t c) {
        x[c] = std::max(0.0, law.beyond(c, start_[c], s * correction_[c], diagonal_[c]));
      });
      residual(cpu, b, law, x);
      const double slope = sum(cpu, x.size(), [&](std::int64_t c) { return F_[c] * (x[c] - start_[c]); }) / s;
      if (slope <= 1e-2 * std::abs(fall)) return;
      s *= std::clamp(fall / (fall - slope), 0.1, 0.9);
    }
  }

  const fluid::Domain& domain_;
  std::array<std::int64_t, 3> cells_, step_;
  std::array<bool, 3> wraps_;
  fluid::PressureSolver solver_;
  fluid::FaceArrays truncated_;
  Array<double> diagonal_, truncated_diagonal_, F_, slope_, correction_, start_;
  Array<std::uint8_t> active_;
};

} // namespace corral::mppic
