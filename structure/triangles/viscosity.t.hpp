#pragma once

/// The loop of viscosity.hpp, for either processor.

#include "structure/triangles/loops.hpp"
#include "structure/triangles/viscosity.hpp"

#include <cmath>

namespace corral::structure {

template <Execution E>
void set_viscous(E execution, std::int64_t membranes, const MembraneView& membrane, const double* metric,
                 const ConstPoints& velocities, const SurfaceViscosity& viscosity, double* corner_forces) {
  const std::int64_t triangles = membrane.shape.triangles;
  const MembraneView moving{membrane.shape, velocities};
  for_each_of(execution, membranes, triangles, [=] CORRAL_BODY(std::int64_t c, std::int64_t t) {
    double* const to = corner_forces + 9 * (c * triangles + t);
    const Vector x0 = membrane.corner(c, t, 0), e1 = membrane.corner(c, t, 1) - x0, e2 = membrane.corner(c, t, 2) - x0;
    const double p = dot(e1, e1), q = dot(e1, e2), square = p * dot(e2, e2) - q * q;
    if (square * metric[5 * t + 4] <= 1e-12) { // NaN goes on
      for (int i = 0; i < 9; ++i) to[i] = 0;
      return;
    }
    // A frame in the plane: e1 = l t1, e2 = a t1 + b t2.
    const double l = std::sqrt(p), a = q / l, b = std::sqrt(square) / l;
    const Vector t1 = (1 / l) * e1, t2 = (1 / b) * (e2 - a * t1);
    const Vector u0 = moving.corner(c, t, 0), along_1 = (1 / l) * (moving.corner(c, t, 1) - u0),
                 along_2 = (1 / b) * (moving.corner(c, t, 2) - u0 - a * along_1); // du/dx1, du/dx2
    const double D11 = dot(t1, along_1), D22 = dot(t2, along_2), twice_D12 = dot(t2, along_1) + dot(t1, along_2);
    const double area = 0.5 * l * b, apart = area * viscosity.shear * (D11 - D22),
                 both = area * viscosity.dilatation * (D11 + D22);
    const double tau11 = both + apart, tau22 = both - apart, tau12 = area * viscosity.shear * twice_D12;
    const Vector pull_1 = tau11 * t1 + tau12 * t2, pull_2 = tau12 * t1 + tau22 * t2;
    const Vector f2 = (-1 / b) * pull_2, f1 = (-1 / l) * (pull_1 - (a / b) * pull_2);
    for (std::size_t d = 0; d < 3; ++d) {
      to[d] = -f1[d] - f2[d];
      to[3 + d] = f1[d];
      to[6 + d] = f2[d];
    }
  });
}

} // namespace corral::structure
