#pragma once

/// The loops of in_plane.hpp, for either processor.

#include "structure/triangles/in_plane.hpp"
#include "structure/triangles/loops.hpp"

#include <cmath>

namespace corral::structure {

namespace in_plane {

struct AddExtents {
  CORRAL_HOST_DEVICE void operator()(VolumeAndArea& a, const VolumeAndArea& b) const {
    a.volume += b.volume;
    a.area += b.area;
  }
};

CORRAL_HOST_DEVICE inline void put(double* to, const Vector& f) {
  to[0] = f[0];
  to[1] = f[1];
  to[2] = f[2];
}

} // namespace in_plane

template <Execution E>
void set_pulls(E execution, std::int64_t membranes, const MembraneView& membrane, const ExtentPenalty& penalty,
               Array<VolumeAndArea>& parts, VolumeAndArea* extents, ExtentPull* pulls) {
  const auto add = [=] CORRAL_BODY(std::int64_t c, std::int64_t t, VolumeAndArea& sum) {
    const Vector x0 = membrane.corner(c, t, 0);
    const Vector N = cross(membrane.corner(c, t, 1) - x0, membrane.corner(c, t, 2) - x0);
    sum.volume += dot(x0 - membrane.place(c, 0), N) / 6; // from a vertex: digits are kept far from the origin
    sum.area += 0.5 * std::sqrt(dot(N, N));
  };
  sum_of_each(execution, membranes, membrane.shape.triangles, VolumeAndArea{}, add, in_plane::AddExtents{}, parts,
              extents);
  for_each(execution, membranes, [=] CORRAL_BODY(std::int64_t c) {
    pulls[c].by_volume = penalty.volume_stiffness * (extents[c].volume - penalty.volume) / penalty.volume;
    pulls[c].by_area = penalty.area_stiffness * (extents[c].area - penalty.area) / penalty.area + penalty.tension;
  });
}

template <Execution E>
void set_in_plane(E execution, std::int64_t membranes, const MembraneView& membrane, const double* metric,
                  const StrainEnergy& strain_energy, const ExtentPull* pulls, double* corner_forces) {
  const std::int64_t triangles = membrane.shape.triangles;
  for_each_of(execution, membranes, triangles, [=] CORRAL_BODY(std::int64_t c, std::int64_t t) {
    const Vector x0 = membrane.corner(c, t, 0), e1 = membrane.corner(c, t, 1) - x0, e2 = membrane.corner(c, t, 2) - x0;
    const SideMetric now(e1, e2);
    const double* const m = metric + 5 * t;
    const StrainEnergy::Derivatives W = strain_energy.derivatives(now.I1(m), now.square(m));
    const double by_length = 2 * m[0] * W.by_I1;
    double by_square = 2 * m[0] * W.by_I2 * m[4];
    Vector push{};
    if (pulls != nullptr) {
      const double square = now.p * now.r - now.q * now.q; // (2 A)^2, and dA = d(square)/(4 |N|)
      if (square * m[4] > 1e-12) by_square += 0.5 * pulls[c].by_area / std::sqrt(square);
      push = (-pulls[c].by_volume / 6) * cross(e1, e2);
    }
    const double s11 = by_length * m[1] + by_square * now.r, s12 = by_length * m[2] - by_square * now.q,
                 s22 = by_length * m[3] + by_square * now.p;
    const Vector f1 = s11 * e1 + s12 * e2, f2 = s12 * e1 + s22 * e2;
    double* const to = corner_forces + 9 * (c * triangles + t);
    in_plane::put(to, push + (f1 + f2));
    in_plane::put(to + 3, push - f1);
    in_plane::put(to + 6, push - f2);
  });
}

template <Execution E>
void gather_forces(E execution, std::int64_t membranes, const MembraneView& membrane, const double* corner_forces,
                   const TetherSprings& tethers, const double* vertex_area, const Points& forces) {
  const ConnectivityView shape = membrane.shape;
  for_each_of(execution, membranes, shape.vertices, [=] CORRAL_BODY(std::int64_t c, std::int64_t v) {
    const double* const from = corner_forces + 9 * c * shape.triangles;
    double f[3] = {0, 0, 0};
    for (std::int64_t i = shape.first[v]; i < shape.first[v + 1]; ++i) {
      const double* const corner = from + 3 * static_cast<std::int64_t>(shape.incident[i]);
      for (int d = 0; d < 3; ++d) f[d] += corner[d];
    }
    const std::int64_t at = c * shape.vertices + v;
    for (std::size_t d = 0; d < 3; ++d) {
      if (tethers.stiffness > 0)
        f[d] -= tethers.stiffness * vertex_area[v] * (membrane.markers[d][at] - tethers.anchors[d][at]);
      forces[d][at] = f[d];
    }
  });
}

} // namespace corral::structure
