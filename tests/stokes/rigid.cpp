#include "stokes/rigid/rigid_mobility.hpp"
#include "tests/catch.hpp"

#include <corral/error.hpp>

#include <array>
#include <cmath>
#include <numbers>

namespace corral::test {
namespace {

using geometry::Rotation;
using geometry::Vector;
using stokes::RigidMobility;
using stokes::RigidPlace;
using stokes::RigidShape;
using stokes::Six;

constexpr double pi = std::numbers::pi;

stokes::Mobility mobility_of(double edge, double bead, std::int64_t beads, double tolerance, bool periodic = true) {
  return stokes::Mobility({.box = {.edge = {edge, edge, edge}, .periodic = {periodic, periodic, periodic}},
                           .radius = bead,
                           .viscosity = 1 / (6 * pi),
                           .tolerance = tolerance,
                           .count = beads});
}
RigidShape shell_shape(const stokes::Shell& shell) { return {shell.beads, shell.radius}; }

std::vector<Six> motions(RigidMobility& bodies, const std::vector<RigidPlace>& places, const std::vector<Six>& loads) {
  std::vector<Six> all(places.size());
  bodies(Cpu{}, places, loads, all);
  return all;
}

} // namespace

TEST_CASE("a shell alone moves as its sphere, and turns nearly so") {
  for (const int frequency : {1, 2, 4}) {
    const stokes::Shell shell = stokes::sphere_shell(2, frequency);
    const RigidShape shape = shell_shape(shell);
    CHECK(shape.hydrodynamic_radius() == Approx(2));
    const Six turning = shape.motion({0, 0, 0, 0, 0, 1}); // 1/R^3
    CHECK(turning[5] * 8 == Approx(1).epsilon(frequency == 1 ? 0.1 : frequency == 2 ? 0.06 : 0.02));
    CHECK(std::abs(turning[2]) < 1e-9);
  }
}

TEST_CASE("shells of beads that are given move as their spheres, too") {
  for (const double radius : {2.4, 5.0, 7.7}) {
    const stokes::Shell shell = stokes::sphere_shell_of(radius, 1);
    CHECK(shell.radius == 1);
    CHECK(shell_shape(shell).hydrodynamic_radius() == Approx(radius).epsilon(1e-8));
    CHECK(geometry::length(shell.beads[0]) < radius);
  }
  CHECK(stokes::sphere_shell_of(7.7, 1).beads.size() == 162);
  CHECK_THROWS_WITH(stokes::sphere_shell_of(2, 1), Catch::Matchers::ContainsSubstring("12 beads, the fewest"));
  CHECK_THROWS_WITH(stokes::sphere_shell_of(40, 1), Catch::Matchers::ContainsSubstring("642 beads, the most"));
}

TEST_CASE("drag of a simple cubic array is Zick and Homsy's") {
  const std::array<std::array<double, 2>, 3> table{{{0.027, 2.008}, {0.064, 2.810}, {0.125, 4.292}}};
  const stokes::Shell shell = stokes::sphere_shell(1, 4);
  for (const auto& [c, K] : table) {
    auto mobility =
        mobility_of(std::cbrt(4 * pi / (3 * c)), shell.radius, static_cast<std::int64_t>(shell.beads.size()), 1e-5);
    std::vector<RigidShape> shapes;
    shapes.push_back(shell_shape(shell));
    RigidMobility bodies(mobility, std::move(shapes), 1e-4);
    const auto u = motions(bodies, {{.centre = {0.4, 0.1, 0.2}}}, {{0, 0, 1, 0, 0, 0}});
    CHECK(1 / u[0][2] == Approx(K).epsilon(0.002));
    CHECK(std::abs(u[0][0]) < 1e-3);
  }
}

TEST_CASE("two shells fall as two spheres do: bispherical coordinates have the speeds") {
  // Stimson and Jeffery 1926, in line; Goldman, Cox and Brenner 1966, side by side and free to turn: speed over one's
  // alone.
  const stokes::Shell shell = stokes::sphere_shell(1, 4);
  auto mobility = mobility_of(8, shell.radius, 2 * static_cast<std::int64_t>(shell.beads.size()), 1e-5, false);
  std::vector<RigidShape> shapes;
  shapes.push_back(shell_shape(shell));
  RigidMobility bodies(mobility, std::move(shapes), 1e-5);
  for (const auto& [apart, in_line] :
       {std::array{2.2553, 1 / 0.6596}, std::array{3.0862, 1 / 0.7024}}) { // cosh(.5), cosh(1) twice
    const auto u = motions(bodies, {{.centre = {4, 4, 2}}, {.centre = {4, 4, 2 + apart}}}, {{0, 0, 1}, {0, 0, 1}});
    CHECK(u[0][2] == Approx(u[1][2]).epsilon(1e-4));
    CHECK(u[0][2] == Approx(in_line).epsilon(0.002));
  }
}

TEST_CASE("motions turn with bodies, their matrix is symmetric, and single beads are bodies, too") {
  const stokes::Shell shell = stokes::sphere_shell(1, 1);
  std::vector<Vector> rod;
  for (int i = 0; i < 5; ++i) rod.push_back({0, 0, 2 * shell.radius * (i - 2)});
  auto mobility = mobility_of(9, shell.radius, 20, 1e-6);
  std::vector<RigidShape> shapes;
  shapes.push_back(shell_shape(shell));
  shapes.emplace_back(rod, shell.radius);
  shapes.emplace_back(std::vector<Vector>{{0, 0, 0}}, shell.radius);
  RigidMobility bodies(mobility, std::move(shapes), 1e-6);
  const Rotation turn = geometry::random_rotation(0.2, 0.5, 0.9);
  const std::vector<RigidPlace> places{{0, {1, 1, 1}, turn}, {1, {4, 4, 1}, turn * turn}, {2, {6, 2, 7}, {}}};
  std::vector<std::vector<double>> matrix;
  for (std::size_t k = 0; k < 18; ++k) {
    std::vector<Six> loads(3);
    loads[k / 6][k % 6] = 1;
    const auto u = motions(bodies, places, loads);
    matrix.emplace_back();
    for (const Six& six : u) matrix.back().insert(matrix.back().end(), six.begin(), six.end());
  }
  for (std::size_t i = 0; i < 18; ++i)
    for (std::size_t j = 0; j < 18; ++j) CHECK(matrix[i][j] == Approx(matrix[j][i]).margin(2e-5));
  for (std::size_t k = 15; k < 18; ++k) CHECK(matrix[k][k] == 0); // a bead's own turning isn't known
  // The rod is easier to move along its axis.
  const Vector axis = (turn * turn)({0, 0, 1});
  double along = 0, all = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    all += matrix[6 + i][6 + i];
    for (std::size_t j = 0; j < 3; ++j) along += axis[i] * axis[j] * matrix[6 + i][6 + j];
  }
  CHECK(along > 1.1 * (all - along) / 2);
  CHECK(along < 1.5 * (all - along) / 2);
  // Sums of forces are those asked for.
  const auto& f = bodies.bead_forces();
  double sum = 0;
  for (std::int64_t i = 0; i < f.size(); ++i) sum += f[i];
  CHECK(sum == Approx(0).margin(1e-9));
}

