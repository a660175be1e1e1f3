#pragma once

#include "structure/triangles/connectivity.hpp"

#include <corral/execution.hpp>
#include <corral/host_device.hpp>

#include <cstdint>

namespace corral::structure {

/// Of a surface itself: with D its rate of strain in the tangent plane and P the projection onto that, tension
///   tau = mu_s (2 D - tr(D) P) + mu_d tr(D) P
/// beside the elastic one (Kelvin-Voigt; Barthes-Biesel and Sgaier 1985).
struct SurfaceViscosity {
  double shear = 0, dilatation = 0; ///< mu_s, mu_d [N s/m]
};

/// corner_forces[9 (c triangles + t) + 3 k + d] = force on corner k of triangle t by the viscosity of the surface, where
/// corners move at `velocities`, which are laid out as the markers are. Velocities are linear in a triangle, D is constant,
/// and forces are what does the power of tau: with shape functions N_k of area A, f_k = -A tau grad N_k. So
///   sum f_k . v_k = -A tau(u) : D(v),
/// which is symmetric in velocities u and v and never positive for u = v; a rigid motion has no force, and forces no
/// resultant and no torque. A triangle of less than 1e-6 of its reference area takes no part; `metric` as in ReferenceView.
template <Execution E>
void set_viscous(E, std::int64_t membranes, const MembraneView& membrane, const double* metric,
                 const ConstPoints& velocities, const SurfaceViscosity& viscosity, double* corner_forces);

} // namespace corral::structure
