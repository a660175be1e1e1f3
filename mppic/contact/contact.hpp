#pragma once

#include "mppic/case/setup.hpp"
#include "mppic/contact/complementarity.hpp"
#include "mppic/solids/mixture.hpp"
#include "mppic/contact/static_friction.hpp"
#include "mppic/flow.hpp"
#include "mppic/gas/face_sums.hpp"
#include "mppic/gas/gas.hpp"

#include <array>
#include <cstdint>

namespace corral::mppic {

/// Contact as it acts on velocities: it only stops. The push du of the contact pressure pi is the smallest change of
/// the solids' mean velocity (in kinetic energy, drag's share m set aside) after which no cell is compressed beyond
/// what pi carries,
///   pi >= 0,  Z = dt div(u_s + du) + max(0, Theta_on(pi) - theta_a)/theta_c >= 0,  pi Z = 0,
///   du = -m dt grad pi/(rho_p theta_m),
/// so that it can take kinetic energy but not give any. Walls take part. docs/models/contact.md derives it.
class Contact {
public:
  /// Its arrays lie in `memory`, where the parts of a step with E want them.
  Contact(const fluid::Domain& domain, const Setup& setup, Memory memory = Memory::host);

  // In this order.
  /// What the step does to the solids without contact: velocity, mobility and the law of contact's pressure.
  template <Execution E> void prepare(E, const FaceSums& sums, const Gas& gas, double dt, const Flow& flow);
  /// Contact's pressure.
  void solve(Cpu, Flow& flow);
  /// What pressure and friction push.
  template <Execution E> void apply(E, const FaceSums& sums, const Gas& gas, double dt, Flow& flow);
  /// What the gas of the next step is told of contact: the part of pi that contact at rest could carry. What is steeper
  /// is a collision or a correction and stays with the solids: told to the gas as if it lasted, it would push the
  /// mixture, which would drift, which would be corrected, and so on.
  template <Execution E> void remember(E, const Gas& gas, Flow& flow);

  // Parts of these; public, since nvcc takes the loops of no others.
  template <Execution E> void set_velocity(E, const FaceSums& sums, const Gas& gas, double dt);
  template <Execution E> void set_mobility(E, const FaceSums& sums, double dt);
  template <Execution E> void set_law(E, const FaceSums& sums, const Gas& gas, double dt, const Flow& flow);
  template <Execution E> void set_push(E, const Gas& gas, double dt, const Flow& flow);
  template <Execution E> void set_floor_load(E, const FaceSums& sums, const Gas& gas, double dt);
  template <Execution E> void limit(E, const Flow& flow);
  template <Execution E> void weigh(E, const contact::Mixture& mixture);
  /// From the push and what the gas expected of it: what parcels get as a velocity [m/s]; of several densities that are not
  /// blended as an impulse per solids volume [kg/(m2 s)].
  template <Execution E>
  void share_push(E, const FaceSums& sums, const Gas& gas, double dt, fluid::FaceArrays& shares) const;

  const fluid::FaceArrays& velocity() const { return u_s_; } ///< u_s, of the solids before contact [m/s]
  const fluid::FaceArrays& push() const { return du_; }      ///< du, of the mean velocity by volume [m/s]
  /// C: share of theta_cp that a packed cell maps to where it lies at a surface, at the step's begin; 1 elsewhere.
  const Array<double>& coverage() const { return coverage_; }
  /// F_b: superficial flux [m/s] of the parcels' boxes before contact: its divergence is what theta_c loses.
  const fluid::FaceArrays& box_flux() const { return box_flux_; }
  /// What contact and friction gave the solids of the column above face f of the floor in the last step [Pa]; 0 where
  /// there is no floor.
  double floor_load(std::int64_t f) const { return floor_load_[f]; }
  const Complementarity::Report& report() const { return report_; }
  std::int64_t bytes() const;

private:
  contact::Mixture mixture(const FaceSums& sums) const;
  contact::Weight weight_on_faces() const { return {weight_, fluid::pointers(weights_)}; }

  const fluid::Domain& domain_;
  SolidsModel solids_;
  bool blended_;
  double gravity_;      ///< its size [m/s2]
  double gas_density_;  ///< over that mixtures are counted by [-]
  double weight_;       ///< |g| (1 - rho/rho_p), where there is one density [m/s2]
  fluid::FaceArrays weights_; ///< where there are several
  Complementarity complementarity_;
  StaticFriction friction_;
  fluid::FaceArrays u_s_, box_flux_, m_, t_, b_, du_; ///< t_: theta_m; b_: coefficients of the inequality's operator
  Array<double> floor_load_, compression_, advected_, next_, coverage_; ///< advected_: theta_a; coverage_: C
  Array<double> limited_; ///< pi_w, contact pressure as far as contact at rest could carry it [Pa]
  Complementarity::Report report_;
};

} // namespace corral::mppic
