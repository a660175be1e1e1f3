#include "tests/catch.hpp"
#include "tests/structure/triangles/materials.hpp"

#include <corral/error.hpp>

#include <cmath>

namespace corral::test {
namespace {

/// -dE of a small move, from differences of the energy: of fourth order, so that steps may be large enough to keep
/// digits of the energy.
double by_energy(TriangleMembranes& membranes, const Placed& at, const Placed& move) {
  const auto energy_at = [&](double step) {
    Placed moved(at);
    for (std::size_t i = 0; i < at.size(); ++i) moved.set(i, at[i] + step * move[i]);
    double sum = 0;
    for (const MembraneMeasures& m : measures(membranes, moved)) sum += energy(m);
    return sum;
  };
  return -(8 * (energy_at(1) - energy_at(-1)) - (energy_at(2) - energy_at(-2))) / 12;
}

double by_forces(const Placed& forces, const Placed& move) {
  double sum = 0;
  for (std::size_t i = 0; i < move.size(); ++i) sum += dot(forces[i], move[i]);
  return sum;
}

Placed random_move(std::size_t points, double amount, Random& random) {
  Placed move(points);
  for (auto& component : move.x)
    for (double& x : component) x = random.uniform(-amount, amount);
  return move;
}

constexpr double tolerance = 1e-6; // relative: what differences of energies can show

/// Forces of `membranes` against differences of their energy: along random moves of everything, and of single vertices.
void require_gradient(TriangleMembranes& membranes, const Placed& at, double spacing) {
  Random random(11);
  const Placed found = forces(membranes, at);
  for (int i = 0; i < 3; ++i) {
    const Placed move = random_move(at.size(), 2e-5 * spacing, random);
    double terms = 0;
    for (std::size_t v = 0; v < at.size(); ++v) terms += std::abs(dot(found[v], move[v]));
    CHECK(std::abs(by_forces(found, move) - by_energy(membranes, at, move)) < 0.1 * tolerance * terms);
  }
  for (int i = 0; i < 12; ++i) {
    Placed move(at.size());
    const auto v = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(at.size())));
    move.x[i % 3][v] = 5e-5 * spacing;
    const double scale = length(found[v]) * 5e-5 * spacing;
    CHECK(std::abs(by_forces(found, move) - by_energy(membranes, at, move)) < tolerance * scale);
  }
}

} // namespace

TEST_CASE("forces of triangles are minus the gradient of their energy") {
  const ClosedMesh mesh = sphere(2);
  const double spacing = 0.3 * radius;
  for (const auto& [name, material] : every_material())
    for (const double amount : {0.02, 0.1, 0.25}) { // with the last, an eighth of the triangles are obtuse
      INFO(name << ", vertices moved by " << amount << " of their distance");
      TriangleMembranes membranes(mesh.points, mesh.triangles, material, 2);
      std::vector<Vector> points = deformed(mesh.points, amount * spacing, 1);
      for (const Vector& x : deformed(mesh.points, amount * spacing, 2)) points.push_back(x + Vector{9 * um, 0, 0});
      require_gradient(membranes, Placed(points), spacing);
    }
}

TEST_CASE("forces are the gradient about a stress-free shape of its own, too") {
  const ClosedMesh mesh = sphere(2), cell = red_cell(2);
  for (const auto& [name, material] : every_material()) {
    INFO(name);
    TriangleMembranes membranes(cell.points, mesh.triangles, material, 1, mesh.points);
    require_gradient(membranes, Placed(deformed(cell.points, 0.02 * radius, 3)), 0.2 * radius);
  }
}

TEST_CASE("tethers pull to anchors, wherever these have moved") {
  const ClosedMesh mesh = sphere(2);
  Material material;
  material.law = ElasticLaw::none;
  material.tether_stiffness = shear / (radius * radius);
  TriangleMembranes membranes(mesh.points, mesh.triangles, material, 2);
  const Placed at(deformed(mesh.points, 0.1 * radius, 4), 2);
  Placed anchors(mesh.points, 2);
  CHECK_THROWS_AS(forces(membranes, at), Error);
  for (const double shift : {0.0, 0.2 * radius}) {
    for (double& x : anchors.x[1]) x += shift;
    membranes.set_anchors(Cpu{}, anchors.view());
    require_gradient(membranes, at, 0.3 * radius);
  }
  CHECK(largest(forces(membranes, anchors)) == 0);
  // All of them moved alike: k_T shift times the reference's area.
  Placed moved(anchors);
  for (double& z : moved.x[2]) z += 1 * um;
  const Placed found = forces(membranes, moved);
  double total = 0;
  for (std::size_t v = 0; v < mesh.points.size(); ++v) total += found[v][2];
  const double area = measures(membranes, Placed(mesh.points, 2))[0].area;
  CHECK(total == Approx(-material.tether_stiffness * area * um).epsilon(1e-12));
}

} // namespace corral::test
