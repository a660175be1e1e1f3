#pragma once

/// What radial surfaces do at a site, on either processor. `README.md` has the equations.

#include "structure/radial/elasticity.hpp"
#include "structure/radial/local_surface.hpp"
#include "structure/setup/material.hpp"
#include "structure/surfaces/membranes.hpp"

#include <corral/host_device.hpp>

#include <array>
#include <cmath>
#include <cstddef>

namespace corral::structure::radial {

CORRAL_HOST_DEVICE inline bool is_bent(const Material& m) { return m.bending_law == BendingLaw::helfrich; }
CORRAL_HOST_DEVICE inline bool is_constrained(const Material& m) {
  return m.volume_stiffness != 0 || m.area_stiffness != 0 || m.tension != 0;
}

/// H - H0 at a sample site and its derivatives by the site's frame.
struct CurvatureSlopes {
  double by_1, by_2, by_11, by_12, by_22;
};

/// A membrane at a sample site, as far as its material asks.
struct SiteShape {
  const RestSite& rest;
  Tangents tangents;
  Bends bends;
  CurvatureSlopes slopes{};         ///< of the collocated rule
  Vector x{};                       ///< from the membrane's origin [m]
  double pressure = 0, tension = 0; ///< of the penalties [Pa], [N/m]
  Vector pulled{};                  ///< from its anchor [m]
};

/// 2 kappa [Lap h + 2 h (H^2 - K + H H0)] n - 4 kappa h grad H0, h = H - H0, per area of the surface as it is: minus the
/// gradient of 2 kappa h^2 per area. The last part, along the surface, is there where H0 belongs to the material and is
/// not the same everywhere.
CORRAL_HOST_DEVICE inline Vector bending_force(const RestSite& rest, const Tangents& t, const Bends& b, const Curvature& now,
                     const CurvatureSlopes& h, double modulus) {
  const auto [connection_1, connection_2] = traced_connection(t, b, now.inverse);
  const SurfaceTensor second{h.by_11, h.by_12, h.by_22};
  const double laplacian = now.inverse.contracted(second) - connection_1 * h.by_1 - connection_2 * h.by_2;
  const double excess = now.mean - rest.mean_curvature;
  const double normal =
      2 * modulus * (laplacian + 2 * excess * (now.mean * now.mean - now.gauss + now.mean * rest.mean_curvature));
  const SurfaceTensor& inverse = now.inverse;
  const double rest_1 = inverse.s11 * rest.curvature_by_1 + inverse.s12 * rest.curvature_by_2;
  const double rest_2 = inverse.s12 * rest.curvature_by_1 + inverse.s22 * rest.curvature_by_2;
  return normal * now.normal - 4 * modulus * excess * (rest_1 * t.x1 + rest_2 * t.x2);
}

/// The force at a sample site per area of the unit sphere [N]: of the elastic law, of bending, and of the penalties: pressure pushes,
/// and tension pulls where the surface is curved.
CORRAL_HOST_DEVICE inline Vector collocated_force(const Material& material, bool pulled, const SiteShape& site) {
  const Tangents& t = site.tangents;
  const Bends& b = site.bends;
  Vector total;
  if (material.law != ElasticLaw::none) total += site.rest.area * elastic_force(site.rest.metric, metric_field(t, b), t, b, material);
  if (is_constrained(material) || is_bent(material)) {
    const Curvature now(t, b);
    Vector force = -(site.pressure + 2 * site.tension * now.mean) * now.normal;
    if (is_bent(material)) force += bending_force(site.rest, t, b, now, site.slopes, material.bending_modulus);
    total += now.area * force;
  }
  if (pulled) total -= site.rest.area * material.tether_stiffness * site.pulled;
  return total;
}

/// Derivatives of the energy of a site by position, tangents and bends.
struct EnergyDerivatives {
  Vector x, x1, x2, x11, x12, x22;

