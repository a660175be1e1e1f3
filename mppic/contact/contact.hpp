#pragma once

#include "fluid/faces.hpp"
#include "mppic/case/setup.hpp"
#include "mppic/contact/complementarity.hpp"
#include "mppic/flow.hpp"
#include "mppic/gas/face_sums.hpp"
#include "mppic/gas/gas.hpp"

#include <corral/host_device.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace corral::mppic::contact {

inline constexpr double dilute = 1e-3; ///< solids fraction below which nothing touches, and which every push moves [-]

/// How solids of several densities on a face share a push (docs/models/solids.md). M, Pm, L are those of SumsView; with one
/// density they are theta, P and theta, and everything here is 1 or 0.
struct Mixture {
  fluid::ConstFacePointers theta, M, Pm, L, N;
  bool blended; ///< contact pushes all alike, else each by its mass

  CORRAL_HOST_DEVICE bool several() const { return N[0] != nullptr; }
  /// s_m: what a push that changes the mean velocity by mass changes the flux by.
  CORRAL_HOST_DEVICE double s(std::size_t d, std::int64_t f) const {
    return blended ? theta[d][f] : M[d][f] * L[d][f] / theta[d][f];
  }
  /// How much easier than by solids of density rho the mean velocity by volume is changed: s_m rho/(rho_m theta).
  CORRAL_HOST_DEVICE double response(std::size_t d, std::int64_t f) const { return several() ? s(d, f) / M[d][f] : 1; }
  CORRAL_HOST_DEVICE bool empty(std::size_t d, std::int64_t f) const { return theta[d][f] <= 1e-9; }
  /// e_j [m/s], the velocity by mass that the gas expected contact to give; `push` is dt w.
  CORRAL_HOST_DEVICE double expected(std::size_t d, std::int64_t f, double push) const {
    return push * theta[d][f] / M[d][f];
  }
  /// X, the velocity by mass that contact gives beside what the gas expected of it and gave already; `du` is contact's, by
  /// volume.
  CORRAL_HOST_DEVICE double given(std::size_t d, std::int64_t f, double du, double push) const {
    if (empty(d, f)) return 0;
    return du * theta[d][f] / s(d, f) - (1 - Pm[d][f] / M[d][f]) * expected(d, f, push);
  }
  /// M (X + e_j): all of contact's momentum, over rho.
  CORRAL_HOST_DEVICE double momentum(std::size_t d, std::int64_t f, double du, double push) const {
    if (empty(d, f)) return 0;
    return M[d][f] * (given(d, f, du, push) + expected(d, f, push));
  }
  /// m = 1 - P/theta_f: what drag leaves of a push. A floor would let gas carry a resting bed of powder.
  CORRAL_HOST_DEVICE double mobility(std::size_t d, std::int64_t f) const {
    return empty(d, f) ? 1.0 : std::max(1 - Pm[d][f] / M[d][f], 1e-3) * response(d, f);
  }
  /// theta_m: what pushes count a face's solids with.
  CORRAL_HOST_DEVICE double pushed(std::size_t d, std::int64_t f) const {
    const double least = dilute; // a device takes no address of it
    return std::max(theta[d][f], least);
  }
};

/// What packed solids weigh in the gas [m/s2], over the density that mixtures are counted by: |g| |rho_m - rho|.
struct Weight {
  double all;         ///< of one density
  double g, gas;      ///< |g| [m/s2]; density of the gas, over rho
  Mixture mixture;
  CORRAL_HOST_DEVICE double operator()(int d, std::int64_t f) const {
    if (!mixture.several()) return all;
    const auto i = static_cast<std::size_t>(d);
    return mixture.empty(i, f) ? 0 : g * std::abs(mixture.M[i][f] / mixture.theta[i][f] - gas);
  }
};

} // namespace corral::mppic::contact

namespace corral::mppic {

/// Coulomb's friction of packed solids at rest. A pressure alone cannot hold a bed in which some faces carry more solids
/// than others: the heavy ones sink, the light ones rise, slowly and for ever. Where contact has stopped the mean motion
/// but for less than friction could stop, friction stops that, too. It holds solids to the box, as if every packed cell
/// were part of what rests on its floor, and so acts on no more than their weight. docs/models/contact.md.
class StaticFriction {
public:
  StaticFriction(const fluid::Domain& domain, const Setup& setup, StepScratch& scratch);

  /// Adds friction's part to contact's push du on faces [m/s], u_s the velocity before it, `solids` with their mobility; and
  /// follows with flow.friction_acceleration, which the gas is told of.
  template <Execution E>
  void hold(E, const fluid::FaceArrays& u_s, const contact::Mixture& solids, double dt, fluid::FaceArrays& du, Flow& flow);

