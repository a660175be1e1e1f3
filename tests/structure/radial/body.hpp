#pragma once

#include "geometry/vector.hpp"
#include "structure/radial/radial_membranes.hpp"
#include "structure/radial/sphere/sphere_sites.hpp"
#include "tests/sanitized.hpp"

#include <corral/array.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace corral::test {

using Point3 = std::array<double, 3>;
using Map3 = std::function<Point3(const Point3&)>;
using PointArrays = std::array<Array<double>, 3>;

inline constexpr double red_cell_radius = 3.91e-6; ///< [m]

inline structure::ConstPoints const_points(const PointArrays& x) { return {x[0].data(), x[1].data(), x[2].data()}; }
inline structure::Points points(PointArrays& x) { return {x[0].data(), x[1].data(), x[2].data()}; }
inline PointArrays point_arrays(std::int64_t n) { return {Array<double>(n), Array<double>(n), Array<double>(n)}; }
inline Point3 point(const PointArrays& x, std::int64_t i) { return {x[0][i], x[1][i], x[2][i]}; }
using geometry::cross;
using geometry::dot;

/// Sites by their numbers, made once for all tests.
std::shared_ptr<const structure::radial::SphereSites> shared_sites(std::int64_t data_sites, std::int64_t sample_sites);
/// The paper's numbers for a red cell; fewer where sanitizers slow things down.
inline std::shared_ptr<const structure::radial::SphereSites> paper_sites() {
  return sanitized ? shared_sites(216, 880) : shared_sites(864, 8832);
}

/// Maps of the unit sphere to space [m], smooth everywhere, poles included, and outwards.
Point3 ellipsoid(const Point3& site, const std::array<double, 3>& semi_axes);
inline Point3 sphere(const Point3& site, double radius) { return ellipsoid(site, {radius, radius, radius}); }
/// A red cell's shape at rest: x, y = R0 times those of the site, z = R0 p(r) times the site's, r^2 = x^2 + y^2 of the
/// site, p(r) = .105 + r^2 - .56 r^4. With R0 = 3.91 um: 94.4 um3 and 134.2 um2, .82 um thick in the middle, 2.57 um at
/// most.
Point3 red_cell(const Point3& site, double radius);
/// Positions of the spiral's sites under a map, component by component.
PointArrays positions_at(const structure::radial::Spiral& sites, const Map3& map);

/// Shapes at rest.
Point3 rest_red_cell(const Point3& site);
Point3 rest_ellipsoid(const Point3& site);
/// A smooth map of space that strains shapes of a red cell's size by some percent, and a smooth displacement on it.
Point3 deformed(const Point3& x);
Point3 displacement(const Point3& x);

/// One or more membranes with positions and forces.
struct Body {
  Body(std::shared_ptr<const structure::radial::SphereSites> sites, const Map3& rest, const structure::Material& material,
       structure::RadialForces rule = structure::RadialForces::collocated, std::int64_t count = 1);

  /// Puts the markers of one membrane.
  void place(const Map3& map, std::int64_t which = 0);
  /// `map` after the rest shape.
  void strain(const Map3& map);
  void find_forces();
  structure::MembraneMeasures measured() const;
  /// Where sites of the first membrane are.
  Point3 force_point(std::int64_t i) const { return point(force_points, i); }
  Point3 force(std::int64_t i) const { return point(forces, i); }

  std::shared_ptr<const structure::radial::SphereSites> sites;
  Map3 rest;
  std::unique_ptr<structure::RadialMembranes> membranes;
  PointArrays markers, force_points, forces;
};

/// Sum of force and of torque about the origin over a membrane, each over the sum of absolute terms.
std::array<double, 2> resultants(const Body&);

/// Skalak's, with the moduli of a red cell.
inline structure::Material skalak(double area_ratio = 100) {
  structure::Material material;
  material.law = structure::ElasticLaw::skalak;
  material.shear_modulus = 2.5e-6;
  material.area_ratio = area_ratio;
  return material;
}
inline structure::Material neo_hookean() {
  structure::Material material = skalak();
  material.law = structure::ElasticLaw::neo_hookean;
  return material;
}
inline structure::Material helfrich(structure::RestCurvature rest) {
  structure::Material material;
  material.law = structure::ElasticLaw::none;
  material.bending_law = structure::BendingLaw::helfrich;
  material.bending_modulus = 2e-19;
  material.rest_curvature = rest;
  return material;
}

} // namespace corral::test
