#pragma once

#include "structure/radial/local_surface.hpp"
#include "structure/setup/material.hpp"

#include <cmath>

namespace corral::structure::radial {

/// W(I1, I2) of a law and its derivatives. Both laws are sums of a function of I1 and one of I2: W_12 is 0.
struct LawAt {
  double energy = 0; ///< [N/m], as all of them
  double w1 = 0, w2 = 0, w11 = 0, w22 = 0;
};

CORRAL_HOST_DEVICE inline LawAt law_at(const Material& material, double i1, double i2) {
  const double modulus = material.shear_modulus, c = material.area_ratio;
  switch (material.law) {
  case ElasticLaw::skalak:
    return {modulus / 4 * (i1 * i1 + 2 * i1 - 2 * i2 + c * i2 * i2), modulus / 2 * (i1 + 1), modulus / 2 * (c * i2 - 1),
            modulus / 2, modulus / 2 * c};
  case ElasticLaw::neo_hookean: {
    const double inverse = 1 / (i2 + 1);
    return {modulus / 2 * (i1 - 1 + inverse), modulus / 2, -modulus / 2 * inverse * inverse, 0,
            modulus * inverse * inverse * inverse};
  }
  case ElasticLaw::none: break;
  }
  return {};
}

/// How the metric g strains the reference's, G.
struct Strain {
  CORRAL_HOST_DEVICE Strain(const SurfaceTensor& reference, const SurfaceTensor& metric)
      : i1(reference.adjugate().contracted(metric) / reference.determinant() - 2),
        i2(metric.determinant() / reference.determinant() - 1) {}
  double i1, i2;
};

/// S^{ab} = 2 (W_1 G^{ab} + W_2 J^2 g^{ab}), J^2 = det g/det G: a change of the metric costs S^{ab} dg_ab/2 per area of the
/// reference shape, dg_ab/2 = X_a . dX_b.
CORRAL_HOST_DEVICE inline SurfaceTensor stress(const SurfaceTensor& reference, const SurfaceTensor& metric, const LawAt& law) {
  return (2 / reference.determinant()) * (law.w1 * reference.adjugate() + law.w2 * metric.adjugate());
}

/// (1/sqrt G) d_a (sqrt G S^{ab} X_b) [N/m2], the elastic force per area of the reference shape. The parameters are arc
/// lengths along the great circles of the site's frame, in which d_a of every component is an ordinary derivative.
CORRAL_HOST_DEVICE inline Vector elastic_force(const MetricField& reference, const MetricField& metric, const Tangents& t, const Bends& b,
                            const Material& material) {
  const double det = reference.g.determinant();
  const SurfaceTensor adjugate = reference.g.adjugate(), own = metric.g.adjugate();
  const Strain strain(reference.g, metric.g);
  const LawAt law = law_at(material, strain.i1, strain.i2);
  const SurfaceTensor s = stress(reference.g, metric.g, law);
  // d_c (sqrt G S)/sqrt G: S is a quotient by det G
  const auto derivative = [&](const SurfaceTensor& reference_by, const SurfaceTensor& metric_by) {
    const double det_by = adjugate.contracted(reference_by), own_det_by = own.contracted(metric_by);
    const SurfaceTensor adjugate_by = reference_by.adjugate(), own_by = metric_by.adjugate();
    const double i1_by =
        (adjugate_by.contracted(metric.g) + adjugate.contracted(metric_by) - (strain.i1 + 2) * det_by) / det;
    const double i2_by = (own_det_by - (strain.i2 + 1) * det_by) / det;
    return (2 / det) * (law.w11 * i1_by * adjugate + law.w1 * adjugate_by + law.w22 * i2_by * own + law.w2 * own_by) +
           (-det_by / (2 * det)) * s;
  };
  const SurfaceTensor by_1 = derivative(reference.by_1, metric.by_1), by_2 = derivative(reference.by_2, metric.by_2);
  return (by_1.s11 + by_2.s12) * t.x1 + (by_1.s12 + by_2.s22) * t.x2 + s.s11 * b.x11 + 2 * s.s12 * b.x12 + s.s22 * b.x22;
}

/// Along two directions, of which the first one's is not the smaller.
struct Principal {
  double larger, smaller;
};

/// Lengths over those of the reference shape along the directions in which they are extreme.
CORRAL_HOST_DEVICE inline Principal principal_stretches(const SurfaceTensor& reference, const SurfaceTensor& metric) {
  // In a basis that is orthonormal in the reference: L^-1 g L^-T with G = L L^T.
  const double l11 = std::sqrt(reference.s11), l21 = reference.s12 / l11;
  const double l22 = std::sqrt(reference.determinant()) / l11;
  const double c11 = metric.s11 / (l11 * l11), m12 = (metric.s12 - l21 / l11 * metric.s11) / (l11 * l22);
  const double c22 = (metric.s22 - 2 * l21 / l11 * metric.s12 + l21 * l21 / (l11 * l11) * metric.s11) / (l22 * l22);
  const double mean = (c11 + c22) / 2, radius = std::hypot((c11 - c22) / 2, m12);
  const double larger = std::sqrt(mean + radius);
  return {larger, std::sqrt(metric.determinant() / reference.determinant()) / larger};
}

/// Forces per length of the surface as it is [N/m] across the directions of the larger and of the smaller stretch.
CORRAL_HOST_DEVICE inline Principal principal_tensions(const SurfaceTensor& reference, const SurfaceTensor& metric,
                                                    const Material& material) {
  const auto [larger, smaller] = principal_stretches(reference, metric);
  const Strain strain(reference, metric);
  const LawAt law = law_at(material, strain.i1, strain.i2);
  const double shared = 2 * larger * smaller * law.w2;
  return {2 * larger / smaller * law.w1 + shared, 2 * smaller / larger * law.w1 + shared};
}

} // namespace corral::structure::radial
