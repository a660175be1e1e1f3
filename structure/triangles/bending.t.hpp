#pragma once

/// The loops of bending.hpp, for either processor.

#include "structure/triangles/bending.hpp"
#include "structure/triangles/loops.hpp"

namespace corral::structure {

namespace bending {

inline constexpr double collapsed = 1e-12; ///< square of the area ratio below which a triangle takes no part [-]

CORRAL_HOST_DEVICE inline void add(double* to, const Vector& f) {
  to[0] += f[0];
  to[1] += f[1];
  to[2] += f[2];
}

/// Mixed areas of corners (Meyer et al. 2003, fig. 4): what is nearest to a corner, of a triangle with no obtuse angle;
/// otherwise half the area at that angle and a quarter at the others. As polynomials of the sides' metric over 8 |N|.
struct MixedAreas {
  double p, q, r;
  int obtuse; ///< corner, or -1

  CORRAL_HOST_DEVICE MixedAreas(const Vector& e1, const Vector& e2)
      : p(dot(e1, e1)), q(dot(e1, e2)), r(dot(e2, e2)), obtuse(obtuse_corner(p, q, r)) {}
  CORRAL_HOST_DEVICE static int obtuse_corner(double p, double q, double r) {
    if (q < 0) return 0;
    if (p < q) return 1;
    return r < q ? 2 : -1;
  }

  CORRAL_HOST_DEVICE Vector areas(double twice_area) const {
    if (obtuse >= 0)
      return (twice_area / 8) * Vector{obtuse == 0 ? 2.0 : 1, obtuse == 1 ? 2.0 : 1, obtuse == 2 ? 2.0 : 1};
    const double whole = p * r - 2 * q * q;
    return (1 / (8 * twice_area)) * Vector{2 * p * r - q * (p + r), whole + q * r, whole + p * q};
  }

