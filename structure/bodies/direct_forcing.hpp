#pragma once

#include "structure/bodies/body_points.hpp"
#include "structure/bodies/pair_volumes.hpp"
#include "structure/bodies/point_sums.hpp"
#include "structure/bodies/point_volumes.hpp"
#include "structure/fluids/fluid.hpp"
#include "structure/markers/marker_maps.hpp"
#include "structure/surfaces/stresslet.hpp"

#include <corral/staged.hpp>

#include <array>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace corral::structure {

/// Sums over a body's points of what `push` would add, F = c (u - U - w x r) by components: the numbers of a Coupling.
struct CouplingSums {
  double strength[3], turning[3][3], second[6]; ///< of c [kg/s], of c r x e along each axis e, and of c (r x e)(r x e)
  double force[3], torque[3];                   ///< of c u and of the forces so far, on the body
};
/// On the body, and what its forces add to the stress.
struct LoadSums {
  double force[3], torque[3];
  Stresslet stresslet;
};

/// Direct forcing: forces at the points of rigid bodies that give the fluid the bodies' velocity there, where a step's forces
/// and velocities meet (Fluid::middle). A force acts for half a step until then:
///   F_n = 2 rho/dt (U_d - U) eps_n h^3,   u changes by (dt/2) F/rho,
/// U the velocity without it, interpolated, and eps_n h^3 the volume that the point stands for (PointVolumes). One pass leaves
/// the slip that spread and interpolate leave of a velocity that varies from point to point, and what pressure makes of the
/// force. 2 is 1/acts, `acts` the share of the step in which a force acts until then; forces of two_pass are for all of it
/// (docs/bodies.md). Further passes add the force of what slip is left (multi-direct forcing: Luo, Wang, Fan and Cen 2007), each with a
/// share of what the one before added (Polyak's heavy ball), and begin with the forces of the last step.
///
/// Points and fields lie where E works; of a device sums over the points of each body come to the host.
template <Execution E> class DirectForcing {
public:
  using Volumes = std::conditional_t<std::same_as<E, Cpu>, PointVolumes, PairVolumes>;

  /// Keeps references. `density` is the fluid's [kg/m3]. All bodies are in `points`; `own` has the places of each one's points in
  /// its own frame [m], and is looked at here alone. Ranks that share the domain have all points each, and calls are collective.
  DirectForcing(const fluid::Domain& domain, BodyPoints<E>& points, std::span<const std::span<const geometry::Vector>> own, MarkerMaps& maps,
                const std::string& kernel, Fluid<E>& fluid, double density, double acts);

  void bind_state(run::Registry& registry) { volumes_.bind_state(registry); }

  /// Of a run that goes on: whether it has found volumes before.
  void restored(bool found) { found_ = found; }
  /// After points were placed and sorted. `moved`: others than in the step before.
  void find_volumes(E, bool moved);
  /// Begins a step, after points were placed and sorted.
  void begin(E);
  /// Of a step that has begun: none, or, `go_on`, those of the last one.
  void first_forces(E, bool go_on);
  /// Finds the velocity that the fluid has at the points under the forces so far, in a step of dt [s].
  void look(E, double dt);
  /// Of these bodies: of the forces so far and of those that `push` would add. Good until the next call. Waits for a device.
  std::span<const Coupling> couplings(E, std::span<const std::int64_t> bodies, double dt);
  /// How far, after `look`, the fluid's velocity misses that of the points, at most [m/s].
  double slip(E) const;
  /// Adds to the fluid's forces those that make the fluid's velocity the points', as far as one pass can. `further`: after
  /// others in this step.
  void push(E, double dt, bool further);

  /// Sums up all forces so far. A device does that while others go on.
  void find_loads(E);
  /// What they came to, by the fluid on each body. Waits for a device.
  std::span<const BodyLoad> loads(E);
  /// sum += what forces of the last step add to the stress, after `loads`.
  void add_stresslet(Stresslet& sum) const;

private:
  void follow(E);
  void spread(E, const ConstPoints& forces);
  double strength(double dt) const { return density_ / (acts_ * dt) * grid_.cell_volume(); } ///< of a point of one cell [kg/s]
  Coupling coupling(std::int64_t body, double dt) const;
  BodyLoad load(std::int64_t body) const;

  static constexpr Memory memory = memory_for<E>;

  Grid grid_;
  BodyPoints<E>& points_;
  MarkerMaps& maps_;
  Fluid<E>& fluid_;
  double density_, acts_;
  int support_;
  Volumes volumes_;
  bool found_ = false, pushed_ = false; ///< pushed_: whether a band has forces of this step
  VectorField field_{}; ///< of forces, in this step
  std::array<Array<double>, 3> seen_, added_; ///< the fluid's velocity at the points [m/s], forces of a pass [N]
  std::vector<Coupling> couplings_;
  std::vector<BodyLoad> loads_;
  // Of a device.
  PointSums sums_;
  Staged<CouplingSums> coupling_sums_;
  Staged<LoadSums> load_sums_;
  Arrival loads_arrive_;
};

} // namespace corral::structure
