#pragma once

#include "fluid/domain.hpp"
#include "fluid/faces.hpp"
#include "fluid/ghosts.hpp"
#include "fluid/spectral/box_layout.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>
#include <corral/memory.hpp>

#include <cstdint>
#include <functional>

namespace corral::fluid {

/// (mass - factor div 2 mu D) u + grad P = R, div u = 0 with a viscosity that varies: conjugate gradients on velocities
/// without divergence, preconditioned by the exact solution for one viscosity mu0. As (mass + factor mu k^2) over the same
/// of mu0 lies between 1 and mu/mu0, the number of iterations depends on the ratio of viscosities, and neither on the
/// grid nor on the step. The same bits for any number of threads. Where ranks share the box products are sums over them.
/// Fields lie where E works; a device is waited for twice an iteration.
///
/// The first P is taken out of the residual: what balances pressure may be 1e4 times what moves the fluid, and its round-off
/// would hide what iterations leave.
template <Execution E> class VaryingSolver {
public:
  struct Equation {
    double mass = 0;   ///< [-]
    double factor = 1; ///< of the viscous force
    double mu0 = 0;    ///< [Pa s]
    bool keep_mean = true; ///< where the box wraps
  };
  /// Of cells: `to` = before + factor P, where `before` may be null; nothing where `to` is.
  struct Potential {
    double* to = nullptr;
    const double* before = nullptr;
    double factor = 1;
  };
  /// Solves the equation for mu0 alone.
  using ForOneViscosity = std::function<void(const Equation&, const ConstFacePointers& R, const FacePointers& u, const Potential&)>;
  /// Sets div 2 mu D(u) on faces that are not on walls, which rest.
  using ViscousForce = std::function<void(const ConstFacePointers& u, const FacePointers& force)>;

  /// Keeps references to the domain, the layout and what ranks have beside, which a device has not: null.
  VaryingSolver(const Domain&, const spectral::BoxLayout&, const Ghosts*, ForOneViscosity);

  /// Where `solve` finds R - (mass - factor div 2 mu D) u of the first guess u: to be set before, on walls 0.
  FacePointers residual() { return writable_pointers(residual_); }
  /// Of squares of errors: what is left of <R, u> at most, by which an error is measured.
  static constexpr double tolerance = 1e-12;

  /// Improves the guess u, which has no divergence and the walls' velocity. `scale` is <R, u>, or a guess from below;
  /// what the first residual has counts where that is more. `pressure`, which may be null, takes P times
  /// `pressure_factor`. Returns <R, u> of the correction. Throws Error where no number of iterations suffices.
  double solve(E, const Equation&, const ViscousForce&, const FacePointers& u, double* pressure, double pressure_factor, double scale);

  std::int64_t solves() const { return solves_; }         ///< so far
  std::int64_t iterations() const { return iterations_; } ///< of them all

private:
  static constexpr Memory memory = memory_for<E>;

  void take_gradient_out(E, double factor);
  double apply(E, const Equation&, const ViscousForce&);
  double product(E, const FaceArrays& a, const FaceArrays& b) const;
  template <class F> double sum_of_own(Cpu, int d, F f) const; ///< of f(face of component d), of this rank's

  const Domain& domain_;
  const spectral::BoxLayout& layout_;
  const Ghosts* ghosts_;
  ForOneViscosity for_one_;
  FaceArrays residual_, direction_, other_; ///< other_: the preconditioned residual, then the operator's of the direction
  Array<double> potential_;                 ///< the first P, times the caller's factor
  std::int64_t solves_ = 0, iterations_ = 0;
};

/// residual -= factor grad P on faces that are not on walls, of which P has good ghosts.
void subtract_gradient(Cpu, const Domain&, double factor, const double* P, const FacePointers& residual);
void subtract_gradient(Gpu, const Domain&, double factor, const double* P, const FacePointers& residual);

} // namespace corral::fluid