  CORRAL_HOST_DEVICE std::array<Vector, 6> all() const { return {x, x1, x2, x11, x12, x22}; }
};

/// Of energy s^{ab} dg_ab/2.
CORRAL_HOST_DEVICE inline void add_stress(const SurfaceTensor& s, const Tangents& t, EnergyDerivatives& to) {
  to.x1 += s.s11 * t.x1 + s.s12 * t.x2;
  to.x2 += s.s12 * t.x1 + s.s22 * t.x2;
}

/// Of pressure times volume plus tension times area, per area of the unit sphere.
CORRAL_HOST_DEVICE inline void add_constraint(double pressure, double tension, const Vector& x, const Tangents& t, EnergyDerivatives& to) {
  const Vector area = t.area(), pulled = tension * area.normalized();
  const double p = pressure / 3; // V is a third of the integral of x . (X_1 x X_2)
  to.x += p * area;
  to.x1 += p * t.x2.cross(x) + t.x2.cross(pulled);
  to.x2 += p * x.cross(t.x1) + pulled.cross(t.x1);
}

/// Of 2 kappa h^2 per area of the surface, h = H - H0: with dn = -(n . dX_c) X^c,
/// dH = b^{cd} X_d . dX_c + (g^{ab} Gamma^c_ab/2) n . dX_c - (g^{ab}/2) n . dX_ab.
CORRAL_HOST_DEVICE inline void add_bending(double rest_curvature, double modulus, const Tangents& t, const Bends& b, EnergyDerivatives& to) {
  const Curvature now(t, b);
  const double h = now.mean - rest_curvature, by_curvature = 4 * modulus * h * now.area;
  const SurfaceTensor &g = now.inverse, &f = now.form;
  add_stress((2 * modulus * h * h * now.area) * g, t, to); // of the area: d sqrt g = sqrt g g^{ab} dg_ab/2
  const double m11 = g.s11 * f.s11 + g.s12 * f.s12, m12 = g.s11 * f.s12 + g.s12 * f.s22; // g^{ac} b_cd
  const double m21 = g.s12 * f.s11 + g.s22 * f.s12, m22 = g.s12 * f.s12 + g.s22 * f.s22;
  add_stress(by_curvature * SurfaceTensor{m11 * g.s11 + m12 * g.s12, m11 * g.s12 + m12 * g.s22, m21 * g.s12 + m22 * g.s22},
             t, to);
  const auto [connection_1, connection_2] = traced_connection(t, b, g);
  const Vector normal = by_curvature / 2 * now.normal;
  to.x1 += connection_1 * normal;
  to.x2 += connection_2 * normal;
  to.x11 -= g.s11 * normal;
  to.x12 -= 2 * g.s12 * normal;
  to.x22 -= g.s22 * normal;
}

/// Per area of the unit sphere.
CORRAL_HOST_DEVICE inline EnergyDerivatives energy_derivatives(const Material& material, bool pulled, const SiteShape& site) {
  const RestSite& rest = site.rest;
  const Tangents& t = site.tangents;
  EnergyDerivatives found;
  if (material.law != ElasticLaw::none) {
    const Strain strain(rest.metric.g, t.metric());
    add_stress(rest.area * stress(rest.metric.g, t.metric(), law_at(material, strain.i1, strain.i2)), t, found);
  }
  if (is_constrained(material)) add_constraint(site.pressure, site.tension, site.x, t, found);
  if (is_bent(material)) add_bending(rest.mean_curvature, material.bending_modulus, t, site.bends, found);
  if (pulled) found.x += rest.area * material.tether_stiffness * site.pulled;
  return found;
}

/// What the penalties k_V (V - V0)^2/(2 V0) and k_A (A - A0)^2/(2 A0), and the tension gamma A, make of a membrane's volume and area.
struct Penalty {
  double pressure = 0; ///< dE/dV [Pa]
  double tension = 0;  ///< dE/dA [N/m]
  double energy = 0;   ///< [J]
};
CORRAL_HOST_DEVICE inline Penalty penalty_of(const Material& m, double rest_volume, double rest_area, double volume, double area) {
  Penalty p;
  p.pressure = m.volume_stiffness * (volume / rest_volume - 1);
  p.tension = m.area_stiffness * (area / rest_area - 1) + m.tension;
  p.energy = (p.pressure * (volume - rest_volume) + (p.tension - m.tension) * (area - rest_area)) / 2 + m.tension * area;
  return p;
}

/// As std::max: of what is no number the first.
CORRAL_HOST_DEVICE inline double larger_of(double a, double b) { return a < b ? b : a; }

/// Integrals over a part of a membrane's sites.
struct SurfaceSums {
  double volume = 0, area = 0;
  std::array<double, 3> open{};   ///< of n
  std::array<double, 3> first{};  ///< of x (x . n), four times that of x over the volume
  std::array<double, 6> second{}; ///< of x x (x . n), five times that over the volume
  double elastic = 0, bending = 0, tether = 0, stretch = 0;
  double widest = 0, narrowest = HUGE_VAL; ///< area ratios

