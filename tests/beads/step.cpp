#include "tests/beads/run.hpp"

#include "beads/case/beads_case.hpp"
#include "beads/case/setup_checks.hpp"
#include "beads/output/figures.hpp"
#include "tests/catch.hpp"

#include <corral/error.hpp>
#include <corral/execution.hpp>

#include <algorithm>
#include <string>

namespace corral::test {

using namespace geometry;
using beads::Scheme;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr double along(double r) { return 1.5 / r - 1 / (r * r * r); } ///< RPY of spheres of radius 1, over that of one alone
constexpr double across(double r) { return 0.75 / r + 0.5 / (r * r * r); }

/// Two beads joined by a spring that is too long, in free space.
BeadsSetup dumbbell(Scheme scheme, double dt) {
  BeadsSetup s = box(7, false);
  BeadGroup group;
  group.shape = beads::GroupShape::fibre;
  group.fibre = {.beads = 2, .spacing = 4, .stretching = 1};
  s.groups.push_back(group);
  s.places.push_back({at({3, 3, 3})});
  s.time.scheme = scheme;
  s.time.dt = dt;
  return s;
}

/// What the spring's length comes to, by steps of fourth order.
double relaxed(double length, double rest, double time) {
  const auto rate = [&](double r) { return -2 * (r - rest) * (1 - along(r)); };
  const int steps = 2000;
  const double dt = time / steps;
  for (int i = 0; i < steps; ++i) {
    const double a = rate(length), b = rate(length + 0.5 * dt * a), c = rate(length + 0.5 * dt * b), d = rate(length + dt * c);
    length += dt / 6 * (a + 2 * b + 2 * c + d);
  }
  return length;
}

/// How far a spring that was pulled to 6 is from that after a time of .8, in so many steps.
double error_of(Scheme scheme, std::int64_t steps) {
  Run run(dumbbell(scheme, 0.8 / static_cast<double>(steps)));
  for (std::int64_t i : {0, 1}) run.column("position", 2)[i] += i == 0 ? 1 : -1;
  run.step.start();
  run.go(steps);
  return std::abs(length(run.position(0) - run.position(1)) - relaxed(6, 4, 0.8));
}

/// A bead of a cubic lattice of images as far apart as `edge` radii falls at this share of its speed alone (Hasimoto 1959),
/// but for (a/L)^6: what a sphere's flow does to the mobility is more than what RPY knows there.
double in_lattice(double edge) { return 1 - 2.837297 / edge + 4 * std::numbers::pi / 3 / (edge * edge * edge); }

} // namespace

TEST_CASE("a bead in a periodic box falls as Hasimoto has it, through its sides") {
  for (const double edge : {6.0, 12.0, 30.0}) {
    BeadsSetup s = box(edge, true);
    add_spheres(s, {{1, 2, 3}}, {0, 0, -1});
    s.time.dt = 1;
    Run run(s);
    CHECK(run.velocity(0)[2] == Approx(-in_lattice(edge)).epsilon(1e-6));
    run.go(8);
    CHECK(run.step.displacements()[2][0] == Approx(-8 * in_lattice(edge)).epsilon(1e-6));
    CHECK(run.position(0)[2] >= 0);
    CHECK(run.position(0)[2] < edge);
    CHECK(std::abs(run.position(0)[0] - 1) < 1e-6);
  }
}

TEST_CASE("two beads without images fall together as Rotne, Prager and Yamakawa have it, far out of the box", "[physics]") {
  for (const Scheme scheme : {Scheme::euler, Scheme::midpoint, Scheme::ab2}) {
    BeadsSetup s = box(10, false);
    add_spheres(s, {{3, 5, 5}, {6, 5, 5}}, {0, 0, -1});
    s.time.scheme = scheme;
    s.time.dt = 4;
    Run run(s);
    CHECK(run.velocity(0)[2] == Approx(-1 - across(3)).epsilon(1e-6));
    run.go(10);
    CHECK(run.position(1)[2] == Approx(5 - 40 * (1 + across(3))).epsilon(1e-5));
    CHECK(length(run.position(0) - run.position(1)) == Approx(3).epsilon(1e-5));
  }
  BeadsSetup s = box(10, false);
  add_spheres(s, {{3, 5, 5}, {6, 5, 5}}, {1, 0, 0});
  CHECK(Run(s).velocity(1)[0] == Approx(1 + along(3)).epsilon(1e-6));
}

TEST_CASE("Euler's steps are of first order, midpoint's and ab2's of second", "[physics]") {
  const auto halved = [](Scheme scheme) {
    const std::int64_t steps = scheme == Scheme::ab2 ? 16 : 8; // ab2 has its first step from Euler
    return error_of(scheme, steps) / error_of(scheme, 2 * steps);
  };
  CHECK(halved(Scheme::euler) == Approx(2).margin(0.2));
  CHECK(halved(Scheme::midpoint) == Approx(4).margin(0.6));
  CHECK(halved(Scheme::ab2) == Approx(4).margin(1));
}

