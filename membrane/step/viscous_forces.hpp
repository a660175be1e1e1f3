#pragma once

#include "membrane/step/mobility.hpp"

#include <cstdint>
#include <deque>

namespace corral::membrane {

/// The forces of the membranes' own viscosity in a step. They answer the velocity U of the markers in the middle of the step,
/// which they change, and are found together with it:
///   U = U_0 + M F,   F = -C U,
/// with U_0 the velocity without them, M what the fluid adds to it by forces (Mobility), and C that of
/// structure::set_viscous, where membranes are midway. So no step is too long for them, and the power that they take is
/// F . U to round-off. The force of the last velocity would swing ever wider where M C has an eigenvalue above 1: in Stokes
/// flow that is mu_s k > 2 mu, at any step.
///
/// M and C are symmetric without negative eigenvalues, so 1 + M C is so in the product u . C v, in which conjugate gradients
/// go on from the last velocity. An iteration is a pass over triangles and once M. The same bits for any number of threads,
/// and no state is kept.
template <Execution E> class ViscousForces {
public:
  /// Keeps references. Populations whose forces act elsewhere than at their markers have none. `largest` is the viscosity
  /// of the most viscous membrane [N s/m], beside which round-off is judged.
  ViscousForces(std::deque<structure::Population<E>>& populations, structure::MarkerMaps& maps, structure::Fluid<E>& fluid,
                double largest);

  /// Adds them to the forces of the populations, which hold all others, in a step of dt [s]. Membranes are sorted midway;
  /// their velocities are the first guess, and scratch. Throws Error where no number of iterations suffices.
  void add(E, double dt);

  double power() const { return power_; } ///< that they took in the middle of the last step [W]
  int maps() const { return maps_count_; }  ///< that the last call took: fields times calls
  double mean_iterations() const { return steps_ > 0 ? iterations_ / steps_ : 0; } ///< of a step
  /// Of squares of errors: what is left of the power at most, by which an error is measured.
  static constexpr double tolerance = 1e-12;

private:
  static MarkerVectors made() { return make_marker_vectors<E>(); }
  void begin(E, double dt);
  void resist(E, const MarkerVectors& velocity, MarkerVectors& force); ///< -C
  void respond(E, double dt);

  std::deque<structure::Population<E>>& populations_;
  structure::MarkerMaps& maps_;
  Mobility<E> mobility_;
  MarkerVectors given_ = made(), force_ = made(), velocity_ = made();  ///< all other forces, F, U
  MarkerVectors residual_ = made(), resisted_ = made();       ///< of U = U_0 + M F for the U of F = -C U; -C of it
  MarkerVectors direction_ = made(), pull_ = made(), answer_ = made(); ///< where U changes, -C of that, M of that
  double largest_; ///< [N s/m]
  double power_ = 0, steps_ = 0, iterations_ = 0;
  int maps_count_ = 0;
};

} // namespace corral::membrane