TEST_CASE("a squirmer swims at two thirds of its slip as beads become small") {
  // Blake's B1 sin(theta) along the polar angle. Beads are a thick skin: their error falls as their size.
  const auto speed = [](int frequency) {
    const stokes::Shell shell = stokes::sphere_shell(1, frequency);
    std::vector<Vector> slip;
    for (const Vector& x : shell.beads) {
      const Vector n = geometry::direction(x);
      slip.push_back({n[2] * n[0], n[2] * n[1], n[2] * n[2] - 1});
    }
    auto mobility = mobility_of(12, shell.radius, static_cast<std::int64_t>(shell.beads.size()), 1e-5, false);
    std::vector<RigidShape> shapes;
    shapes.emplace_back(shell.beads, shell.radius, slip);
    RigidMobility bodies(mobility, std::move(shapes), 1e-5);
    const Rotation turn = Rotation::about({1, 0, 0}, 0.5 * pi);
    const auto u = motions(bodies, {{0, {6, 6, 6}, turn}}, {{}});
    const Vector velocity{u[0][0], u[0][1], u[0][2]}, ahead = turn({0, 0, 1});
    CHECK(geometry::length(geometry::cross(velocity, ahead)) < 1e-6);
    return geometry::dot(velocity, ahead);
  };
  const double coarse = speed(2), fine = speed(4);
  CHECK((coarse - 2.0 / 3) / (fine - 2.0 / 3) == Approx(2).epsilon(0.05));
  CHECK(2 * fine - coarse == Approx(2.0 / 3).epsilon(0.02));
}

TEST_CASE("bodies that can't be are refused") {
  using Catch::Matchers::ContainsSubstring;
  CHECK_THROWS_WITH(RigidShape({}, 1), ContainsSubstring("without beads"));
  CHECK_THROWS_WITH(RigidShape({{0, 0, 0}, {0, 0, 0}}, 1), ContainsSubstring("in one place"));
  CHECK_THROWS_WITH(RigidShape({{0, 0, 0}}, 0), ContainsSubstring("positive"));
  CHECK_THROWS_WITH(RigidShape({{0, 0, 0}}, 1, {{0, 0, 0}, {0, 0, 0}}), ContainsSubstring("2 slips of 1 beads"));
  CHECK_THROWS_WITH(stokes::sphere_shell(1, 13), ContainsSubstring("1 to 12"));
  auto mobility = mobility_of(9, 1, 1, 1e-4);
  CHECK_THROWS_WITH(RigidMobility(mobility, {}, 1), ContainsSubstring("1e-12 to .1"));
  RigidMobility none(mobility, {}, 1e-4);
  std::vector<Six> one(1);
  CHECK_THROWS_WITH(none(Cpu{}, std::vector<RigidPlace>(1), one, one), ContainsSubstring("shape 0"));
  CHECK_THROWS_WITH(none(Cpu{}, std::vector<RigidPlace>(2), one, one), ContainsSubstring("one each"));
}

} // namespace corral::test
