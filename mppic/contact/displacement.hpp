#pragma once

#include "mppic/case/setup.hpp"
#include "mppic/contact/complementarity.hpp"
#include "mppic/contact/contact.hpp"
#include "mppic/flow.hpp"
#include "mppic/gas/face_sums.hpp"
#include "mppic/gas/gas.hpp"
#include "run/state/registry.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace corral::mppic {

/// Potential energy that displacement changes, in the gas [m2/s2].
struct Lift {
  double up = 0;   ///< what rises takes
  double down = 0; ///< what sinks gives; never positive
  double sum() const { return up + down; }
};

/// The same of what faces and what cells are displaced by.
struct Lifts {
  Lift faces;
  double cells = 0; ///< [m2/s2]
};

/// -g (1 - rho/rho_p) of what lies on the faces of an axis [m/s2]; of several densities times rho_m/rho_p, rho_p that by
/// which mixtures are counted.
struct PullOnFaces {
  double all;             ///< where there is one density
  double g, gas;          ///< [m/s2]; density of the gas over rho_p [-]
  const double *theta, *M; ///< solids fraction, by volume and by mass; null where there is one density

  CORRAL_HOST_DEVICE double mass(std::int64_t f) const { return M && theta[f] > 1e-9 ? M[f] / theta[f] : 1; }
  CORRAL_HOST_DEVICE double operator()(std::int64_t f) const { return M ? -g * (mass(f) - gas) : all; }
};

/// The energy that displacement may use. It gives no speed, but it can lift, and a bed that is lifted falls again: so it
/// lifts by no more than what the mean motion of the solids and the gas have lost to heat, and a little of what was lost
/// before. No energy is made then, creep that the maps cause is undone, and the bed never raised. Energies are over rho_p
/// and a cell's volume [m2/s2]; docs/models/displacement.md has the sums.
class DisplacementBudget {
public:
  DisplacementBudget(const fluid::Domain& domain, const Setup& setup);

  /// What is left from one step to the next.
  void bind_state(run::Registry& registry) {
    registry.bind("displacement_account", "m2/s2",
                  "energy that the solids lost and displacement has not used yet, over rho_p and a cell's volume",
                  account_);
  }

  // Where ranks share planes, values of their own are read here and in what follows.
  /// Opens the books of a step. `lost`: mechanical energy of the parcels that it loses [J]; where it is not given, that of
  /// their mean motion is.
  template <Execution E>
  void weigh(E, const fluid::Planes&, const FaceSums& sums, const Gas& gas, const Contact& contact, double dt,
             std::optional<double> lost = {});

  double g() const { return g_; }           ///< |g| [m/s2]
  double height() const { return height_; } ///< h_g: of a cell, along the axis that gravity is steepest on [m]

  /// How far gas that is blown through carries the solids: 0 in gas at rest, 1 where it lifts them.
  double blown(double dt) const;
  /// The same, or how far contact stops them: what is lifted or has just been hit comes to lie anew.
  double loosened(double dt) const;

  /// What dx on faces and s in cells give to what lies there.
  template <Execution E>
  Lifts lift(E, const fluid::Planes&, const fluid::FaceArrays& face_theta, const fluid::FaceArrays& dx, const Array<double>& theta,
             const std::array<Array<double>, 3>& s) const;
  /// Of the lift of faces the shares `owed` of what was not `paid` for [J].
  template <Execution E>
  double given(E, const fluid::Planes&, const fluid::FaceArrays& theta, const fluid::FaceArrays& dx, const fluid::FaceArrays& owed,
               double paid) const;

  /// What a displacement along each axis is multiplied by to be a lift [m/s2]: where the product is positive, it lifts.
  const std::array<double, 3>& pull() const { return pull_; }
  /// The same of what lies on each face along axis d.
  PullOnFaces pull_on_faces(std::size_t d) const {
    return {pull_[d], gravity_[d], rho_ / rho_p_, theta_[d], M_[d]};
  }

  /// The share of `up` that can be paid for, by what sinks and by what was lost. What sinks takes that share, too, and
  /// `freely` of the rest. Room comes first.
  double pay_for_room(const Lift& lift, double freely);
  /// The share of all of it that can be paid for by what room has left.
  double pay_for_drift(double lift) const;

private:
  void close_books(double solids);
  Lifts lifts_of(const double* sums) const;
  double share_of_heat(double part, double dt) const;

