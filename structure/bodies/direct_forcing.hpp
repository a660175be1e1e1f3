#pragma once

#include "structure/bodies/body_points.hpp"
#include "structure/bodies/point_volumes.hpp"
#include "structure/fluids/fluid.hpp"
#include "structure/markers/marker_maps.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace corral::structure {

/// Direct forcing: forces at the points of rigid bodies that give the fluid the bodies' velocity there, where a step's forces
/// and velocities meet (Fluid::middle). A force acts for half a step until then:
///   F_n = 2 rho/dt (U_d - U) eps_n h^3,   u changes by (dt/2) F/rho,
/// U the velocity without it, interpolated, and eps_n h^3 the volume that the point stands for (PointVolumes). One pass leaves
/// the slip that spread and interpolate leave of a velocity that varies from point to point, and what pressure makes of the
/// force. 2 is 1/acts, `acts` the share of the step in which a force acts until then; forces of two_pass are for all of it
/// (docs/bodies.md). Further passes add the force of what slip is left (multi-direct forcing: Luo, Wang, Fan and Cen 2007), each with a
/// share of what the one before added (Polyak's heavy ball), and begin with the forces of the last step.
class DirectForcing {
public:
  /// Keeps references. `density` is the fluid's [kg/m3]. All bodies are in `points`.
  DirectForcing(const Grid& grid, BodyPoints& points, MarkerMaps& maps, const std::string& kernel, Fluid<Cpu>& fluid, double density,
                double acts);

  void bind_state(run::Registry& registry) { volumes_.bind_state(registry); }

  /// Of a run that goes on: whether it has found volumes before.
  void restored(bool found) { found_ = found; }
  /// After points were placed and sorted. `moved`: others than in the step before.
  void find_volumes(Cpu, bool moved);
  /// Begins a step, after points were placed and sorted.
  void begin(Cpu);
  /// Of a step that has begun: none, or, `go_on`, those of the last one.
  void first_forces(Cpu, bool go_on);
  /// Finds the velocity that the fluid has at the points under the forces so far, in a step of dt [s].
  void look(Cpu, double dt);
  /// Of a body: of the forces so far and of those that `push` would add.
  Coupling coupling(std::int64_t body, double dt) const;
  /// How far, after `look`, the fluid's velocity misses that of the points, at most [m/s].
  double slip(Cpu) const;
  /// Adds to the fluid's forces those that make the fluid's velocity the points', as far as one pass can. `further`: after
  /// others in this step.
  void push(Cpu, double dt, bool further);

  /// Of all forces so far, by the fluid on the body.
  BodyLoad load(std::int64_t body) const;
  const PointVolumes& volumes() const { return volumes_; }

private:
  void spread(Cpu, const ConstPoints& forces);
  double strength(double dt) const { return density_ / (acts_ * dt) * grid_.cell_volume(); } ///< of a point of one cell [kg/s]

  Grid grid_;
  BodyPoints& points_;
  MarkerMaps& maps_;
  Fluid<Cpu>& fluid_;
  double density_, acts_;
  int support_;
  PointVolumes volumes_;
  bool found_ = false;
  VectorField field_{}; ///< of forces, in this step
  std::array<Array<double>, 3> seen_, added_; ///< the fluid's velocity at the points [m/s], forces of a pass [N]
};

} // namespace corral::structure
