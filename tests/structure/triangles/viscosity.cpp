#include "tests/catch.hpp"
#include "tests/structure/triangles/materials.hpp"
#include "tests/tolerance.hpp"

#include <corral/error.hpp>
#include <corral/execution.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

/// The viscosity of a surface itself.
namespace corral::test {
namespace {

constexpr double mu_s = 3e-7, mu_d = 8e-7; // [N s/m]
using Gradient = std::array<Vector, 3>;     ///< [d] of component d [1/s]

Material viscous(double shear, double dilatation) {
  Material material;
  material.law = ElasticLaw::none;
  material.shear_viscosity = shear, material.dilatation_viscosity = dilatation;
  return material;
}

Placed forces_of(TriangleMembranes& membranes, const Placed& at, const Placed& velocities) {
  Placed found(at.size());
  membranes.viscous_forces(Cpu{}, at.view(), velocities.view(), found.writable());
  return found;
}

double power(const Placed& forces, const Placed& velocities) {
  double sum = 0;
  for (std::size_t i = 0; i < forces.size(); ++i) sum += dot(forces[i], velocities[i]);
  return sum;
}

Placed random_velocities(std::size_t points, std::uint64_t seed) {
  Random random(seed);
  Placed velocities(points);
  for (auto& component : velocities.x)
    for (double& u : component) u = random.uniform(-1e-3, 1e-3);
  return velocities;
}

Placed linear(const Placed& at, const Gradient& L, const Vector& drift = {}) {
  Placed u(at.size());
  for (std::size_t i = 0; i < at.size(); ++i) u.set(i, drift + Vector{dot(L[0], at[i]), dot(L[1], at[i]), dot(L[2], at[i])});
  return u;
}

/// Of 2 mu_s (D : D - tr(D)^2/2) + mu_d tr(D)^2 with D = P sym(L) P, over the triangles' areas [W].
double dissipation(const ClosedMesh& mesh, const Placed& at, const Gradient& L, double shear, double dilatation) {
  double sum = 0;
  for (const auto& [a, b, c] : mesh.triangles) {
    const Vector N = cross(at[b] - at[a], at[c] - at[a]), n = (1 / length(N)) * N;
    double D[3][3], E[3][3] = {}, trace = 0, square = 0;
    const auto P = [&](std::size_t i, std::size_t j) { return (i == j ? 1 : 0) - n[i] * n[j]; };
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) D[i][j] = 0.5 * (L[i][j] + L[j][i]);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        for (std::size_t k = 0; k < 3; ++k)
          for (std::size_t l = 0; l < 3; ++l) E[i][j] += P(i, k) * D[k][l] * P(l, j);
    for (std::size_t i = 0; i < 3; ++i) trace += E[i][i];
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) square += E[i][j] * E[i][j];
    sum += 0.5 * length(N) * (shear * (2 * square - trace * trace) + dilatation * trace * trace);
  }
  return sum;
}

} // namespace

TEST_CASE("a viscous surface takes the power of its rate of strain in its tangent planes") {
  const ClosedMesh mesh = sphere(2);
  const Placed at(deformed(mesh.points, 0.05 * radius, 1));
  const Gradient L{Vector{300, -500, 100}, Vector{200, 400, -700}, Vector{-100, 600, 50}};
  const Placed u = linear(at, L, {1e-3, 2e-3, -1e-3});
  for (const auto& [shear, dilatation] : {std::pair{mu_s, 0.0}, {0.0, mu_d}, {mu_s, mu_d}}) {
    TriangleMembranes membranes(mesh.points, mesh.triangles, viscous(shear, dilatation), 1);
    const double expected = dissipation(mesh, at, L, shear, dilatation);
    CHECK(expected > 0);
    CHECK(-power(forces_of(membranes, at, u), u) == Approx(expected).epsilon(1e-11));
  }
  // A sphere that grows has no shear: its area's growth alone, twice the rate, costs.
  const Placed growth = linear(at, {Vector{100, 0, 0}, Vector{0, 100, 0}, Vector{0, 0, 100}});
  TriangleMembranes sheared(mesh.points, mesh.triangles, viscous(mu_s, 0), 1), dilated(mesh.points, mesh.triangles, viscous(0, mu_d), 1);
  const double area = measures(dilated, at)[0].area;
  CHECK(-power(forces_of(dilated, at, growth), growth) == Approx(mu_d * 200 * 200 * area).epsilon(1e-11));
  CHECK(std::abs(power(forces_of(sheared, at, growth), growth)) < round_off(100) * mu_s * 200 * 200 * area);
}