  Grid grid_;
  double rho_, rho_p_;          ///< of the gas and of particles [kg/m3]
  std::array<double, 3> gravity_, pull_; ///< g, and -g (1 - rho/rho_p) [m/s2]
  double g_ = 0;                         ///< |g| [m/s2]
  fluid::ConstFacePointers theta_{}, M_{}; ///< of the step's sums, where there are several densities
  const double* density_ = nullptr;        ///< of the cells' solids over rho_p, likewise
  double height_;                        ///< of a cell, along gravity [m]
  double lost_ = 0;             ///< by the solids, falling and kinetic
  double stopped_ = 0;          ///< what contact took of that
  double heat_ = 0;             ///< what drag made heat of
  double supply_ = 0;           ///< what blown-in gas supplied
  double left_ = 0;             ///< what room has left of the step's; below 0 what it drew from the account
  double account_ = 0;          ///< what was lost before and has not lifted anything yet
  double weight_ = 0;           ///< of all solids in the gas: a lift over a length [m/s2]
};

/// Positions apart from velocities: what is packed beyond its limit, denser than its load asks for, or uneven in ways
/// that cells cannot see, is moved without gaining speed. docs/models/displacement.md derives it.
class Displacement {
public:
  Displacement(const fluid::Domain& domain, const Setup& setup, StepScratch& scratch);

  void bind_state(run::Registry& registry) { budget_.bind_state(registry); }

  // In this order. `carried` is what the parcels' own velocities carry over the faces in the step, by the kernel of boxes,
  // over a cell's volume [m]; `lost` the mechanical energy that they lose in it [J], without it the mean motion's.
  /// What is too much in each cell, and what may flow off.
  template <Execution E>
  void foresee(E, const FaceSums& sums, const Gas& gas, const Contact& contact, const fluid::FaceArrays& carried,
               double dt, Flow& flow, std::optional<double> lost = {});
  /// psi, the potential of room's displacement.
  template <Execution E> void solve(E, Flow& flow);
  /// From psi to displacements that can be paid for.
  template <Execution E>
  void give_way(E, const FaceSums& sums, const Gas& gas, const Contact& contact, const fluid::FaceArrays& carried,
                double dt, Flow& flow);

  /// Parcels have been displaced.
  void give_back() { scratch_.fields.give_back(dx_, spacing_); }

  const fluid::FaceArrays& shift() const { return dx_; } ///< dx on faces, for the kernel of boxes [m]
  const std::array<Array<double>, 3>& spacing() const { return spacing_; } ///< s in cells, against ripples [m]
  const Complementarity::Report& report() const { return report_; }
  double paid() const { return paid_; } ///< share of the displacement that the step could pay for [-]
  double given() const { return given_; } ///< energy that lifted what was overfull though nothing paid for it [J]

  // Parts of these; public, since nvcc takes the loops of no others.
  template <Execution E> void remember_misses(E, const Flow& flow);
  template <Execution E> void predict(E, const Gas& gas, const fluid::FaceArrays& carried, double dt, Flow& flow);
  template <Execution E> void even_out(E, const FaceSums& sums, double dt, Flow& flow);
  template <Execution E>
  void foresee_spacing(E, const FaceSums& sums, std::array<Array<double>, 3>& spacings, Flow& flow);
  template <Execution E>
  void set_room(E, const FaceSums& sums, double dt, const Flow& flow);
  template <Execution E> void set_mobility(E, const FaceSums& sums, const Flow& flow);
  template <Execution E>
  void follow_potential(E, const FaceSums& sums, const Contact& contact, double dt, const Flow& flow);
  template <Execution E> void disperse(E, const FaceSums& sums, double dt, const Flow& flow);
  template <Execution E> void disperse_unseen(E, const FaceSums& sums, double dt, const Flow& flow);
  template <Execution E> void find_owed(E, const Flow& flow);
  template <Execution E> void scale(E, double rising, double others);
  template <Execution E> void add_drift(E, const FaceSums& sums, double drift, Flow& flow);
  template <Execution E, class Flux> void subtract_divergence(E, Array<double>& theta, const Flux& flux);

private:
  const fluid::Planes& planes() const { return scratch_.planes(); } ///< those that passes find, and what they add up
  void deliver(Flow& flow);

  const fluid::Domain& domain_;
  StepScratch& scratch_;
  SolidsModel solids_;
  std::array<double, 3> gravity_; ///< [m/s2]
  double give_;                   ///< k_0 of the law of room [1/m2]
  double gas_density_;            ///< [kg/m3]
  double density_range_;          ///< of the solids: of the heaviest less that of the lightest [kg/m3]
  double release_time_;           ///< t_r, in which excess is worked off [s]
  Complementarity complementarity_;
  DisplacementBudget budget_;
  fluid::FaceArrays b_, dx_; ///< b_ holds mobilities, then what is owed, then the drift
  std::array<Array<double>, 3> spacing_, unseen_; ///< unseen_: of the drift that faces alone show
  Array<double> room_, missed_; ///< room_: of the inequality; missed_: of theta_c, by the last prediction
  double paid_ = 1, given_ = 0;
  Complementarity::Report report_;
};

} // namespace corral::mppic
