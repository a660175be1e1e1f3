#pragma once

#include "geometry/distances/surface_tree.hpp"
#include "geometry/vector.hpp"
#include "structure/bodies/shape.hpp"
#include "structure/bodies/small_matrices.hpp"
#include "structure/setup/rigid_body.hpp"

#include <array>

namespace corral::structure {

/// w, x, y, z; of length 1 it turns a body's axes into the world's.
using Quaternion = std::array<double, 4>;

/// The turn by `second`, then by `first`.
Quaternion product(const Quaternion& first, const Quaternion& second);
/// The turn about a vector by its length [rad], counterclockwise where it points at the eye; exact for any length.
Quaternion turn_by(const geometry::Vector& by);
/// Of a rotation; w is not negative.
Quaternion quaternion_of(const geometry::Rotation& rotation);

/// Where a rigid body is, and how it moves, in the world's frame. A run saves all of it.
struct RigidState {
  geometry::Vector position{}; ///< of the centre of mass [m]; across periodic sides it goes on
  Quaternion orientation{1, 0, 0, 0};
  geometry::Vector velocity{};         ///< [m/s]
  geometry::Vector angular_velocity{}; ///< [rad/s]
  geometry::Vector spin{};             ///< angular momentum per density [m5/s]
  geometry::Vector acceleration{};     ///< in the last step [m/s2]
  geometry::Vector spin_rate{};        ///< likewise, of `spin` [m5/s2]

  geometry::Rotation rotation() const { return geometry::Rotation::from_quaternion(orientation); }
};

/// What a body's motion depends on beside loads.
struct RigidInertia {
  double volume;           ///< [m3]
  SymmetricMatrix moments; ///< per density, in the body's frame [m5]
  double density;          ///< [kg/m3]
  double fluid_density;    ///< [kg/m3]
  double virtual_mass = 0; ///< C_v [-]
  std::array<bool, 3> frozen_translation{}, frozen_rotation{}; ///< axes of the world

  double excess_mass() const { return (density - fluid_density) * volume; } ///< m_s - m_f [kg]
};

/// Of a free body of this shape; a cylinder stays in its plane, whatever is frozen.
RigidInertia rigid_inertia(const BodyShape& shape, const MotionModel& motion, double fluid_density);

/// A body that was placed somewhere, moving. What is frozen is at rest.
RigidState placed(const RigidInertia& body, const geometry::Placement& at, const geometry::Vector& velocity = {},
                  const geometry::Vector& angular_velocity = {});

// Kinematics: x = X + R(q) r, u = U + w x (x - X).

/// Of the point that stands at `lever` [m] from the body's position.
inline geometry::Vector velocity_at(const RigidState& state, const geometry::Vector& lever) {
  using geometry::operator+;
  return state.velocity + geometry::cross(state.angular_velocity, lever);
}

/// Force and torque about a body's position.
struct BodyLoad {
  geometry::Vector force{};  ///< [N]
  geometry::Vector torque{}; ///< [N m]

  BodyLoad& operator+=(const BodyLoad& other);
};

/// Points that pull a body along with the fluid: each makes a force c (u - U - w x r) on it, at the lever r [m] from its
/// position, with c >= 0 [kg/s] and u [m/s] what the fluid would do there. Sums of theirs, which add up.
struct PointPulls {
  double c = 0;
  geometry::Vector cr{};
  SymmetricMatrix crr{};
  BodyLoad load; ///< c u and r x c u

  void add(double strength, const geometry::Vector& lever, const geometry::Vector& u);
  PointPulls& operator+=(const PointPulls& other);
};

/// Force and torque on a body that depend on its new velocity: (F, T) = load - resistance (U, w). The resistance is
/// symmetric and has no negative eigenvalues [kg/s, kg m/s, kg m2/s].
struct Coupling {
  Matrix<6> resistance{};
  BodyLoad load;
};
Coupling coupling_of(const PointPulls& pulls);
/// What it comes to at the velocity that the body has now.
BodyLoad load_of(const Coupling& coupling, const RigidState& state);

/// Newton's and Euler's equations of a body in a fluid that also fills it, by the mass that it has beyond the fluid's
/// (Uhlmann 2005, J. Comput. Phys. 209, eq. 13), with the coupling at the new velocity:
///   (rho_s - rho_f) V dU/dt = F + force,    (rho_s - rho_f) dh/dt = T + torque,    h = I w per density.
/// `beside`: what else acts, as (m_s - m_f) g and contact. Velocities stand half a step behind positions, or belong to the
/// positions that the coupling was found for; a body without loads keeps h to the bit and its energy to second order, in
/// both directions of time. `first` is the share of dt in which loads act: 1/2 in the first step of a body whose velocity
/// was given for the time of its position, otherwise 1.
///
/// With the coupling at the new velocity a step is stable for every rho_s >= rho_f; at equality the fluid alone holds the
/// body. Lighter ones have the equations' mass below 0. C_v rho_f V dU/dt is then added to both sides, to
/// the right one as it was in the last step, and likewise C_v rho_f dh/dt (Schwarz, Kempe and Froehlich 2015, J. Comput.
/// Phys. 281). Where points hold the body by the resistance k and the fluid that moves with it has the mass
/// m_a = (1 + C_m) m_f (C_m = 1/2 of a sphere), steps are stable, with s = rho_s/rho_f and b = k dt/m_f < 2 (1 + C_m), for
///   C_v > (1 + C_m) ((1 - s)/b - 1)    and    C_v > ((1 - s) - b/(2 - b/(1 + C_m)))/2
/// (`least_virtual_mass`; roots of the two's motion, as in tests/structure/bodies/rigid_motion.cpp). What C_v adds is of
/// first order in dt.
///
/// Throws Error where neither mass nor coupling holds the body, and where one that is not as good as round turns by more
/// than a quarter in a step.
void kick(const RigidInertia& body, const Coupling& coupling, const BodyLoad& beside, double dt, double first,
          RigidState& state);
/// X += dt U, q = exp(dt w/2) q: of second order, exact for constant w; the quaternion keeps its length 1.
void drift(double dt, RigidState& state);

/// The larger bound above, or 0, for s, b and C_m. Stable steps need more, and swing less with a tenth more.
double least_virtual_mass(double density_ratio, double hold, double added_mass = 0.5);

/// Of the body itself, rho_s (V U^2 + h w)/2 [J].
double kinetic_energy(const RigidInertia& body, const RigidState& state);

} // namespace corral::structure
