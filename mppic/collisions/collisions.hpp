#pragma once

#include "mppic/case/setup.hpp"
#include "mppic/flow.hpp"
#include "mppic/gas/face_sums.hpp"
#include "mppic/parcels/move.hpp"
#include "mppic/step_scratch.hpp"
#include "mppic/parcels/parcels.hpp"
#include "run/random.hpp"

#include <corral/boxes.hpp>
#include <corral/cell_order.hpp>
#include <corral/host_device.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>

namespace corral::mppic {

/// Rates [1/s] at which particles that collide lose their fluctuations (O'Rourke and Snider 2010) and share them among
/// the directions (O'Rourke and Snider 2012), with velocities in equilibrium, from sigma^2 = mean |u - ubar|^2, or far
/// from it, from the frequency nu = sum n_p nu_p^2/sum n_p nu_p of `approach`. Of hard spheres they are Haff's rate and
/// that of pressure over viscosity.
struct CollisionRates {
  double theta_cp;    ///< close packing [-]
  double restitution; ///< e, the share of their relative velocity that particles keep, where solids have one [-]

  explicit CollisionRates(const SolidsModel& solids) : theta_cp(solids.stress.theta_cp), restitution(solids.restitution) {}

  /// g_0: how much more often particles meet for the room that others take.
  CORRAL_HOST_DEVICE double crowding(double theta) const {
    return std::min(1000.0, theta_cp / std::max(theta_cp - theta, 1e-3 * theta_cp));
  }
  /// 1/t_D in equilibrium and far from it, then 1/t_G likewise; `radius` is r_32.
  CORRAL_HOST_DEVICE double collision(double e, double theta, double sigma, double radius) const {
    const double eta = 0.5 * (1 + e);
    return 16 / std::sqrt(3 * std::numbers::pi) * theta * sigma / radius * crowding(theta) * eta * (1 - eta);
  }
  CORRAL_HOST_DEVICE double collision_far(double e, double theta, double nu) const {
    const double eta = 0.5 * (1 + e);
    return 8 * std::numbers::sqrt2 / (3 * std::numbers::pi) * nu * crowding(theta) * eta * (1 - eta);
  }
  CORRAL_HOST_DEVICE double isotropy(double e, double theta, double sigma, double radius) const {
    const double eta = 0.5 * (1 + e);
    return 48 / (5 * std::sqrt(3 * std::numbers::pi)) * theta * sigma / radius * crowding(theta) * eta * (2 - eta);
  }
  CORRAL_HOST_DEVICE double isotropy_far(double e, double theta, double nu) const {
    const double eta = 0.5 * (1 + e);
    return 8 * std::numbers::sqrt2 / (5 * std::numbers::pi) * nu * crowding(theta) * eta * (2 - eta);
  }
  /// nu_p r_32^3/theta of a particle of radius r whose velocity differs by `slip` from the mean [m3/s].
  CORRAL_HOST_DEVICE static double approach(double r, double r32, double slip) { return (r + r32) * (r + r32) * slip; }
};

/// How often particles meet whose velocities are far from equilibrium, jets that cross for instance (O'Rourke and Snider
/// 2010): in cells
///   nu = sum n_p nu_p^2/sum n_p nu_p,   nu_p = theta_c/r_32^3 (d/2 + r_32)^2 |u_p - ubar|,
/// sums over parcels of n_p particles by the trilinear kernel, with ubar and r_32 interpolated to them. Two more passes.
/// Members call nu `f`.
class FarCollisions {
public:
  FarCollisions(const fluid::Domain& domain, StepScratch& scratch) : domain_(domain), scratch_(scratch) {}

  /// The order must be the parcels' storage order, and `sums` theirs.
  template <Execution E>
  void advance(E, const CellOrder<double>& order, const Parcels& parcels, const FaceSums& sums, const Flow& flow);

  const Array<double>& frequency() const { return f_; } ///< nu [1/s]; 0 in empty cells
  void give_back() { scratch_.fields.give_back(f_); }
  static constexpr int maps = 6;                        ///< fields spread and interpolated

private:
  const fluid::Domain& domain_;
  StepScratch& scratch_;
  Array<double> f_, first_;                         ///< in cells; the sums of n_p nu_p^2 and n_p nu_p on the way
  std::array<Array<double>, 3> mean_at_;            ///< ubar at the parcels [m/s]
  Array<double> radius_at_, first_of_, second_of_;  ///< r_32 at the parcels [m]; of each n_p nu_p, n_p nu_p^2 but for the cell's
};

/// Return to isotropy (O'Rourke and Snider 2012): collisions turn velocities about, and so share their fluctuations among
/// the directions. Within each group of the step's order, the parcels between eight cells' centres, a parcel is chosen
/// with probability 1 - exp(-dt/t_G), and its fluctuation about the smooth mean velocity becomes a normal one of the
/// group's temperature; then all fluctuations of the group are shifted and scaled by what gives it its momentum and
/// energy back, to round-off. Groups of fewer than three parcels are left alone. Random numbers are the parcel's own, of
/// its number and the step.
class Isotropy {
public:
  Isotropy(const fluid::Domain& domain, const Setup& setup, StepScratch& scratch);

  /// What was lost or gained for round-off, of the worst group.
  struct Report {
    double momentum = 0; ///< |change|/sum before and after, of mass times root mean square of the velocities [-]
    double energy = 0;   ///< |change|/sum before and after [-]
  };
  /// After velocities have been advanced; the slip of `motion` follows what it changes. The order must be the parcels'
  /// storage order.
  template <Execution E>
  Report advance(E, const CellOrder<double>& order, const Parcels& parcels, const FaceSums& sums, const Flow& flow,
                 const Motion& motion, std::int64_t step);

private:
  const fluid::Domain& domain_;
  StepScratch& scratch_;
  CollisionRates rates_;
  bool far_;
  run::Random random_;
  Array<double> momentum_, energy_; ///< of the groups: what Report has the largest of
};

/// What a case asks for of collisions beside damping at the rate of equilibrium. What it does not ask for does nothing
/// and takes no memory.
class Collisions {
public:
  Collisions(const fluid::Domain& domain, const Setup& setup, StepScratch& scratch) {
    if (setup.solids.frozen) return;
    if (setup.collisions.far) far_.emplace(domain, scratch);
    if (setup.collisions.isotropy) isotropy_.emplace(domain, setup, scratch);
  }

  /// What damping takes for a rate; null where that is the one of equilibrium.
  template <Execution E>
  const Array<double>* frequency(E execution, const CellOrder<double>& order, const Parcels& parcels,
                                 const FaceSums& sums, const Flow& flow) {
    if (!far_) return nullptr;
    far_->advance(execution, order, parcels, sums, flow);
    return &far_->frequency();
  }

  /// Damping has it.
  void give_back_frequency() {
    if (far_) far_->give_back();
  }

  /// After velocities have been advanced, return to isotropy.
  template <Execution E>
  Isotropy::Report return_to_isotropy(E execution, const CellOrder<double>& order, const Parcels& parcels,
                                      const FaceSums& sums, const Flow& flow, const Motion& motion,
                                      std::int64_t step) {
    return isotropy_ ? isotropy_->advance(execution, order, parcels, sums, flow, motion, step)
                     : Isotropy::Report{};
  }

  int maps() const { return far_ ? FarCollisions::maps : 0; }

private:
  std::optional<FarCollisions> far_;
  std::optional<Isotropy> isotropy_;
};

} // namespace corral::mppic
