#pragma once

#include "body/setup/setup.hpp"
#include "body/step/step.hpp"
#include "run/phases.hpp"
#include "run/state/registry.hpp"
#include "structure/fluids/make_fluid.hpp"

#include <corral/error.hpp>
#include <corral/memory.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace corral::test {

/// A cube of fluid of density and viscosity 1, with cells of 1, periodic on all sides, and no bodies.
inline body::BodySetup body_box(std::int64_t cells, double dt, structure::FluidMethod method = structure::FluidMethod::lattice) {
  body::BodySetup s;
  for (std::size_t d = 0; d < 3; ++d) {
    s.cells[d] = cells;
    s.size[d] = static_cast<double>(cells);
  }
  s.sides.fill(fluid::SideKind::periodic);
  s.fluid = {.method = method, .rho = 1, .mu = 1};
  s.drive.developed = false;
  s.time.dt = dt;
  return s;
}

/// dt with which a lattice of cells and viscosity 1 has tau = 1.
constexpr double tau_one = 1. / 6;

/// One body of a kind, which is added, at a place; its points held where the kernel wants them a cell apart.
inline void add_body(body::BodySetup& s, structure::BodyModel kind, const std::array<double, 3>& centre,
                     const structure::MotionModel& motion) {
  kind.name = "kind" + std::to_string(s.kinds.size());
  if (kind.spacing == 0) {
    kind.spacing = 1; // which the radius in cells does not depend on
    const double radius = structure::equivalent_radius(Cpu{}, kind);
    kind.spacing = radius / (radius - body::retraction(s, kind));
  }
  body::BodyGroup group;
  group.placed.name = "bodies" + std::to_string(s.groups.size());
  group.placed.surface = s.kinds.size();
  group.motion = motion;
  s.kinds.push_back(std::move(kind));
  s.groups.push_back(group);
  s.places.push_back({{geometry::Rotation(), centre}});
}

inline void add_ball(body::BodySetup& s, double radius, const std::array<double, 3>& centre, const structure::MotionModel& motion) {
  add_body(s, {.name = "", .kind = structure::BodyKind::sphere, .radius = radius}, centre, motion);
}

/// Steps of a case, its state on the processor of E.
template <Execution E> class BodyRun {
public:
  explicit BodyRun(body::BodySetup of)
      : setup(std::move(of)), domain(setup.make_domain()), registry(domain.grid(), memory_for<E>),
        step(E{}, setup, sent(), structure::make_fluid(E{}, setup, setup.time.dt, domain, registry), registry, phases) {
    step.start();
  }

  void go(std::int64_t steps) {
    for (std::int64_t i = 0; i < steps; ++i, time += setup.time.dt) step.advance(time, setup.time.dt);
  }
  /// Of the fluid, with what bodies have beyond the fluid that fills them.
  std::array<double, 3> momentum() const {
    std::array<double, 3> total = step.fluid().momentum();
    for (std::int64_t b = 0; b < step.bodies(); ++b)
      for (std::size_t d = 0; d < 3; ++d)
        total[d] += step.body(b).inertia.excess_mass() * step.body(b).state.velocity[d] + setup.time.dt * step.body(b).owed.force[d];
    return total;
  }
  /// Values of an entry, by its full name.
  std::vector<double> values(const std::string& name) const {
    for (const run::Entry& entry : registry.entries())
      if (entry.full_name() == name && entry.reals()) return entry.reals()->values();
    throw Error("no entry is called " + name);
  }

  const body::BodySetup setup;
  fluid::Domain domain;
  run::Registry registry;
  run::Phases phases;
  body::BodyStep<E> step;
  double time = 0;

private:
  const fluid::Domain& sent() {
    if constexpr (!std::same_as<E, Cpu>) domain.send();
    return domain;
  }
};

} // namespace corral::test
