#pragma once

#include "structure/triangles/connectivity.hpp"
#include "structure/triangles/reference.hpp"
#include "structure/triangles/strain_energy.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>
#include <corral/host_device.hpp>

#include <cstdint>

namespace corral::structure {

/// Energies of a membrane's enclosed volume and whole area: penalties k (x - x0)^2/(2 x0) of both, gamma A.
struct ExtentPenalty {
  double volume_stiffness = 0, area_stiffness = 0; ///< k_V [N/m2], k_A [N/m]
  double tension = 0;                              ///< gamma [N/m]
  double volume = 1, area = 1;                     ///< V0 [m3], A0 [m2]

  CORRAL_HOST_DEVICE bool acts() const { return volume_stiffness > 0 || area_stiffness > 0 || tension > 0; }
  CORRAL_HOST_DEVICE double energy(double V, double A) const {
    return 0.5 * (volume_stiffness * (V - volume) * (V - volume) / volume +
                  area_stiffness * (A - area) * (A - area) / area) +
           tension * A;
  }
};

/// What a penalty pulls with: dE/dV [N/m2] and dE/dA [N/m].
struct ExtentPull {
  double by_volume, by_area;
};

/// Volume [m3] and area [m2].
struct VolumeAndArea {
  double volume = 0, area = 0;
};

/// Springs to anchors, k_T |X - X0|^2/2 per area of the reference shape.
struct TetherSprings {
  double stiffness = 0;  ///< k_T [N/m3]
  ConstPoints anchors{}; ///< of the first of the membranes
};

/// pulls[c] of each membrane; `parts` and `extents` are scratch, `extents` for as many.
template <Execution E>
void set_pulls(E, std::int64_t membranes, const MembraneView& membrane, const ExtentPenalty& penalty,
               Array<VolumeAndArea>& parts, VolumeAndArea* extents, ExtentPull* pulls);

/// corner_forces[9 (c triangles + t) + 3 k + d] = force on corner k of triangle t by strain and `pulls` (null: none).
/// With sides e1, e2 now, metric p, q, r, and the reference's inverse metric g and D,
///   S = 2 (W1 g + W2 (r, -q, p)/D),  f1 = -A0 (S11 e1 + S12 e2),  f2 = -A0 (S12 e1 + S22 e2),  f0 = -f1 - f2,
/// minus the gradient of A0 W(I1, I2) with I1 = g : (p, q, r) - 2, I2 = (p r - q^2)/D - 1.
template <Execution E>
void set_in_plane(E, std::int64_t membranes, const MembraneView& membrane, const double* metric,
                  const StrainEnergy& strain_energy, const ExtentPull* pulls, double* corner_forces);

/// forces[d][c vertices + v] = sum of the corners' forces around, in the order of triangles, and of the tether.
template <Execution E>
void gather_forces(E, std::int64_t membranes, const MembraneView& membrane, const double* corner_forces,
                   const TetherSprings& tethers, const double* vertex_area, const Points& forces);

/// Metric of a triangle's sides 1 and 2 now [m2].
struct SideMetric {
  double p, q, r;
  CORRAL_HOST_DEVICE SideMetric(const Vector& e1, const Vector& e2) : p(dot(e1, e1)), q(dot(e1, e2)), r(dot(e2, e2)) {}
  /// I1, and J^2 = I2 + 1; `metric` of the triangle as in ReferenceView.
  CORRAL_HOST_DEVICE double I1(const double* metric) const {
    return metric[1] * p + 2 * metric[2] * q + metric[3] * r - 2;
  }
  CORRAL_HOST_DEVICE double square(const double* metric) const { return (p * r - q * q) * metric[4]; }
};

} // namespace corral::structure
