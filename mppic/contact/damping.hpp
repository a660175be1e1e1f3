#pragma once

#include "mppic/case/setup.hpp"
#include "mppic/collisions/collisions.hpp"
#include "mppic/flow.hpp"
#include "mppic/gas/face_sums.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace corral::mppic {

/// Rates [1/s] at which collisions and friction take part.
struct DampingRates : CollisionRates {
  DampingRates(const Grid& grid, const SolidsModel& solids);

  /// 1/t_F: Coulomb's friction mu_c pi, shared by the shear rate gamma, is the viscosity mu_c pi/(rho_p theta gamma), which
  /// this map has as h_min^2/(12 t_F). `density`: of the cell's solids, over rho_p.
  CORRAL_HOST_DEVICE double friction(double theta, double pi, double shear, double density = 1) const {
    if (h <= 0 || pi <= 0) return 0;
    return 12 * coefficient * pi / (rho_p * density * theta * std::max(shear, slowest_shear) * h * h);
  }

  double coefficient, rho_p; ///< mu_c [-]; [kg/m3]
  double h;                  ///< h_min, least spacing [m]; 0 where every axis is thin
  double slowest_shear;      ///< what slower shear counts as: 1e-3 sqrt(9.81 m/s2/h), so that a bed at rest has a rate [1/s]
};

/// What dissipates between parcels, as one convex map of velocities over the cells: inelastic collisions (O'Rourke and
/// Snider 2010) and Coulomb's friction where contact acts,
///   x_D = dt (1/t_D + 1/t_F),  alpha = x_D/(2 + x_D),  delta = sum_c S alpha ubar - u_p sum_c S alpha,
/// which keeps momentum for any alpha and can only take energy, for any time step: part 6b of docs/models.md. Members call
/// alpha `a`.
class Damping {
public:
  Damping(const fluid::Domain& domain, const Setup& setup, StepScratch& scratch);

  /// `frequency` is nu of FarCollisions where velocities count as far from equilibrium; without it they are in it.
  template <Execution E>
  void advance(E, const FaceSums& sums, double dt, const Flow& flow, const Array<double>* frequency = nullptr);

  const Array<double>& a() const { return a_; }                          ///< alpha [-]
  const std::array<Array<double>, 3>& a_mean() const { return a_mean_; } ///< alpha ubar [m/s]
  /// Friction's part of alpha and of alpha ubar, for the audit.
  template <Execution E> void friction_part(E, const FaceSums& sums, Array<double>& a, std::array<Array<double>, 3>& a_mean) const;

  /// Parcels have it.
  void give_back() { scratch_.fields.give_back(a_, friction_share_, a_mean_); }

private:
  StepScratch& scratch_;
  DampingRates rates_;
  bool collisions_; ///< take part
  bool audited_;    ///< friction's share is asked for
  Array<double> a_, friction_share_;
  std::array<Array<double>, 3> a_mean_;
};

} // namespace corral::mppic
