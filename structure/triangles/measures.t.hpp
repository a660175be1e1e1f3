#pragma once

/// The loops of measures.hpp, for either processor.

#include "structure/triangles/bending.t.hpp"
#include "structure/triangles/loops.hpp"
#include "structure/triangles/measures.hpp"

#include <cmath>

namespace corral::structure {

namespace measuring {

/// NaN stays.
CORRAL_HOST_DEVICE inline double larger(double a, double b) { return a >= b || a != a ? a : b; }

struct AddShapeSums {
  CORRAL_HOST_DEVICE void operator()(ShapeSums& a, const ShapeSums& b) const {
    a.volume += b.volume;
    a.area += b.area;
    for (std::size_t d = 0; d < 3; ++d) a.first[d] += b.first[d];
    for (std::size_t d = 0; d < 6; ++d) a.second[d] += b.second[d];
    a.elastic += b.elastic;
    a.bending += b.bending;
    a.tether += b.tether;
    a.longest = larger(a.longest, b.longest);
    a.widest = larger(a.widest, b.widest);
    a.narrowest = -larger(-a.narrowest, -b.narrowest);
  }
};

/// The tetrahedron of the origin and a, b, c: det(a, b, c)/6, /24 (a + b + c), /120 (aa + bb + cc + ss), s = a + b + c.
CORRAL_HOST_DEVICE inline void add_tetrahedron(const Vector& a, const Vector& b, const Vector& c, const Vector& N,
                                               ShapeSums& sum) {
  const double det = dot(a, N);
  const Vector s = a + b + c;
  sum.volume += det / 6;
  constexpr std::size_t row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  for (std::size_t d = 0; d < 3; ++d) sum.first[d] += det / 24 * s[d];
  for (std::size_t j = 0; j < 6; ++j) {
    const std::size_t m = row[j], n = column[j];
    sum.second[j] += det / 120 * (a[m] * a[n] + b[m] * b[n] + c[m] * c[n] + s[m] * s[n]);
  }
}

/// 1 - cos(theta - theta0), with all its digits where the difference is small.
CORRAL_HOST_DEVICE inline double hinge_energy(const Fold& now, double cos0, double sin0) {
  const double c = now.cos * cos0 + now.sin * sin0, s = now.sin * cos0 - now.cos * sin0;
  return c > 0 ? s * s / (1 + c) : 1 - c;
}

/// Of the sides that the triangle beyond does not count.
CORRAL_HOST_DEVICE inline double hinge_energies(const MembraneView& membrane, const double* normals, const double* fold,
                                                std::int64_t c, std::int64_t t) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    const std::int64_t beyond = membrane.shape.beyond[3 * t + k], i = c * membrane.shape.triangles;
    if (beyond < t || normals[4 * (i + t) + 3] == 0 || normals[4 * (i + beyond) + 3] == 0) continue;
    const Fold now = fold_at(membrane, normals, c, t, k);
    sum += fold != nullptr ? hinge_energy(now, fold[6 * t + 2 * k], fold[6 * t + 2 * k + 1]) : hinge_energy(now, 1, 0);
  }
  return sum;
}

CORRAL_HOST_DEVICE inline MembraneMeasures measures_of(const ShapeSums& of_triangles, const ShapeSums& of_vertices,
                                                        const Vector& origin, const ExtentPenalty& penalty) {
  MembraneMeasures measures;
  const double volume = of_triangles.volume;
  measures.volume = volume;
  measures.area = of_triangles.area;
  Vector mean{};
  if (volume != 0) mean = (1 / volume) * of_triangles.first;
  measures.centroid = origin + mean;
  measures.second_moments = of_triangles.second;
  constexpr std::size_t row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  for (std::size_t j = 0; j < 6; ++j) measures.second_moments[j] -= volume * mean[row[j]] * mean[column[j]];
  measures.elastic_energy = of_triangles.elastic;
  measures.bending_energy = of_triangles.bending + of_vertices.bending;
  measures.constraint_energy = penalty.acts() ? penalty.energy(volume, of_triangles.area) : 0;
  measures.tether_energy = of_vertices.tether;
  measures.longest_stretch = std::sqrt(of_triangles.longest);
  measures.largest_area_ratio = std::sqrt(of_triangles.widest);
  measures.least_area_ratio = std::sqrt(of_triangles.narrowest);
  return measures;
}

} // namespace measuring

template <Execution E>
void sum_triangles(E execution, std::int64_t membranes, const MembraneView& membrane, const ReferenceView& reference,
                   const StrainEnergy& strain_energy, const BendingSums& bending, Array<ShapeSums>& parts,
                   ShapeSums* sums) {
  const auto add = [=] CORRAL_BODY(std::int64_t c, std::int64_t t, ShapeSums& sum) {
    const Vector x0 = membrane.corner(c, t, 0), e1 = membrane.corner(c, t, 1) - x0, e2 = membrane.corner(c, t, 2) - x0;
    const Vector N = cross(e1, e2), a = x0 - membrane.place(c, 0);
    measuring::add_tetrahedron(a, a + e1, a + e2, N, sum);
    sum.area += 0.5 * std::sqrt(dot(N, N));
    const SideMetric now(e1, e2);
    const double* const m = reference.metric + 5 * t;
    const double square = now.square(m);
    if (bending.law == BendingLaw::helfrich)
      bending::put_normal(bending.normals, bending.areas, c * membrane.shape.triangles + t, e1, e2, N, m[4]);
    sum.elastic += m[0] * strain_energy.energy(now.I1(m), square);
    sum.widest = measuring::larger(sum.widest, square);
    sum.narrowest = -measuring::larger(-sum.narrowest, -square);
    // The reference's metric is its inverse's adjugate over 1/D.
    const double l1 = now.p * m[4] / m[3], l2 = now.r * m[4] / m[1],
                 l3 = (now.p - 2 * now.q + now.r) * m[4] / (m[3] + 2 * m[2] + m[1]);
    sum.longest = measuring::larger(measuring::larger(sum.longest, l1), measuring::larger(l2, l3));
    if (bending.law == BendingLaw::dihedral)
      sum.bending += bending.modulus * measuring::hinge_energies(membrane, bending.normals, reference.fold, c, t);
  };
  sum_of_each(execution, membranes, membrane.shape.triangles, ShapeSums{}, add, measuring::AddShapeSums{}, parts, sums);
}

