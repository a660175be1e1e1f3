#pragma once

#include "beads/placing/placing.hpp"
#include "beads/step/step.hpp"
#include "run/driver.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

namespace corral::test {

using beads::BeadGroup, beads::BeadsSetup, beads::BeadsStep;
using geometry::Vector;

/// A box of a fluid of viscosity 1/(6 pi), so that a bead of radius 1 alone moves as fast as it is pulled.
inline BeadsSetup box(double edge, bool periodic) {
  BeadsSetup s;
  for (std::size_t d = 0; d < 3; ++d) {
    s.cells[d] = std::max<std::int64_t>(1, static_cast<std::int64_t>(edge / 4));
    s.size[d] = edge;
    s.sides[2 * d] = s.sides[2 * d + 1] = periodic ? fluid::SideKind::periodic : fluid::SideKind::outlet;
  }
  s.radius = 1;
  s.viscosity = 1 / (6 * std::numbers::pi);
  s.tolerance = 1e-6;
  s.time.dt = 0.01;
  return s;
}

inline geometry::Placement at(const Vector& x) { return {geometry::Rotation(), x}; }

/// Spheres at these places, each pulled by the force.
inline void add_spheres(BeadsSetup& s, const std::vector<Vector>& places, const Vector& force) {
  BeadGroup group;
  group.force = force;
  s.groups.push_back(group);
  s.places.emplace_back();
  for (const Vector& x : places) s.places.back().push_back(at(x));
}

class Run {
public:
  explicit Run(BeadsSetup of)
      : setup(std::move(of)), grid(setup.make_grid()), registry(grid), step(setup, grid, registry, phases) {
    step.start();
  }

  void go(std::int64_t steps) {
    for (std::int64_t i = 0; i < steps; ++i) {
      clock.set_dt(setup.time.dt);
      step.advance(clock);
      clock.advance();
    }
  }
  Vector velocity(std::int64_t i) const {
    const structure::ConstPoints U = step.velocities();
    return {U[0][i], U[1][i], U[2][i]};
  }
  Vector position(std::int64_t i) const {
    const structure::ConstPoints x = step.positions();
    return {x[0][i], x[1][i], x[2][i]};
  }
  /// The registry's column, for the test to change.
  Array<double>& column(const char* name, int d) { return *registry.find_set("beads")->find(name, d)->reals(); }

  BeadsSetup setup;
  Grid grid;
  run::Registry registry;
  run::Phases phases;
  BeadsStep step;
  run::Clock clock;
};

} // namespace corral::test
