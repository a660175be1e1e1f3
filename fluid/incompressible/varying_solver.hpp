#pragma once

#include "fluid/faces.hpp"
#include "fluid/ghosts.hpp"
#include "fluid/incompressible/flow_solver.hpp"
#include "fluid/incompressible/varying_viscosity.hpp"

#include <cstdint>

namespace corral::fluid {

/// (mass - factor div 2 mu D) u + grad P = R, div u = 0 with a viscosity that varies: conjugate gradients on velocities
/// without divergence, preconditioned by the exact solution for one viscosity mu0. As (mass + factor mu k^2) over the same
/// of mu0 lies between 1 and mu/mu0, the number of iterations depends on the ratio of viscosities, and neither on the
/// grid nor on the step. The same bits for any number of threads. Where ranks share the box products are sums over them.
///
/// The first P is taken out of the residual: what balances pressure may be 1e4 times what moves the fluid, and its round-off
/// would hide what iterations leave.
class VaryingSolver {
public:
  /// Keeps references to all.
  VaryingSolver(const Domain& domain, FlowSolver& solver, const Ghosts& ghosts);

  struct Equation {
    double mass = 0;   ///< [-]
    double factor = 1; ///< of the viscous force
    double mu0 = 0;    ///< [Pa s]
    bool keep_mean = true; ///< where the box wraps
  };
  /// Where `solve` finds R - (mass - factor div 2 mu D) u of the first guess u: to be set before, on walls 0.
  FacePointers residual() { return writable_pointers(residual_); }
  /// Of squares of errors: what is left of <R, u> at most, by which an error is measured.
  static constexpr double tolerance = 1e-12;

  /// Improves the guess u, which has no divergence and the walls' velocity. `scale` is <R, u>, or a guess from below;
  /// what the first residual has counts where that is more. `pressure`, which may be null, takes P times
  /// `pressure_factor`. Returns <R, u> of the correction. Throws Error where no number of iterations suffices.
  double solve(Cpu, const Equation&, const VaryingViscosity&, const FacePointers& u, double* pressure,
               double pressure_factor, double scale);

  std::int64_t solves() const { return solves_; }         ///< so far
  std::int64_t iterations() const { return iterations_; } ///< of them all

private:
  void precondition(Cpu, const Equation&, const spectral::RowSink* pressure);
  void take_gradient_out(Cpu, double factor);
  double apply(Cpu, const Equation&, const VaryingViscosity&);
  double product(Cpu, const FaceArrays& a, const FaceArrays& b) const;
  template <class F> double sum_of_own(Cpu, int d, F f) const; ///< of f(face of component d), of this rank's

  const Domain& domain_;
  FlowSolver& solver_;
  const Ghosts& ghosts_;
  FaceArrays residual_, direction_, other_; ///< other_: the preconditioned residual, then the operator's of the direction
  Array<double> potential_;                 ///< the first P, times the caller's factor
  std::int64_t solves_ = 0, iterations_ = 0;
};

} // namespace corral::fluid
