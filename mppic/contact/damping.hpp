#pragma once

#include "mppic/case/setup.hpp"
#include "mppic/flow.hpp"
#include "mppic/gas/face_sums.hpp"

#include <array>
#include <cstdint>

namespace corral::mppic {

/// What dissipates between parcels, as one convex map of velocities over the cells: inelastic collisions (O'Rourke and
/// Snider 2010) and Coulomb's friction where contact acts,
///   x = dt (1/tau_D + 1/tau_F),  a = x/(2 + x),  u_p <- u_p (1 - sum_c S a) + sum_c S a ubar,
/// which keeps momentum for any a and can only take energy, for any time step.
class Damping {
public:
  Damping(const fluid::Domain& domain, const Setup& setup);

  void advance(Cpu, const FaceSums& sums, double dt, const Flow& flow);

  const Array<double>& a() const { return a_; }                          ///< [-]
  const std::array<Array<double>, 3>& a_mean() const { return a_mean_; } ///< a ubar [m/s]
  /// Friction's part of a and of a ubar, for the audit.
  void friction_part(Cpu, const FaceSums& sums, Array<double>& a, std::array<Array<double>, 3>& a_mean) const;
  std::int64_t bytes() const;

private:
  double collision_rate(double theta, double sigma, double radius) const;
  double friction_rate(double theta, double pi, double shear) const;

  const fluid::Domain& domain_;
  SolidsModel solids_;
  double h_;             ///< least spacing [m]; 0 where every axis is thin
  double slowest_shear_; ///< what slower shear counts as: 1e-3 sqrt(9.81 m/s2/h), so that a bed at rest has a rate [1/s]
  Array<double> a_, friction_share_;
  std::array<Array<double>, 3> a_mean_;
};

} // namespace corral::mppic