TEST_CASE("ab2 is of second order in steps of any lengths", "[physics]") {
  const auto error = [](int times) {
    Run run(dumbbell(Scheme::ab2, 0));
    for (std::int64_t i : {0, 1}) run.column("position", 2)[i] += i == 0 ? 1 : -1;
    run.step.start();
    for (int i = 0; i < 4 * times; ++i) {
      run.setup.time.dt = (i % 2 == 0 ? 0.3 : 0.1) / times;
      run.go(1);
    }
    return std::abs(length(run.position(0) - run.position(1)) - relaxed(6, 4, 0.8));
  };
  CHECK(error(4) / error(8) > 3);
}

TEST_CASE("steps have the same bits for any number of threads") {
  const auto result = [](int threads) {
    Vector x{};
    run_with_threads(threads, [&] {
      BeadsSetup s = box(14, true);
      s.tolerance = 1e-4;
      s.contact = {.range = 0.3, .strength = 1};
      BeadGroup group;
      group.placed.arrangement = structure::GroupArrangement::random;
      group.placed.low = {0, 0, 0}, group.placed.high = s.size;
      group.placed.count = 80;
      group.force = {0, 0, -1};
      s.groups.push_back(group);
      s.places = beads::place(s);
      Run run(s);
      run.go(4);
      x = run.position(17);
    });
    return x;
  };
  CHECK(result(1) == result(3));
}

TEST_CASE("springs bound adaptive steps, and five times as much where beads diffuse") {
  BeadsSetup s = box(20, true);
  s.time.scheme = beads::Scheme::euler;
  CHECK(beads::stiff_step(s) == std::numeric_limits<double>::infinity());
  s.contact = {.range = 0.5, .strength = 2};
  add_spheres(s, {{5, 5, 5}}, {});
  const double rate = 4 * 2 / 0.5; // a bead alone moves as fast as it is pulled
  CHECK(beads::stiff_step(s) == Approx(1 / rate));
  CHECK(beads::stiff_step(s) == beads::stable_step(s));
  s.temperature = 300;
  CHECK(beads::stable_step(s) == Approx(1 / rate));
  CHECK(beads::stiff_step(s) == Approx(0.2 / rate));
}

TEST_CASE("beads that diffuse go as far as Stokes and Einstein have it") {
  BeadsSetup s = box(40, true);
  std::vector<Vector> places;
  for (int i = 0; i < 64; ++i) places.push_back({10.0 * (i % 4), 10.0 * (i / 4 % 4), 10.0 * (i / 16)});
  add_spheres(s, places, {});
  s.tolerance = 1e-3;
  s.time.scheme = Scheme::euler;
  s.time.dt = 0.01;
  s.temperature = 1 / beads::boltzmann; // k_B T = 1
  Run run(s);
  run.go(20);
  double square = 0;
  for (std::size_t d = 0; d < 3; ++d)
    for (std::int64_t i = 0; i < 64; ++i) square += std::pow(run.step.displacements()[d][i], 2) / 64;
  // Of 192 ways; in a box without net flux a bead alone diffuses in_lattice(40) as fast as without images.
  CHECK(square == Approx(6 * 0.2 * in_lattice(40)).epsilon(0.25));
  Run again(s);
  again.go(20);
  CHECK(again.position(63) == run.position(63));
}

TEST_CASE("a bead alone without images diffuses as Einstein has it, step by step and over many, far out of its box") {
  BeadsSetup s = box(10, false);
  add_spheres(s, {{5, 5, 5}}, {0, 0, -1});
  s.time.scheme = Scheme::euler;
  s.time.dt = 0.5;
  s.temperature = 1 / beads::boltzmann; // k_B T = 1, and so is its mobility: <x^2> = 2 t along each axis
  Run run(s);
  CHECK(run.step.mobility().plan() == nullptr);
  constexpr int stretches = 800, steps = 10;
  double of_steps = 0, of_stretches = 0, farthest = 0;
  for (int k = 0; k < stretches; ++k) {
    const Vector first = run.position(0);
    for (int i = 0; i < steps; ++i) {
      const Vector before = run.position(0);
      run.go(1);
      const Vector way = run.position(0) - before - Vector{0, 0, -s.time.dt};
      of_steps += dot(way, way) / (stretches * steps);
    }
    const Vector way = run.position(0) - first - Vector{0, 0, -s.time.dt * steps};
    of_stretches += dot(way, way) / stretches;
    farthest = std::max(farthest, length(run.position(0) - Vector{5, 5, 5}));
  }
  // Of three times as many numbers, each of which is squared; five standard deviations.
  CHECK(of_steps == Approx(6 * s.time.dt).epsilon(5 * std::sqrt(2.0 / (3 * stretches * steps))));
  CHECK(of_stretches == Approx(6 * s.time.dt * steps).epsilon(5 * std::sqrt(2.0 / (3 * stretches))));
  CHECK(farthest > 1000);
}

