#pragma once

#include "geometry/vector.hpp"
#include "stokes/mobility.hpp"
#include "stokes/rigid/rigid_shape.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace corral::stokes {

/// Where a rigid body is.
struct RigidPlace {
  std::size_t shape = 0;       ///< in the list of shapes
  geometry::Vector centre{};   ///< [m]
  geometry::Rotation turned{}; ///< takes the body's frame to the world's
};

/// How forces and torques on rigid bodies made of beads move them: the forces on beads are found that give every bead
/// its body's motion, beside its slip, and add up to the body's force and torque. By conjugate gradients among forces
/// that add up to these, preconditioned by what each body would do alone (Gould, Hribar and Nocedal 2001; Balboa
/// Usabiaga et al. 2016). Bodies, unlike their beads, so have all of their stresslets and higher moments.
class RigidMobility {
public:
  static constexpr int most_iterations = 500;

  /// Of beads with the mobility, which must outlive this; `error` of motions, relative. Throws Error where it is not
  /// 1e-12 to .1.
  RigidMobility(Mobility& mobility, std::vector<RigidShape> shapes, double error);

  /// Sets the motion of each body [m/s, rad/s] of loads on them [N, N m], about their centres, in the world's frame.
  /// Forces that an earlier call found are where the next one begins, so that results depend on what was called before,
  /// within the error; `forget` ends that. Throws Error where so many iterations do not suffice, for other numbers of
  /// loads or motions than of places, and as Mobility does.
  void operator()(Cpu, std::span<const RigidPlace> places, std::span<const Six> loads, std::span<Six> motions);
  void forget() { bead_forces_.resize(0); }

  const std::vector<RigidShape>& shapes() const { return shapes_; }
  int iterations() const { return iterations_; } ///< of the last call
  /// Of the last call, body by body: beads' places [m], and the forces of beads on the fluid [N], x y z bead by bead.
  const Array<double>& beads() const { return beads_; }
  const Array<double>& bead_forces() const { return bead_forces_; }
  /// To go on from forces of an earlier run.
  Array<double>& bead_forces() { return bead_forces_; }
  std::int64_t bytes() const;

private:
  void place(Cpu, std::span<const RigidPlace> places);
  void apply(Cpu, const Array<double>& forces, Array<double>& velocities);
  /// Calls f(body, shape, forces in the body's frame) with what is in `x`, turned there, and turns back what f makes of
  /// it.
  template <class F> void in_frames(Cpu, std::span<const RigidPlace> places, Array<double>& x, const F& f) const;

  Mobility& mobility_;
  std::vector<RigidShape> shapes_;
  double error_;
  std::vector<std::int64_t> first_; ///< bead of each body
  Array<double> beads_, bead_forces_, residual_, projected_, direction_, product_;
  int iterations_ = 0;
};

} // namespace corral::stokes
