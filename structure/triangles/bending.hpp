#pragma once

#include "structure/triangles/connectivity.hpp"
#include "structure/triangles/reference.hpp"

#include <corral/execution.hpp>
#include <corral/host_device.hpp>

#include <cmath>
#include <cstdint>

namespace corral::structure {

/// Where a vertex bends: gradients of the area and of the volume around it.
struct VertexCurvature {
  Vector area_gradient;  ///< L, of the whole area by the vertex [m]
  Vector normal;         ///< n, of the volume's gradient, of length 1; 0 where it has no direction
  double inverse_normal; ///< 1 over the length of the volume's gradient [1/m2]; 0 where it has none
  double area;           ///< A, mixed area [m2]
  double H;              ///< mean curvature L . n/(2 A), 1/R on a sphere [1/m]; 0 where there is no area
};

/// The passes of bending over `membranes` membranes. Each begins with unit normals; their forces are added per corner of
/// a triangle, [9 (c triangles + t) + 3 k + d], and are the exact gradients of the energies:
///
/// dihedral  sum over sides of k_b (1 - cos(theta - theta0)), theta > 0 where the surface is convex; the gradient of
///           theta by the corner across is -n l/|N|, the same in either triangle. On regular triangles
///           kappa = (sqrt(3)/2) k_b, with a Gaussian modulus of -4/3 kappa on top (Seung and Nelson 1988; Lidmar et
///           al. 2003): a cylinder costs pi kappa L/R, a sphere 8 pi kappa/3. On others it depends on the mesh, however
///           fine: 4 % more on a refined icosahedron, 15 % more on a cylinder of halved squares.
/// helfrich  sum over vertices of 2 kappa (H - H0)^2 A after Meyer et al. (2003): 2 H A n is the gradient of the area,
///           their cotangent formula, here along the vertex's normal, and A their mixed area, which has the right H on
///           a sphere however many triangles meet. A is positive and continuous; forces along the surface jump where an
///           angle passes a right one, by as little as H changes over a triangle.
///
/// A triangle of less than 1e-6 of its reference area takes no part, so that forces stay finite.

/// normals[4 (c triangles + t) ..] = n of length 1 and |N|, twice the area [m2]; zeros where the triangle has collapsed.
/// areas[3 (c triangles + t) + k] = mixed area of corner k [m2], not where `areas` is null.
template <Execution E>
void set_normals(E, std::int64_t membranes, const MembraneView& membrane, const double* metric, double* normals,
                 double* areas);

/// Of hinges of stiffness k_b [J]; `fold` as in ReferenceView.
template <Execution E>
void add_dihedral(E, std::int64_t membranes, const MembraneView& membrane, const double* normals, const double* fold,
                  double k_b, double* corner_forces);

/// terms[7 (c vertices + v) ..] = what a vertex's energy has as derivatives by L, by the volume's gradient, and by A.
template <Execution E>
void set_helfrich_terms(E, std::int64_t membranes, const MembraneView& membrane, const double* normals,
                        const double* areas, const double* curvature, double kappa, double* terms);
template <Execution E>
void add_helfrich(E, std::int64_t membranes, const MembraneView& membrane, const double* normals, const double* terms,
                  double* corner_forces);

/// k_b of hinges that bend like kappa [J].
inline double hinge_stiffness(double kappa) { return 2 * kappa / std::sqrt(3.0); }

CORRAL_HOST_DEVICE inline Vector unit_normal(const double* normals, std::int64_t i) {
  return {normals[4 * i], normals[4 * i + 1], normals[4 * i + 2]};
}

/// At vertex v of membrane c.
CORRAL_HOST_DEVICE inline VertexCurvature curvature_at(const MembraneView& membrane, const double* normals,
                                                       const double* areas, std::int64_t c, std::int64_t v) {
  const ConnectivityView& shape = membrane.shape;
  Vector L{}, b{};
  double twice_area = 0, area = 0;
  for (std::int64_t i = shape.first[v]; i < shape.first[v + 1]; ++i) {
    const std::int64_t t = c * shape.triangles + shape.incident[i] / 3;
    area += areas[3 * c * shape.triangles + shape.incident[i]];
    const Vector n = unit_normal(normals, t);
    L = L + cross(n, membrane.place(c, shape.around[2 * i + 1]) - membrane.place(c, shape.around[2 * i]));
    b = b + normals[4 * t + 3] * n;
    twice_area += normals[4 * t + 3];
  }
  const double square = dot(b, b), least = 1e-6 * twice_area;
  const double inverse = square <= least * least ? 0 : 1 / std::sqrt(square);
  VertexCurvature at{0.5 * L, inverse * b, 6 * inverse, area, 0};
  if (at.area != 0) at.H = 0.5 * dot(at.area_gradient, at.normal) / at.area;
  return at;
}

/// cos and sin of the angle at side k of triangle t of membrane c; both 0 where one of the two triangles has collapsed.
struct Fold {
  double cos, sin;
};
CORRAL_HOST_DEVICE inline Fold fold_at(const MembraneView& membrane, const double* normals, std::int64_t c,
                                       std::int64_t t, int k) {
  const ConnectivityView& shape = membrane.shape;
  const Vector n = unit_normal(normals, c * shape.triangles + t);
  const Vector beyond = unit_normal(normals, c * shape.triangles + shape.beyond[3 * t + k]);
  const Vector side = membrane.corner(c, t, (k + 1) % 3) - membrane.corner(c, t, k);
  const double length = std::sqrt(dot(side, side));
  return {dot(n, beyond), length > 0 ? dot(cross(n, beyond), side) / length : 0};
}

} // namespace corral::structure
