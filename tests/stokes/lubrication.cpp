#include "stokes/lubrication/lubricated_mobility.hpp"
#include "tests/catch.hpp"
#include "tests/stokes/points.hpp"

#include <corral/error.hpp>

#include <cmath>
#include <numbers>

namespace corral::test {
namespace {

using stokes::LubricatedMobility;
using stokes::Mobility;

constexpr double pi = std::numbers::pi;

Mobility unit_spheres(const Box& box, std::size_t n, double tolerance = 1e-5) {
  return Mobility({.box = box,
                   .radius = 1,
                   .viscosity = 1 / (6 * pi),
                   .tolerance = tolerance,
                   .count = static_cast<std::int64_t>(n)});
}
std::array<Column<double>, 3> columns(std::vector<Point>& x) {
  const auto n = static_cast<std::int64_t>(x.size());
  return {{{x[0].data(), n, 3}, {x[0].data() + 1, n, 3}, {x[0].data() + 2, n, 3}}};
}
std::vector<Point> velocities(LubricatedMobility& mobility, const std::vector<Point>& at, std::vector<Point> force,
                              std::vector<std::int32_t> assembly = {}) {
  if (assembly.empty())
    for (std::size_t i = 0; i < at.size(); ++i) assembly.push_back(static_cast<std::int32_t>(i));
  std::vector<Point> u(at.size());
  const auto f = columns(force);
  mobility(Cpu{}, positions_of(at), assembly, {f[0], f[1], f[2]}, columns(u));
  return u;
}

const Box open{.edge = {12, 12, 12}, .periodic = {false, false, false}};

} // namespace

TEST_CASE("drag of two spheres along their line is the exact one, however near") {
  CHECK(stokes::two_sphere_drag(1e-7).same == Approx(0.6451).epsilon(1e-4));
  CHECK(stokes::two_sphere_drag(2 * std::cosh(0.5) - 2).same == Approx(0.6596).epsilon(2e-4));
  CHECK(stokes::two_sphere_drag(2 * std::cosh(1.0) - 2).same == Approx(0.7024).epsilon(2e-4));
  for (const double gap : {1e-3, 1e-5}) // 1/(2 gap) - 9/40 log(gap): the squeezed film
    CHECK(stokes::two_sphere_drag(gap).opposite - 0.5 / gap == Approx(-0.45 * std::log(gap)).epsilon(0.5));
  const double far = 60; // by reflections
  CHECK(stokes::two_sphere_drag(far).opposite ==
        Approx(1 / (1 - 1.5 / (far + 2) + std::pow(far + 2, -3))).epsilon(1e-6));
}

TEST_CASE("lubricated spheres in free space move along their line as two spheres do, and across it as without", "[physics]") {
  auto mobility = unit_spheres(open, 2, 1e-7);
  LubricatedMobility lubricated(mobility, {.range = 60, .least_gap = 1e-4, .error = 1e-8});
  for (const double gap : {0.002, 0.1, 1.0}) {
    const std::vector<Point> at{{6, 6, 4}, {6, 6, 6 + gap}};
    const auto exact = stokes::two_sphere_drag(gap);
    CHECK(velocities(lubricated, at, {{0, 0, 1}, {0, 0, 1}})[1][2] * exact.same == Approx(1).epsilon(1e-4));
    CHECK(velocities(lubricated, at, {{0, 0, 1}, {0, 0, -1}})[0][2] * exact.opposite == Approx(1).epsilon(2e-4));
    const auto across = velocities(lubricated, at, {{1, 0, 0}, {1, 0, 0}});
    const double r = 2 + gap;
    CHECK(across[0][0] == Approx(1 + 0.75 / r + 0.5 / (r * r * r)).epsilon(1e-5));
    CHECK(velocities(lubricated, at, {{0, 0, 1}, {0, 0, -1}}, {4, 4})[0][2] ==
          Approx(1 - 1.5 / r + 1 / (r * r * r)).epsilon(1e-5));
    CHECK(velocities(lubricated, at, {{0, 0, 1}, {0, 0, -1}}, {4})[0][2] ==
          Approx(1 - 1.5 / r + 1 / (r * r * r)).epsilon(1e-5));
  }
}

TEST_CASE("what lubrication takes is energy, and a matrix stays symmetric") {
  const Box box{.edge = {9, 8, 10}};
  Numbers next(3);
  std::vector<Point> at;
  while (at.size() < 40) at = uniform(40, box, next); // overlaps are many
  auto mobility = unit_spheres(box, at.size(), 1e-6);
  LubricatedMobility lubricated(mobility, {.error = 1e-7});
  std::vector<Point> f(at.size()), g(at.size()), plain(at.size());
  for (Point& x : f) x = {next() - 0.5, next() - 0.5, next() - 0.5};
  for (Point& x : g) x = {next() - 0.5, next() - 0.5, next() - 0.5};
  const auto of_f = velocities(lubricated, at, f), of_g = velocities(lubricated, at, g);
  CHECK(lubricated.iterations() > 3);
  auto copy = f;
  const auto force = columns(copy);
  mobility(Cpu{}, positions_of(at), {force[0], force[1], force[2]}, columns(plain));
  double fg = 0, gf = 0, power = 0, without = 0;
  for (std::size_t i = 0; i < at.size(); ++i)
    for (std::size_t d = 0; d < 3; ++d) {
      fg += f[i][d] * of_g[i][d];
      gf += g[i][d] * of_f[i][d];
      power += f[i][d] * of_f[i][d];
      without += f[i][d] * plain[i][d];
    }
  CHECK(fg == Approx(gf).margin(1e-4 * power));
  CHECK(power > 0);
  CHECK(power < without);
}

TEST_CASE("lubrication over no gap or without end is refused") {
  auto mobility = unit_spheres(open, 2);
  CHECK_THROWS_AS(LubricatedMobility(mobility, {.least_gap = 0}), Error);
  CHECK_THROWS_AS(LubricatedMobility(mobility, {.range = 1e-4}), Error);
  CHECK_THROWS_AS(LubricatedMobility(mobility, {.range = 1e4}), Error);
  CHECK_THROWS_AS(LubricatedMobility(mobility, {.error = 1}), Error);
}

} // namespace corral::test
