#include "tests/structure/radial/body.hpp"

#include <algorithm>
#include <map>

namespace corral::test {

using namespace structure;

std::shared_ptr<const radial::SphereSites> shared_sites(std::int64_t data_sites, std::int64_t sample_sites) {
  static std::map<std::pair<std::int64_t, std::int64_t>, std::shared_ptr<const radial::SphereSites>> made;
  auto& sites = made[{data_sites, sample_sites}];
  if (!sites) sites = std::make_shared<const radial::SphereSites>(Cpu{}, data_sites, sample_sites);
  return sites;
}

Point3 ellipsoid(const Point3& site, const std::array<double, 3>& semi_axes) {
  return {semi_axes[0] * site[0], semi_axes[1] * site[1], semi_axes[2] * site[2]};
}

Point3 red_cell(const Point3& site, double radius) {
  const double square = site[0] * site[0] + site[1] * site[1];
  const double height = 0.105 + square - 0.56 * square * square;
  return {radius * site[0], radius * site[1], radius * height * site[2]};
}

PointArrays positions_at(const radial::Spiral& sites, const Map3& map) {
  PointArrays positions = point_arrays(sites.count());
  for (std::int64_t i = 0; i < sites.count(); ++i) {
    const Point3 x = map(sites.point(i));
    for (std::size_t d = 0; d < 3; ++d) positions[d][i] = x[d];
  }
  return positions;
}

Point3 rest_red_cell(const Point3& site) { return red_cell(site, red_cell_radius); }
Point3 rest_ellipsoid(const Point3& site) {
  return ellipsoid(site, {red_cell_radius, 0.8 * red_cell_radius, 1.1 * red_cell_radius});
}

Point3 deformed(const Point3& x) {
  const double r = red_cell_radius, a = x[0] / r, b = x[1] / r, c = x[2] / r;
  return {1.05 * x[0] + 0.03 * r * std::sin(b + c), 0.97 * x[1] + 0.04 * r * std::cos(c - a / 2),
          1.02 * x[2] + 0.03 * r * a * b};
}

Point3 displacement(const Point3& x) {
  const double r = red_cell_radius, a = x[0] / r, b = x[1] / r, c = x[2] / r;
  return {r * std::sin(a + 0.3 * b - c), r * std::cos(b + c / 2), r * (a * a / 2 + std::sin(c))};
}

Body::Body(std::shared_ptr<const radial::SphereSites> all_sites, const Map3& at_rest, const Material& material,
           RadialForces rule, std::int64_t count)
    : sites(std::move(all_sites)), rest(at_rest), markers(point_arrays(count * sites->data().count())),
      force_points(point_arrays(count * sites->samples().count())), forces(force_points) {
  const PointArrays reference = positions_at(sites->data(), rest);
  membranes = std::make_unique<RadialMembranes>(Cpu{}, sites, const_points(reference), material, count, rule);
  for (std::int64_t which = 0; which < count; ++which) place(rest, which);
}

void Body::place(const Map3& map, std::int64_t which) {
  const PointArrays positions = positions_at(sites->data(), map);
  const std::int64_t n = sites->data().count();
  for (std::size_t d = 0; d < 3; ++d) std::copy_n(positions[d].data(), n, markers[d].data() + which * n);
}

void Body::strain(const Map3& map) {
  place([&](const Point3& site) { return map(rest(site)); });
}

void Body::find_forces() {
  membranes->place_force_points(Cpu{}, const_points(markers), points(force_points));
  membranes->forces(Cpu{}, const_points(markers), points(forces));
}

MembraneMeasures Body::measured() const {
  std::vector<MembraneMeasures> measures(static_cast<std::size_t>(membranes->count()));
  membranes->measure(Cpu{}, const_points(markers), measures.data());
  return measures.front();
}

std::array<double, 2> resultants(const Body& body) {
  Point3 force{}, torque{};
  double force_terms = 0, torque_terms = 0;
  for (std::int64_t i = 0; i < body.sites->samples().count(); ++i) {
    const Point3 f = body.force(i), x = body.force_point(i), t = cross(x, f);
    for (std::size_t d = 0; d < 3; ++d) {
      force[d] += f[d];
      torque[d] += t[d];
    }
    force_terms += std::sqrt(dot(f, f));
    torque_terms += std::sqrt(dot(f, f) * dot(x, x));
  }
  return {std::sqrt(dot(force, force)) / force_terms, std::sqrt(dot(torque, torque)) / torque_terms};
}

} // namespace corral::test