  /// Derivatives of w . areas by p, q, r at fixed |N|, and by |N|.
  struct Slopes {
    double by_p, by_q, by_r, by_N;
  };
  CORRAL_HOST_DEVICE Slopes slopes(const double* w, double twice_area) const {
    if (obtuse >= 0) return {0, 0, 0, (w[0] + w[1] + w[2] + (obtuse == 0 ? w[0] : obtuse == 1 ? w[1] : w[2])) / 8};
    const double scale = 1 / (8 * twice_area), whole = p * r - 2 * q * q;
    const double sum = w[0] * (2 * p * r - q * (p + r)) + w[1] * (whole + q * r) + w[2] * (whole + p * q);
    return {scale * (w[0] * (2 * r - q) + w[1] * r + w[2] * (r + q)),
            scale * (w[1] * (r - 4 * q) + w[2] * (p - 4 * q) - w[0] * (p + r)),
            scale * (w[0] * (2 * p - q) + w[1] * (p + q) + w[2] * p), -scale * sum / twice_area};
  }
};

/// Sets normal and mixed areas of triangle i of all membranes, as `set_normals` leaves them; N = e1 x e2, and `inverse_D` is 1
/// over the square of twice its area without stress.
CORRAL_HOST_DEVICE inline void put_normal(double* normals, double* areas, std::int64_t i, const Vector& e1, const Vector& e2,
                                          const Vector& N, double inverse_D) {
  const double square = dot(N, N);
  const bool sound = !(square * inverse_D <= collapsed); // NaN goes on
  const double length = sound ? std::sqrt(square) : 0, inverse = sound ? 1 / length : 0;
  double* const to = normals + 4 * i;
  for (std::size_t d = 0; d < 3; ++d) to[d] = inverse * N[d];
  to[3] = length;
  if (areas == nullptr) return;
  const Vector area = sound ? MixedAreas(e1, e2).areas(length) : Vector{};
  for (std::size_t k = 0; k < 3; ++k) areas[3 * i + static_cast<std::int64_t>(k)] = area[k];
}

} // namespace bending

template <Execution E>
void set_normals(E execution, std::int64_t membranes, const MembraneView& membrane, const double* metric,
                 double* normals, double* areas) {
  const std::int64_t triangles = membrane.shape.triangles;
  for_each_of(execution, membranes, triangles, [=] CORRAL_BODY(std::int64_t c, std::int64_t t) {
    const Vector x0 = membrane.corner(c, t, 0), e1 = membrane.corner(c, t, 1) - x0, e2 = membrane.corner(c, t, 2) - x0;
    bending::put_normal(normals, areas, c * triangles + t, e1, e2, cross(e1, e2), metric[5 * t + 4]);
  });
}

template <Execution E>
void add_dihedral(E execution, std::int64_t membranes, const MembraneView& membrane, const double* normals,
                  const double* fold, double k_b, double* corner_forces) {
  const ConnectivityView shape = membrane.shape;
  for_each_of(execution, membranes, shape.triangles, [=] CORRAL_BODY(std::int64_t c, std::int64_t t) {
    const std::int64_t i = c * shape.triangles + t;
    const double twice_area = normals[4 * i + 3];
    if (twice_area == 0) return;
    const Vector n = unit_normal(normals, i);
    const Vector x[3] = {membrane.corner(c, t, 0), membrane.corner(c, t, 1), membrane.corner(c, t, 2)};
    const Vector side[3] = {x[1] - x[0], x[2] - x[1], x[0] - x[2]};
    const double angle[3] = {-dot(side[0], side[2]), -dot(side[1], side[0]), -dot(side[2], side[1])};
    double along_n[3] = {0, 0, 0};
    for (int k = 0; k < 3; ++k) {
      const int next = (k + 1) % 3, across = (k + 2) % 3;
      const Vector beyond = unit_normal(normals, c * shape.triangles + shape.beyond[3 * t + k]);
      const double square = angle[k] + angle[next]; // of the side's length
      double slope = dot(cross(n, beyond), side[k]) / square; // dE/dtheta over k_b and the side's length
      if (fold != nullptr)
        slope = fold[6 * t + 2 * k] * slope - fold[6 * t + 2 * k + 1] * dot(n, beyond) / std::sqrt(square);
      // The foot of `across` on the side parts it as angle[k] : angle[next].
      along_n[across] += slope * square;
      along_n[k] -= slope * angle[next];
      along_n[next] -= slope * angle[k];
    }
    const double scale = k_b / twice_area;
    for (int k = 0; k < 3; ++k) bending::add(corner_forces + 9 * i + 3 * k, (scale * along_n[k]) * n);
  });
}

template <Execution E>
void set_helfrich_terms(E execution, std::int64_t membranes, const MembraneView& membrane, const double* normals,
                        const double* areas, const double* curvature, double kappa, double* terms) {
  const std::int64_t vertices = membrane.shape.vertices;
  for_each_of(execution, membranes, vertices, [=] CORRAL_BODY(std::int64_t c, std::int64_t v) {
    const VertexCurvature at = curvature_at(membrane, normals, areas, c, v);
    const double H0 = curvature != nullptr ? curvature[v] : 0, excess = 2 * kappa * (at.H - H0);
    const Vector tangential = at.area_gradient - dot(at.area_gradient, at.normal) * at.normal;
    double* const to = terms + 7 * (c * vertices + v);
    for (std::size_t d = 0; d < 3; ++d) to[d] = excess * at.normal[d];
    for (std::size_t d = 0; d < 3; ++d) to[3 + d] = excess * at.inverse_normal * tangential[d];
    to[6] = -excess * (at.H + H0);
  });
}

/// The gradient of L is the second derivative of the triangles' areas: with N = e1 x e2 and dN its change along the
/// corners' terms, the sum of terms . L is n . dN/2 of each triangle.
template <Execution E>
void add_helfrich(E execution, std::int64_t membranes, const MembraneView& membrane, const double* normals,
                  const double* terms, double* corner_forces) {
  const ConnectivityView shape = membrane.shape;
  for_each_of(execution, membranes, shape.triangles, [=] CORRAL_BODY(std::int64_t c, std::int64_t t) {
    const std::int64_t i = c * shape.triangles + t;
    const double twice_area = normals[4 * i + 3];
    if (twice_area == 0) return;
    const Vector n = unit_normal(normals, i);
    const Vector x0 = membrane.corner(c, t, 0), e1 = membrane.corner(c, t, 1) - x0, e2 = membrane.corner(c, t, 2) - x0;
    Vector by_area[3], by_volume{};
    double by_size[3];
    for (int k = 0; k < 3; ++k) {
      const double* const of = terms + 7 * (c * shape.vertices + shape.corner[3 * t + k]);
      by_area[k] = {of[0], of[1], of[2]};
      by_volume = by_volume + Vector{of[3], of[4], of[5]};
      by_size[k] = of[6];
    }
    const Vector s1 = by_area[1] - by_area[0], s2 = by_area[2] - by_area[0];
    const Vector dN = cross(s1, e2) + cross(e1, s2);
    const bending::MixedAreas::Slopes size = bending::MixedAreas(e1, e2).slopes(by_size, twice_area);
    const Vector by_N =
        (0.5 / twice_area) * dN + (1.0 / 6) * by_volume + (size.by_N - 0.5 * dot(n, dN) / twice_area) * n;
    const Vector by_e1 = cross(e2, by_N) + 0.5 * cross(s2, n) + 2 * size.by_p * e1 + size.by_q * e2;
    const Vector by_e2 = cross(by_N, e1) + 0.5 * cross(n, s1) + size.by_q * e1 + 2 * size.by_r * e2;
    double* const to = corner_forces + 9 * i;
    bending::add(to, by_e1 + by_e2);
    bending::add(to + 3, -1.0 * by_e1);
    bending::add(to + 6, -1.0 * by_e2);
  });
}

} // namespace corral::structure
