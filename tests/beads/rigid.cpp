#include "tests/beads/run.hpp"

#include "stokes/rigid/rigid_shape.hpp"
#include "tests/catch.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace corral::test {

using namespace geometry;

namespace {

constexpr double pi = std::numbers::pi;

/// Beads of radius 1 in a fluid of viscosity 1/(6 pi); a shell of radius R that is pulled moves by the pull over R.
BeadGroup shell_group(double radius, const Vector& pull) {
  BeadGroup group;
  group.shape = beads::GroupShape::shell;
  group.shell.radius = radius;
  group.shell.beads = stokes::sphere_shell_of(radius, 1).beads;
  group.force = (1 / static_cast<double>(group.shell.beads.size())) * pull;
  return group;
}

BeadsSetup shells(BeadsSetup s, const BeadGroup& group, const std::vector<geometry::Placement>& places) {
  s.groups.push_back(group);
  s.places.push_back(places);
  return s;
}

Vector centre(const Run& run, std::int64_t first, std::int64_t beads) {
  Vector sum{};
  for (std::int64_t i = first; i < first + beads; ++i) sum = sum + run.position(i);
  return (1 / static_cast<double>(beads)) * sum;
}

} // namespace

TEST_CASE("a rigid sphere in an array falls as Zick and Homsy have it") {
  const double R = 5;
  BeadsSetup s = box(std::cbrt(4 * pi / (3 * 0.064)) * R, true);
  s.tolerance = 1e-4;
  Run run(shells(s, shell_group(R, {0, 0, -R}), {at({1, 2, 3})}));
  const auto n = run.step.beads();
  CHECK(-run.velocity(0)[2] == Approx(1 / 2.810).epsilon(0.005)); // 92 beads
  const Vector before = centre(run, 0, n);
  run.go(3);
  CHECK(centre(run, 0, n)[2] - before[2] == Approx(3 * s.time.dt * run.velocity(0)[2]).epsilon(1e-3));
}

TEST_CASE("rigid spheres that fall side by side turn, and keep their shape; a free bead goes with them") {
  for (const auto scheme : {beads::Scheme::euler, beads::Scheme::midpoint, beads::Scheme::ab2}) {
    BeadsSetup s = box(22, true);
    s.tolerance = 1e-4;
    s.time.scheme = scheme;
    s.time.dt = 0.5;
    BeadsSetup two = shells(s, shell_group(2.5, {0, 0, -6}), {at({8, 11, 15}), at({14, 11, 15})});
    add_spheres(two, {{11, 11, 18.5}}, {0, 0, -1});
    Run run(two);
    const auto n = two.groups[0].beads();
    const double across = length(run.position(0) - run.position(n / 2));
    const Vector first = run.position(0) - centre(run, 0, n);
    run.go(10);
    CHECK(length(run.position(0) - run.position(n / 2)) == Approx(across).epsilon(1e-12));
    const Vector turned = run.position(0) - centre(run, 0, n);
    CHECK(length(turned) == Approx(length(first)).epsilon(1e-12));
    CHECK(length(turned - first) > 0.1);
    CHECK(centre(run, 0, n)[2] == Approx(centre(run, n, n)[2]).epsilon(1e-6)); // mirror images
    CHECK(centre(run, 0, n)[2] < 13);
    CHECK(run.position(2 * n)[2] < 18);
    CHECK(run.position(2 * n)[0] == Approx(11).epsilon(1e-5));
  }
}

TEST_CASE("rigid bodies' steps are of the order of their scheme", "[physics]") {
  const auto end = [](beads::Scheme scheme, std::int64_t steps) {
    BeadsSetup s = box(14, true);
    s.tolerance = 1e-7;
    s.time.scheme = scheme;
    s.time.dt = 2.0 / static_cast<double>(steps);
    Run run(shells(s, shell_group(2.5, {0, 0, -2.5}), {at({4, 7, 6}), at({8, 7, 9.5})}));
    run.go(steps);
    return run.position(0);
  };
  for (const auto& [scheme, order] : {std::pair{beads::Scheme::euler, 1.0}, std::pair{beads::Scheme::midpoint, 2.0}}) {
    const Vector coarse = end(scheme, 4), fine = end(scheme, 8), finer = end(scheme, 16);
    CHECK(std::log2(length(coarse - fine) / length(fine - finer)) == Approx(order).margin(0.35));
  }
}

