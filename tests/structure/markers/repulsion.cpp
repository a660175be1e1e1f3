#include "structure/markers/repulsion.hpp"
#include "tests/catch.hpp"
#include "tests/tolerance.hpp"

#include "run/random.hpp"

#include <corral/cell_order.hpp>
#include <corral/execution.hpp>

#include <cmath>
#include <vector>

namespace corral::structure {
namespace {

using test::round_off;

/// Points of a few membranes in a box that is periodic along x and z, and along y where asked.
struct Crowded {
  Grid grid;
  std::array<std::vector<double>, 3> x, force;
  std::vector<std::int32_t> membrane;
  CellOrder<double> order;

  Crowded(std::int64_t n, bool walls, std::array<std::int64_t, 3> cells = {6, 5, 7})
      : grid({Axis{cells[0], -1, 0.5},
              Axis{cells[1], 2, 0.6, walls ? Boundary::wall : Boundary::periodic, walls ? Boundary::wall : Boundary::periodic},
              Axis{cells[2], 0, 0.4}}),
        order(grid) {
    const run::Random random(3);
    for (std::int64_t i = 0; i < n; ++i) {
      for (int d = 0; d < 3; ++d) {
        const Axis& a = grid.axis(d);
        const double u = random.uniform(run::Purpose::position, d, static_cast<std::uint64_t>(i));
        // Membranes go on beyond periodic sides.
        const double beyond = a.periodic() ? 1.5 : 1;
        x[d].push_back(a.origin + (0.5 + beyond * (u - 0.5)) * a.length());
      }
      membrane.push_back(static_cast<std::int32_t>(i % 4));
    }
    for (auto& f : force) f.resize(x[0].size(), 0.0);
    sort();
  }

  void sort() { order.sort(Cpu{}, positions(x[0].data(), x[1].data(), x[2].data(), size())); }
  std::int64_t size() const { return static_cast<std::int64_t>(x[0].size()); }
  OrderedPoints points() const {
    return {order.view(Cpu{}), {x[0].data(), x[1].data(), x[2].data()}, membrane.data(), size()};
  }
  Points forces() { return {force[0].data(), force[1].data(), force[2].data()}; }

  double energy(const Repulsion& repulsion) {
    for (auto& f : force) std::fill(f.begin(), f.end(), 0.0);
    return repulsion.add(Cpu{}, points(), points(), forces()) + repulsion.add_walls(Cpu{}, points(), forces());
  }
};

/// Every pair, images included.
double brute_force(const Crowded& c, double range, double stiffness, std::array<std::vector<double>, 3>& force) {
  double energy = 0;
  for (auto& f : force) f.assign(static_cast<std::size_t>(c.size()), 0.0);
  for (std::int64_t i = 0; i < c.size(); ++i) {
    for (std::int64_t j = 0; j < c.size(); ++j) {
      if (c.membrane[i] == c.membrane[j]) continue;
      for (int sx = -3; sx <= 3; ++sx)
        for (int sy = -3; sy <= 3; ++sy)
          for (int sz = -3; sz <= 3; ++sz) {
            const std::array<int, 3> s{sx, sy, sz};
            std::array<double, 3> apart{};
            bool there = true;
            for (std::size_t d = 0; d < 3; ++d) {
              const Axis& axis = c.grid.axis(static_cast<int>(d));
              there = there && (s[d] == 0 || axis.periodic());
              apart[d] = c.x[d][i] - c.x[d][j] - s[d] * axis.length();
            }
            const double r = std::hypot(apart[0], apart[1], apart[2]);
            if (!there || r >= range) continue;
            energy += 0.25 * stiffness * (range - r) * (range - r);
            for (std::size_t d = 0; d < 3; ++d) force[d][i] += stiffness * (range - r) * apart[d] / r;
          }
    }
    const Axis& y = c.grid.axis(1);
    if (y.periodic()) continue;
    for (const double wall : {y.origin, y.origin + y.length()}) {
      const double far = std::abs(c.x[1][i] - wall);
      if (far >= range) continue;
      energy += 0.5 * stiffness * (range - far) * (range - far);
      force[1][i] += stiffness * (range - far) * (wall == y.origin ? 1 : -1);
    }
  }
  return energy;
}

} // namespace

TEST_CASE("Repulsion is that of every pair within range, across periodic sides, and of walls") {
  for (const bool walls : {false, true})
    for (const double range : {0.3, 0.7}) { // below a cell, and beyond it
      Crowded c(300, walls);
      const Repulsion repulsion(c.grid, range, 2.5);
      std::array<std::vector<double>, 3> expected;
      const double energy = brute_force(c, range, 2.5, expected);
      CHECK(c.energy(repulsion) == Approx(energy).epsilon(round_off(300)));
      REQUIRE(energy > 1);
      double most = 0;
      for (const auto& f : expected)
        for (const double value : f) most = std::max(most, std::abs(value));
      for (std::size_t d = 0; d < 3; ++d)
        for (std::size_t i = 0; i < 300; ++i) CHECK(std::abs(c.force[d][i] - expected[d][i]) <= round_off(60) * most);
    }
}

TEST_CASE("Repulsion in a box of few cells counts no pair twice") {
  Crowded c(120, false, {2, 1, 3});
  const double range = 0.19; // a third of the shortest period is .2
  std::array<std::vector<double>, 3> expected;
  const double energy = brute_force(c, range, 1, expected);
  REQUIRE(energy > 0);
  CHECK(c.energy(Repulsion(c.grid, range, 1)) == Approx(energy).epsilon(round_off(120)));
}

TEST_CASE("Repulsion's forces are minus the differences of its energy, and have no sum") {
  Crowded c(200, false);
  const Repulsion repulsion(c.grid, 0.5, 1.5);
  c.energy(repulsion);
  const auto force = c.force;
  for (std::size_t d = 0; d < 3; ++d) {
    double sum = 0, terms = 0;
    for (const double f : force[d]) sum += f, terms += std::abs(f);
    CHECK(std::abs(sum) <= round_off(200) * terms);
    for (const std::size_t i : {3u, 77u, 150u}) {
      const double step = 1e-6, at = c.x[d][i];
      double change = 0;
      for (const int sign : {1, -1}) {
        c.x[d][i] = at + sign * step;
        c.sort();
        change += sign * c.energy(repulsion);
      }
      c.x[d][i] = at;
      CHECK(-change / (2 * step) == Approx(force[d][i]).epsilon(1e-6).margin(1e-8));
    }
  }
}

TEST_CASE("Points of one membrane don't repel each other, nor do those at one place know where to go") {
  Crowded c(2, false);
  for (auto& x : c.x) x[1] = x[0];
  c.sort();
  const Repulsion repulsion(c.grid, 0.5, 1);
  CHECK(c.energy(repulsion) == Approx(0.5 * 0.25));
  for (const auto& f : c.force)
    for (const double value : f) CHECK(value == 0);
  c.membrane[1] = c.membrane[0];
  CHECK(c.energy(repulsion) == 0);
}

TEST_CASE("Repulsion has the same bits for any number of threads") {
  Crowded c(400, true);
  const Repulsion repulsion(c.grid, 0.6, 1);
  double energy = 0;
  run_with_threads(1, [&] { energy = c.energy(repulsion); });
  const auto force = c.force;
  for (const int threads : {2, 3})
    run_with_threads(threads, [&] {
      CHECK(c.energy(repulsion) == energy);
      CHECK(c.force == force);
    });
}

} // namespace corral::structure