TEST_CASE("forces of a surface's viscosity are symmetric, take energy, and have neither resultant nor torque") {
  const ClosedMesh mesh = sphere(3);
  const Placed at(deformed(mesh.points, 0.02 * radius, 5));
  TriangleMembranes membranes(mesh.points, mesh.triangles, viscous(mu_s, mu_d), 1);
  const Placed u = random_velocities(at.size(), 2), v = random_velocities(at.size(), 3);
  const Placed of_u = forces_of(membranes, at, u), of_v = forces_of(membranes, at, v);
  CHECK(power(of_u, u) < 0);
  CHECK(std::abs(power(of_u, v) - power(of_v, u)) < round_off(64) * -power(of_u, u));
  Vector force{}, torque{};
  double forces_terms = 0, torque_terms = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    force = force + of_u[i], torque = torque + cross(at[i], of_u[i]);
    forces_terms += length(of_u[i]), torque_terms += length(at[i]) * length(of_u[i]);
  }
  CHECK(length(force) < round_off(64) * forces_terms);
  CHECK(length(torque) < round_off(64) * torque_terms);
}

TEST_CASE("a viscous surface does not resist that it moves as a rigid body") {
  const ClosedMesh mesh = sphere(3);
  const Placed at(deformed(mesh.points, 0.02 * radius, 5));
  TriangleMembranes membranes(mesh.points, mesh.triangles, viscous(mu_s, mu_d), 1);
  const Vector spin{300, -200, 500}; // [1/s]
  const Placed drifting = linear(at, {}, {1e-3, -2e-3, 3e-3});
  const Placed turning = linear(at, {Vector{0, -spin[2], spin[1]}, Vector{spin[2], 0, -spin[0]}, Vector{-spin[1], spin[0], 0}});
  const double of_strain = largest(forces_of(membranes, at, linear(at, {Vector{300, 0, 0}, Vector{0, -200, 0}, Vector{0, 0, 500}})));
  CHECK(largest(forces_of(membranes, at, drifting)) == 0);
  CHECK(largest(forces_of(membranes, at, turning)) < round_off(64) * radius / membranes.spacing() * of_strain);
}

TEST_CASE("viscous forces have the same bits for any number of threads, and other forces do not see that viscosity") {
  const ClosedMesh mesh = sphere(4);
  const std::size_t count = 14; // more than are handled at once
  std::vector<Vector> points;
  for (std::size_t c = 0; c < count; ++c)
    for (const Vector& x : deformed(mesh.points, 0.005 * radius, c)) points.push_back(x);
  const Placed at(points), u = random_velocities(points.size(), 4);
  Material material = elastic(ElasticLaw::skalak);
  TriangleMembranes plain(mesh.points, mesh.triangles, material, static_cast<std::int64_t>(count));
  material.shear_viscosity = mu_s;
  TriangleMembranes membranes(mesh.points, mesh.triangles, material, static_cast<std::int64_t>(count));
  CHECK_FALSE(plain.viscous());
  CHECK(membranes.viscous());
  CHECK(forces(membranes, at).x == forces(plain, at).x);
  const Placed any = forces_of(membranes, at, u);
  for (const int threads : {1, 2, 3}) run_with_threads(threads, [&] { CHECK(forces_of(membranes, at, u).x == any.x); });
}

TEST_CASE("a triangle without area has no viscous forces, and viscosities that are no numbers are refused") {
  const ClosedMesh mesh = sphere(2);
  TriangleMembranes membranes(mesh.points, mesh.triangles, viscous(mu_s, mu_d), 1);
  std::vector<Vector> points = mesh.points;
  points[static_cast<std::size_t>(mesh.triangles[0][1])] = points[static_cast<std::size_t>(mesh.triangles[0][0])];
  const Placed found = forces_of(membranes, Placed(points), random_velocities(points.size(), 1));
  CHECK(std::isfinite(largest(found)));
  for (const double bad : {-1e-9, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    CHECK_THROWS_AS(TriangleMembranes(mesh.points, mesh.triangles, viscous(bad, 0), 1), Error);
    CHECK_THROWS_AS(TriangleMembranes(mesh.points, mesh.triangles, viscous(0, bad), 1), Error);
  }
}

} // namespace corral::test