TEST_CASE("few beads without images need no grid, fewer where they diffuse, and a case says so") {
  const auto said = [](std::int64_t beads, double temperature, bool periodic) {
    BeadsSetup s = box(400, periodic);
    s.tolerance = 1e-3;
    s.temperature = temperature;
    std::vector<Vector> places;
    for (std::int64_t i = 0; i < beads; ++i)
      places.push_back({10 + 20.0 * static_cast<double>(i % 15), 10 + 20.0 * static_cast<double>(i / 15 % 15), 10 + 20.0 * static_cast<double>(i / 225)});
    add_spheres(s, places, {0, 0, -1});
    std::string all;
    for (const std::string& line : beads::describe(s)) all += line + "\n";
    const bool grid = beads::mobility_grid(s).has_value();
    CHECK((all.find("grid of") != std::string::npos) == grid);
    CHECK((all.find("pair by pair") != std::string::npos) == !grid);
    return std::pair{grid, beads::memory_needed(s)};
  };
  CHECK_FALSE(said(1, 300, false).first);
  CHECK_FALSE(said(1000, 0, false).first);
  CHECK(said(1000, 300, false).first);
  CHECK(said(2001, 0, false).first);
  CHECK(said(1, 0, true).first);
  CHECK(said(1000, 300, false).second > said(1000, 0, false).second + 1e6);
}

TEST_CASE("two beads without images diffuse together as their mobility has it, in a wide box") {
  BeadsSetup s = box(1e6, false);
  for (auto& cells : s.cells) cells = 8; // as many as a case of few beads has
  const double r = 3;
  add_spheres(s, {{5e5, 5e5, 5e5}, {5e5, 5e5, 5e5 + r}}, {});
  s.time.scheme = Scheme::euler;
  s.time.dt = 0.5;
  s.temperature = 1 / beads::boltzmann;
  Run run(s);
  constexpr int samples = 4000;
  std::array<double, 4> together{}; // along and across the line of centres: of both, and of one beside the other
  for (int k = 0; k < samples; ++k) {
    for (std::int64_t i : {0, 1})
      for (int d = 0; d < 3; ++d) run.column("position", d)[i] = 5e5 + (i == 1 && d == 2 ? r : 0);
    const Vector first = run.position(0), second = run.position(1);
    run.go(1);
    const Vector a = run.position(0) - first, b = run.position(1) - second;
    together[0] += a[2] * b[2] / samples;
    together[1] += 0.5 * (a[0] * b[0] + a[1] * b[1]) / samples;
    together[2] += 0.5 * (a[2] * a[2] + b[2] * b[2]) / samples;
    together[3] += a[2] * b[0] / samples;
  }
  const double unit = 2 * s.time.dt, margin = 5 * unit * std::sqrt(2.0 / samples);
  CHECK(together[0] == Approx(unit * along(r)).margin(margin));
  CHECK(together[1] == Approx(unit * across(r)).margin(margin));
  CHECK(together[2] == Approx(unit).margin(margin));
  CHECK(std::abs(together[3]) < margin);
}

TEST_CASE("forces that cancel but for round-off have no settling in the log, others do") {
  BeadsSetup s = box(30, true);
  for (const double force : {0.1, 0.2, -0.3}) add_spheres(s, {{15, 15, 15 + 20 * force}}, {0, 0, force});
  const auto settles = [](const Run& run) {
    beads::BeadFigures figures(run.setup);
    const std::vector<double> row = figures.row(run.step);
    for (const double value : row) CHECK(std::isfinite(value));
    const auto columns = figures.columns();
    return std::any_of(columns.begin(), columns.end(), [](const run::LogColumn& c) { return c.name == "settling"; });
  };
  CHECK_FALSE(settles(Run(s)));
  s.groups[0].force = {0, 0, 0.11};
  CHECK(settles(Run(s)));
}

TEST_CASE("what cannot go on says why: a bead at no place, beads that leave the box along a free axis") {
  BeadsSetup s = box(10, false);
  add_spheres(s, {{3, 5, 5}, {6, 5, 5}}, {0, 0, -1});
  Run run(s);
  run.column("position", 1)[1] = std::nan("");
  CHECK_THROWS_WITH(run.step.start(), ContainsSubstring("bead 1 is at no place"));
  run.column("position", 1)[1] = 16;
  CHECK_THROWS_WITH(run.step.start(), ContainsSubstring("spread over 11 m along y"));
}

} // namespace corral::test
