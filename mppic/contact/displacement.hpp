#pragma once

#include "mppic/case/setup.hpp"
#include "mppic/contact/complementarity.hpp"
#include "mppic/contact/contact.hpp"
#include "mppic/contact/displacement_budget.hpp"
#include "mppic/flow.hpp"
#include "mppic/gas/face_sums.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace corral::mppic {

/// Positions apart from velocities: what is packed beyond its limit, denser than its load asks for, or uneven in ways
/// that cells cannot see, is moved without gaining speed. docs/models/displacement.md derives it.
class Displacement {
public:
  /// Its arrays lie in `memory`, where the parts of a step with E want them.
  Displacement(const fluid::Domain& domain, const Setup& setup, Memory memory = Memory::host);

  void bind_state(run::Registry& registry) { budget_.bind_state(registry); }

  // In this order. `carried` is what the parcels' own velocities carry over the faces in the step, by the kernel of boxes,
  // over a cell's volume [m]; `lost` the mechanical energy that they lose in it [J], without it the mean motion's.
  /// What is too much in each cell, and what may flow off.
  template <Execution E>
  void foresee(E, const FaceSums& sums, const Gas& gas, const Contact& contact, const fluid::FaceArrays& carried,
               double dt, Flow& flow, std::optional<double> lost = {});
  /// psi, the potential of room's displacement.
  void solve(Cpu, Flow& flow);
  /// From psi to displacements that can be paid for.
  template <Execution E>
  void give_way(E, const FaceSums& sums, const Contact& contact, const fluid::FaceArrays& carried, double dt,
                Flow& flow);

  const fluid::FaceArrays& shift() const { return dx_; } ///< dx on faces, for the kernel of boxes [m]
  const std::array<Array<double>, 3>& spacing() const { return spacing_; } ///< s in cells, against ripples [m]
  const Complementarity::Report& report() const { return report_; }
  double paid() const { return paid_; } ///< share of the displacement that the step could pay for [-]
  std::int64_t bytes() const;

  // Parts of these; public, since nvcc takes the loops of no others.
  template <Execution E> void remember_misses(E, const Flow& flow);
  template <Execution E>
  void predict(E, const Contact& contact, const fluid::FaceArrays& carried, double dt, Flow& flow);
  template <Execution E> void even_out(E, const FaceSums& sums, double dt, Flow& flow);
  template <Execution E> void foresee_spacing(E, const FaceSums& sums, Flow& flow);
  template <Execution E>
  void set_room(E, const FaceSums& sums, double dt, const Flow& flow);
  template <Execution E> void set_mobility(E, const FaceSums& sums, const Flow& flow);
  template <Execution E>
  void follow_potential(E, const FaceSums& sums, const Contact& contact, double dt, const Flow& flow);
  template <Execution E> void disperse(E, const FaceSums& sums, double dt, const Flow& flow);
  template <Execution E> void scale(E, double rising, double others);
  template <Execution E> void add_drift(E, const FaceSums& sums, double drift, Flow& flow);
  template <Execution E, class Flux> void subtract_divergence(E, Array<double>& theta, const Flux& flux);

private:
  const fluid::Domain& domain_;
  SolidsModel solids_;
  std::array<double, 3> gravity_; ///< [m/s2]
  double give_;                   ///< k_0 of the law of room [1/m2]
  double release_time_;           ///< t_r, in which excess is worked off [s]
  Complementarity complementarity_;
  DisplacementBudget budget_;
  fluid::FaceArrays b_, dx_; ///< b_ holds mobilities, then the drift
  std::array<Array<double>, 3> spacing_;
  Array<double> room_, missed_; ///< missed_: of theta_c, by the last prediction
  double paid_ = 1;
  Complementarity::Report report_;
};

} // namespace corral::mppic