TEST_CASE("forces beside a shell's centre turn it as a torque turns its sphere") {
  const double R = 4;
  const BeadsSetup s = shells(box(80, true), shell_group(R, {}), {at({20, 21, 22})});
  const Grid grid = s.make_grid();
  run::Registry registry(grid);
  stokes::Mobility mobility(beads::spheres_of(s));
  const auto n = s.groups[0].beads();
  const std::vector<beads::Assembly> one{{0, 0, n}};
  beads::RigidParts parts(s, one, n, mobility, registry);
  std::array<Array<double>, 3> x, f, u;
  for (auto* all : {&x, &f, &u})
    for (Array<double>& a : *all) a.resize(n, 0.0);
  const auto pointers = [](std::array<Array<double>, 3>& a) { return structure::Points{a[0].data(), a[1].data(), a[2].data()}; };
  const auto constant = [](std::array<Array<double>, 3>& a) { return structure::ConstPoints{a[0].data(), a[1].data(), a[2].data()}; };
  parts.put(parts.places(), pointers(x));
  double torque = 0;
  for (std::int64_t i = 0; i < n; ++i) { // round z, and none of them turns it back
    f[0][i] = -(x[1][i] - 21);
    f[1][i] = x[0][i] - 20;
    torque += f[0][i] * f[0][i] + f[1][i] * f[1][i];
  }
  parts.solve(parts.places(), {}, constant(x), constant(f), pointers(u));
  CHECK(parts.found()[5] == Approx(0.75 * torque / (R * R * R)).epsilon(0.06)); // T/(8 pi mu R^3)
  CHECK(std::abs(parts.found()[2]) < 1e-6);
  CHECK(u[1][0] == Approx(parts.found()[5] * (x[0][0] - 20)).margin(1e-6));
}

TEST_CASE("a squirmer alone swims at its speed, and pushes the fluid with its dipole") {
  for (const double dipole : {0.0, -3.0, 2.0}) {
    BeadsSetup s = box(70, false);
    s.tolerance = 1e-3;
    BeadGroup group = shell_group(4, {});
    group.shell.speed = 1;
    group.shell.dipole = dipole;
    BeadsSetup all = shells(s, group, {{Rotation::about({1, 0, 0}, 0.5 * pi), {35, 35, 35}}}); // along -y
    const double r = 30;
    add_spheres(all, {{35, 35 - r, 35}, {35 + r, 35, 35}}, {});
    const Run run(all);
    CHECK(run.velocity(0)[1] == Approx(-1).epsilon(5e-3));
    CHECK(length(run.step.axis(0) - Vector{0, -1, 0}) < 1e-12);
    // Blake's flow at beads far off, whose part of B1 a thick skin has less well: u_r = 2/3 B1 (R/r)^3 cos(theta) + B2 ((R/r)^4 - (R/r)^2) P2.
    const double B1 = 1.5, q = 4 / r, far = dipole * B1 * (std::pow(q, 4) - q * q);
    CHECK(-run.velocity(group.beads())[1] == Approx(2 * B1 / 3 * q * q * q + far).margin(0.04 * std::abs(far) + 0.3 * q * q * q));
    CHECK(run.velocity(group.beads() + 1)[0] == Approx(-0.5 * far).margin(0.04 * std::abs(far) + 0.3 * q * q * q));
  }
}

TEST_CASE("lubricated spheres that are pushed together come to touch late") {
  const auto gap = [](bool lubricated) {
    BeadsSetup s = box(12, true);
    s.tolerance = 1e-4;
    s.time.dt = 0.02;
    if (lubricated) s.lubrication.emplace(stokes::LubricatedMobility::Options{.error = 1e-4});
    add_spheres(s, {{6, 6, 4.5}}, {0, 0, 1});
    add_spheres(s, {{6, 6, 7}}, {0, 0, -1});
    Run run(s);
    run.go(50);
    return run.position(1)[2] - run.position(0)[2] - 2;
  };
  CHECK(gap(true) > 0.02);
  CHECK(gap(false) < 0);
}

} // namespace corral::test