template <Execution E>
void sum_vertices(E execution, std::int64_t membranes, const MembraneView& membrane, const ReferenceView& reference,
                  const BendingSums& bending, const TetherSprings& tethers, Array<ShapeSums>& parts, ShapeSums* sums) {
  const auto add = [=] CORRAL_BODY(std::int64_t c, std::int64_t v, ShapeSums& sum) {
    if (bending.law == BendingLaw::helfrich) {
      const VertexCurvature at = curvature_at(membrane, bending.normals, bending.areas, c, v);
      const double excess = at.H - (reference.curvature != nullptr ? reference.curvature[v] : 0);
      sum.bending += 2 * bending.modulus * excess * excess * at.area;
    }
    if (tethers.stiffness > 0) {
      const std::int64_t i = c * membrane.shape.vertices + v;
      const Vector anchor{tethers.anchors[0][i], tethers.anchors[1][i], tethers.anchors[2][i]};
      const Vector away = membrane.place(c, v) - anchor;
      sum.tether += 0.5 * tethers.stiffness * reference.area[v] * dot(away, away);
    }
  };
  sum_of_each(execution, membranes, membrane.shape.vertices, ShapeSums{}, add, measuring::AddShapeSums{}, parts, sums);
}

template <Execution E>
void set_measures(E execution, std::int64_t membranes, const MembraneView& membrane, const ShapeSums* of_triangles,
                  const ShapeSums* of_vertices, const ExtentPenalty& penalty, MembraneMeasures* measures) {
  for_each(execution, membranes, [=] CORRAL_BODY(std::int64_t c) {
    measures[c] = measuring::measures_of(of_triangles[c], of_vertices[c], membrane.place(c, 0), penalty);
  });
}

template <Execution E>
void set_tensions(E execution, std::int64_t membranes, const MembraneView& membrane, const double* metric,
                  const StrainEnergy& strain_energy, double* larger, double* smaller) {
  const std::int64_t triangles = membrane.shape.triangles;
  for_each_of(execution, membranes, triangles, [=] CORRAL_BODY(std::int64_t c, std::int64_t t) {
    const Vector x0 = membrane.corner(c, t, 0);
    const SideMetric now(membrane.corner(c, t, 1) - x0, membrane.corner(c, t, 2) - x0);
    const double* const m = metric + 5 * t;
    // Strain in an orthonormal frame along E1, where the difference of two like stretches keeps its digits.
    const double a = m[3] / m[4], slant = -m[2] / m[3], D = 1 / m[4]; // E1 . E1, E1 . E2/a
    const double c11 = now.p / a, c12 = (now.q - slant * now.p) / std::sqrt(D);
    const double c22 = (now.r - 2 * slant * now.q + slant * slant * now.p) * a / D;
    const double mean = 0.5 * (c11 + c22), half = 0.5 * (c11 - c22), apart = std::sqrt(half * half + c12 * c12);
    const double square = now.square(m);
    const StrainEnergy::Derivatives W = strain_energy.derivatives(now.I1(m), square);
    const double scale = square > 0 ? 2 / std::sqrt(square) : 0, both = W.by_I2 * square + W.by_I1 * mean;
    const double deviation = std::abs(W.by_I1) * apart; // W1 may be negative in a triangle that shrinks
    larger[c * triangles + t] = scale * (both + deviation);
    smaller[c * triangles + t] = scale * (both - deviation);
  });
}

template <Execution E>
void set_area_ratios(E execution, std::int64_t membranes, const MembraneView& membrane, const double* metric,
                     double* ratios) {
  const std::int64_t triangles = membrane.shape.triangles;
  for_each_of(execution, membranes, triangles, [=] CORRAL_BODY(std::int64_t c, std::int64_t t) {
    const Vector x0 = membrane.corner(c, t, 0);
    const Vector N = cross(membrane.corner(c, t, 1) - x0, membrane.corner(c, t, 2) - x0);
    ratios[c * triangles + t] = std::sqrt(dot(N, N) * metric[5 * t + 4]);
  });
}

template <Execution E>
void set_mean_curvatures(E execution, std::int64_t membranes, const MembraneView& membrane, const double* normals,
                         const double* areas, double* H) {
  const std::int64_t vertices = membrane.shape.vertices;
  for_each_of(execution, membranes, vertices, [=] CORRAL_BODY(std::int64_t c, std::int64_t v) {
    H[c * vertices + v] = curvature_at(membrane, normals, areas, c, v).H;
  });
}

} // namespace corral::structure
