#include "tests/catch.hpp"
#include "tests/structure/triangles/materials.hpp"
#include "tests/tolerance.hpp"

#include <corral/execution.hpp>

#include <cmath>
#include <cstring>

namespace corral::test {
namespace {

/// About the axis (1, 2, 3).
Vector turned(const Vector& x, double angle) {
  const Vector axis = (1 / std::sqrt(14.0)) * Vector{1, 2, 3};
  return std::cos(angle) * x + std::sin(angle) * cross(axis, x) + (1 - std::cos(angle)) * dot(axis, x) * axis;
}

template <class T> bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

bool same_bits(const Placed& a, const Placed& b) {
  return same_bits(a.x[0], b.x[0]) && same_bits(a.x[1], b.x[1]) && same_bits(a.x[2], b.x[2]);
}

} // namespace

TEST_CASE("a free membrane has no net force and no torque") {
  const ClosedMesh mesh = sphere(3);
  const Placed markers(deformed(mesh.points, 0.02 * radius, 5));
  for (const auto& [name, material] : every_material()) {
    INFO(name);
    TriangleMembranes membranes(mesh.points, mesh.triangles, material, 1);
    const Placed found = forces(membranes, markers);
    Vector force{}, torque{};
    double forces_terms = 0, torque_terms = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      force = force + found[i];
      torque = torque + cross(markers[i], found[i]);
      forces_terms += length(found[i]);
      torque_terms += length(markers[i]) * length(found[i]);
    }
    CHECK(forces_terms > 0);
    CHECK(length(force) < round_off(64) * forces_terms);
    CHECK(length(torque) < round_off(64) * torque_terms);
  }
}

TEST_CASE("forces turn with a membrane, and do not see where it is") {
  const ClosedMesh mesh = sphere(3);
  const std::vector<Vector> points = deformed(mesh.points, 0.01 * radius, 6);
  const double angle = 0.7;
  Placed there(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    there.set(i, turned(points[i], angle) + Vector{-8 * um, 3 * um, 5 * um});
  for (const auto& [name, material] : every_material()) {
    INFO(name);
    TriangleMembranes membranes(mesh.points, mesh.triangles, material, 1);
    const Placed here(points), found = forces(membranes, here), moved = forces(membranes, there);
    const double digits = 4 * round_off(64) * radius / membranes.spacing(); // sides lose these to places
    double error = 0;
    for (std::size_t i = 0; i < found.size(); ++i) error = std::max(error, length(moved[i] - turned(found[i], angle)));
    CHECK(error < digits * largest(found));
    CHECK(energy(measures(membranes, there)[0]) == Approx(energy(measures(membranes, here)[0])).epsilon(digits));
  }
}

TEST_CASE("units are of no consequence") {
  const ClosedMesh mesh = sphere(2), large = sphere(2, 1e6 * radius);
  for (const auto& [name, material] : every_material()) {
    INFO(name);
    Material scaled(material); // metres to micrometres, forces as they are
    scaled.shear_modulus /= 1e6;
    scaled.area_stiffness /= 1e6;
    scaled.tension /= 1e6;
    scaled.bending_modulus *= 1e6;
    scaled.volume_stiffness /= 1e12;
    TriangleMembranes membranes(mesh.points, mesh.triangles, material, 1),
        others(large.points, large.triangles, scaled, 1);
    const std::vector<Vector> points = deformed(mesh.points, 0.02 * radius, 7);
    std::vector<Vector> large_points(points);
    for (Vector& x : large_points) x = 1e6 * x;
    const Placed found = forces(membranes, Placed(points)), other = forces(others, Placed(large_points));
    double error = 0;
    for (std::size_t i = 0; i < found.size(); ++i) error = std::max(error, length(found[i] - other[i]));
    CHECK(error < round_off(512) * largest(found));
  }
}

TEST_CASE("membranes have the same bits for any number of threads, and whoever is beside them") {
  const ClosedMesh mesh = sphere(4);
  const std::size_t count = 14; // more than are handled at once
  std::vector<Vector> points, held;
  for (std::size_t c = 0; c < count; ++c) {
    for (const Vector& x : deformed(mesh.points, 0.005 * radius, c)) points.push_back(x);
    for (const Vector& x : deformed(mesh.points, 0.005 * radius, c + count)) held.push_back(x);
  }
  const Placed markers(points), anchors(held);
  for (const BendingLaw law : {BendingLaw::dihedral, BendingLaw::helfrich}) {
    Material material = bending(law, RestCurvature::reference);
    material.law = ElasticLaw::neo_hookean;
    material.shear_modulus = material.area_stiffness = shear;
    material.volume_stiffness = shear / radius;
    material.tether_stiffness = shear / (radius * radius);
    TriangleMembranes membranes(mesh.points, mesh.triangles, material, static_cast<std::int64_t>(count));
    membranes.set_anchors(Cpu{}, anchors.view());
    Placed first(0);
    std::vector<double> first_figures;
    for (const int threads : {1, 2, 3})
      run_with_threads(threads, [&] {
        const Placed found = forces(membranes, markers);
        std::vector<double> figures;
        for (const MembraneMeasures& m : measures(membranes, markers)) {
          figures.insert(figures.end(), {m.volume, m.area, m.longest_stretch, energy(m)});
          figures.insert(figures.end(), m.second_moments.begin(), m.second_moments.end());
        }
        if (threads == 1) first = found, first_figures = figures;
        CHECK(same_bits(found, first));
        CHECK(same_bits(figures, first_figures));
      });
    TriangleMembranes alone(mesh.points, mesh.triangles, material, 1);
    const std::size_t last = (count - 1) * mesh.points.size();
    alone.set_anchors(Cpu{}, Placed(std::span(held).subspan(last)).view());
    const Placed found = forces(alone, Placed(std::span(points).subspan(last)));
    bool same = true;
    for (std::size_t i = 0; i < found.size(); ++i) same = same && found[i] == first[last + i];
    CHECK(same);
  }
}

} // namespace corral::test