  CORRAL_HOST_DEVICE SurfaceSums& operator+=(const SurfaceSums& other) {
    volume += other.volume;
    area += other.area;
    for (std::size_t d = 0; d < first.size(); ++d) {
      open[d] += other.open[d];
      first[d] += other.first[d];
    }
    for (std::size_t d = 0; d < second.size(); ++d) second[d] += other.second[d];
    elastic += other.elastic;
    bending += other.bending;
    tether += other.tether;
    stretch = larger_of(stretch, other.stretch);
    widest = larger_of(widest, other.widest);
    narrowest = other.narrowest < narrowest ? other.narrowest : narrowest;
    return *this;
  }
};

/// `area`: outwards, of the site [m2].
CORRAL_HOST_DEVICE inline void add_extent(const Vector& x, const Vector& area, SurfaceSums& sums) {
  const double through = x.dot(area);
  sums.volume += through / 3;
  sums.area += area.norm();
  for (std::size_t d = 0; d < 3; ++d) {
    sums.open[d] += area[d];
    sums.first[d] += through * x[d];
  }
  const double products[] = {x[0] * x[0], x[1] * x[1], x[2] * x[2], x[0] * x[1], x[0] * x[2], x[1] * x[2]};
  for (std::size_t d = 0; d < sums.second.size(); ++d) sums.second[d] += through * products[d];
}

/// The integrals of a volume from those over its surface, by Gauss' theorem.
CORRAL_HOST_DEVICE inline void set_moments(const SurfaceSums& sums, const Vector& origin, MembraneMeasures& measures) {
  const double volume = sums.volume;
  Vector centre; // from the origin
  if (volume != 0) centre = Vector(sums.first[0], sums.first[1], sums.first[2]) / (4 * volume);
  const double products[] = {centre[0] * centre[0], centre[1] * centre[1], centre[2] * centre[2],
                             centre[0] * centre[1], centre[0] * centre[2], centre[1] * centre[2]};
  for (std::size_t d = 0; d < 6; ++d) measures.second_moments[d] = sums.second[d] / 5 - volume * products[d];
  for (std::size_t d = 0; d < 3; ++d) {
    measures.centroid[d] = origin[d] + centre[d];
  }
}

/// What a site's share is.
CORRAL_HOST_DEVICE inline void add_site(const Material& material, bool pulled, double weight, const SiteShape& site, SurfaceSums& sums) {
  const RestSite& rest = site.rest;
  const Tangents& tangents = site.tangents;
  const SurfaceTensor metric = tangents.metric();
  const Strain strain(rest.metric.g, metric);
  add_extent(site.x, weight * tangents.area(), sums);
  sums.elastic += weight * rest.area * law_at(material, strain.i1, strain.i2).energy;
  const auto [larger, smaller] = principal_stretches(rest.metric.g, metric);
  sums.stretch = larger_of(sums.stretch, larger);
  sums.widest = larger_of(sums.widest, larger * smaller);
  sums.narrowest = larger * smaller < sums.narrowest ? larger * smaller : sums.narrowest;
  if (is_bent(material)) {
    const Curvature curvature(tangents, site.bends);
    const double h = curvature.mean - rest.mean_curvature;
    sums.bending += weight * curvature.area * 2 * material.bending_modulus * h * h;
  }
  if (pulled) sums.tether += weight * rest.area * material.tether_stiffness / 2 * site.pulled.squared_norm();
}

/// All but the energy of the penalties.
CORRAL_HOST_DEVICE inline void set_measures(const SurfaceSums& sums, const Vector& origin, MembraneMeasures& measure) {
  measure = {};
  measure.volume = sums.volume;
  measure.area = sums.area;
  set_moments(sums, origin, measure);
  measure.elastic_energy = sums.elastic;
  measure.bending_energy = sums.bending;
  measure.tether_energy = sums.tether;
  measure.longest_stretch = sums.stretch;
  measure.largest_area_ratio = sums.widest;
  measure.least_area_ratio = sums.narrowest;
}

} // namespace corral::structure::radial