  /// Share of what it hears of friction and contact that the gas answers in a step: where drag leaves next to nothing of a
  /// push, that push is as much larger, and answering it at once gas would carry what it has to stop in the next step.
  CORRAL_HOST_DEVICE static double answered(double mobility) {
    constexpr double firm = 0.1; // mobility from which on drag leaves enough of a push
    const double share = mobility / firm;
    return share < 1 ? share : 1;
  }

private:
  const fluid::Domain& domain_;
  StepScratch& scratch_;
  double coefficient_; ///< mu_c [-]
  double weight_;      ///< |g| (1 - rho/rho_p) [m/s2]
  Array<double> most_; ///< velocity that friction can stop, in cells [m/s]; while it holds
};

/// Contact as it acts on velocities: it only stops. The push du of the contact pressure pi is the smallest change of
/// the solids' mean velocity (in kinetic energy, drag's share m set aside) after which no cell is compressed beyond
/// what pi carries,
///   pi >= 0,  Z = dt div(u_s + du) + max(0, Theta_on(pi) - theta_a)/theta_c >= 0,  pi Z = 0,
///   du = -m dt grad pi/(rho_p theta_m),
/// so that it can take kinetic energy but not give any. Walls take part. docs/models/contact.md derives it.
class Contact {
public:
  Contact(const fluid::Domain& domain, const Setup& setup, StepScratch& scratch);

  // In this order.
  /// What the step does to the solids without contact: velocity, mobility and the law of contact's pressure.
  template <Execution E> void prepare(E, const FaceSums& sums, const Gas& gas, double dt, const Flow& flow);
  /// Contact's pressure.
  template <Execution E> void solve(E, Flow& flow);
  /// What pressure and friction push.
  template <Execution E> void apply(E, const FaceSums& sums, const Gas& gas, double dt, Flow& flow);
  /// What the gas of the next step is told of contact: the part of pi that contact at rest could carry. What is steeper
  /// is a collision or a correction and stays with the solids: told to the gas as if it lasted, it would push the
  /// mixture, which would drift, which would be corrected, and so on.
  template <Execution E> void remember(E, const FaceSums& sums, Gas& gas, Flow& flow);
  /// Gives back what displacement is the last to ask for.
  void give_back() { scratch_.fields.give_back(u_s_, du_); }

  // Parts of these; public, since nvcc takes the loops of no others.
  template <Execution E> void set_velocity(E, const FaceSums& sums, const Gas& gas, double dt);
  template <Execution E> void set_coefficients(E, const FaceSums& sums, double dt);
  template <Execution E> void set_law(E, const FaceSums& sums, const Gas& gas, double dt, const Flow& flow);
  template <Execution E> void set_push(E, const FaceSums& sums, const Gas& gas, double dt, const Flow& flow);
  template <Execution E> void set_floor_load(E, const FaceSums& sums, const Gas& gas, double dt);
  template <Execution E> void limit(E, const FaceSums& sums, const Flow& flow);
  /// From the push and what the gas expected of it: what parcels get as a velocity [m/s]; of several densities that are not
  /// blended as an impulse per solids volume [kg/(m2 s)].
  template <Execution E>
  void share_push(E, const FaceSums& sums, const Gas& gas, double dt, fluid::FaceArrays& shares) const;

  const fluid::FaceArrays& velocity() const { return u_s_; } ///< u_s, of the solids before contact [m/s]
  const fluid::FaceArrays& push() const { return du_; }      ///< du, of the mean velocity by volume [m/s]
  /// What contact and friction gave the solids of the columns above the floor's faces in the last step [Pa]; 0 where there is
  /// no floor. Of ranks that share planes each has what its own gave.
  const Array<double>& floor_load() const { return floor_load_; }
  const Complementarity::Report& report() const { return report_; }

private:
  void share_memory(Flow& flow) const;
  contact::Mixture mixture(const FaceSums& sums) const;
  contact::Weight weight(const FaceSums& sums) const { return {weight_, gravity_, gas_density_, mixture(sums)}; }

  const fluid::Domain& domain_;
  StepScratch& scratch_;
  SolidsModel solids_;
  bool blended_;
  double gravity_;      ///< its size [m/s2]
  double gas_density_;  ///< over that mixtures are counted by [-]
  double weight_;       ///< |g| (1 - rho/rho_p), where there is one density [m/s2]
  Complementarity complementarity_;
  StaticFriction friction_;
  fluid::FaceArrays u_s_, b_, du_; ///< b_: coefficients of the inequality's operator
  /// F_b: superficial flux [m/s] of the parcels' boxes before contact, whose divergence is what theta_c loses; until the law
  /// of contact's pressure has it.
  fluid::FaceArrays box_flux_;
  Array<double> floor_load_, compression_, advected_; ///< advected_: theta_a
  Array<double> limited_, next_; ///< limited_: pi_w, contact pressure as far as contact at rest could carry it [Pa]
  Complementarity::Report report_;
};

} // namespace corral::mppic
