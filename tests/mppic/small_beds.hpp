#pragma once

#include "mppic/step.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace corral::test {

/// A closed box of air with nothing in it; tests fill in what they need.
inline mppic::Setup empty_box(std::array<std::int64_t, 3> cells, std::array<double, 3> size) {
  mppic::Setup s{};
  s.cells = cells;
  s.size = size;
  s.sides.fill(fluid::SideKind::free_slip);
  s.gravity = {0, 0, -9.81};
  s.solids.drag = {mppic::DragLaw::gidaspow_blended, s.gas.rho, s.gas.mu, 0.44};
  s.time.dt = 1e-3;
  return s;
}

/// Gas enters by the floor, or by the part of it within a box, at `velocity` [m/s].
inline fluid::Inlet& let_in(mppic::Setup& s, double velocity, const std::array<double, 3>& low, const std::array<double, 3>& high) {
  fluid::Inlet& inlet = s.inlets.emplace_back();
  inlet.name = "floor" + (s.inlets.size() > 1 ? std::to_string(s.inlets.size()) : "");
  inlet.side = 4;
  inlet.region = {low, high};
  inlet.velocity = [velocity](const std::array<double, 3>&) { return velocity; };
  return inlet;
}
inline fluid::Inlet& let_in(mppic::Setup& s, double velocity) { return let_in(s, velocity, {0, 0, 0}, s.size); }

/// Liquid of this density and viscosity that rises through the floor at `velocity` [m/s] and leaves above; drag by Wen and Yu.
inline void let_liquid_rise(mppic::Setup& s, double rho, double mu, double velocity) {
  s.gas.rho = rho;
  s.gas.mu = mu;
  s.solids.drag = {mppic::DragLaw::wen_yu, rho, mu, 0.44};
  s.sides[5] = fluid::SideKind::outlet;
  let_in(s, velocity);
}

/// A region filled at a solids fraction with `parcels` parcels, as many in each cell.
inline mppic::Seed bed(const mppic::Setup& s, double height, double theta, std::int64_t parcels, double diameter) {
  mppic::Seeding seeding;
  seeding.region = {{0, 0, 0}, {s.size[0], s.size[1], height}};
  seeding.arrangement = mppic::Arrangement::cells;
  seeding.parcels = parcels;
  seeding.solids_fraction = theta;
  return {"bed", seeding, mppic::SizeDistribution::one_size(diameter), {0, 0, 0}};
}

/// The set-up with solids of these densities, of the drag law that it has.
inline void mix(mppic::Setup& s, const std::vector<double>& densities) {
  for (const double rho : densities)
    s.solids.several.push_back({"solid" + std::to_string(s.solids.several.size()), rho, s.solids.drag});
  s.solids.rho = *std::min_element(densities.begin(), densities.end());
}

/// A seed of solid `number` up to a height.
inline mppic::Seed bed_of(const mppic::Setup& s, int number, double height, double theta, std::int64_t parcels, double diameter) {
  mppic::Seed seed = bed(s, height, theta, parcels, diameter);
  seed.name = "bed" + std::to_string(number);
  seed.solid = number;
  return seed;
}

/// A set-up with the state that belongs to it. Scratch of one that ranks share holds numbers that are none.
struct Bed {
  explicit Bed(mppic::Setup s, const distributed::Team* team = nullptr)
      : setup(std::move(s)), domain(setup.make_domain()), registry(domain.grid()),
        step(Cpu{}, setup, domain, registry, phases, team), books(step.books()) {
    if (team) step.scratch().fields.poison();
    step.start();
  }

  void run(std::int64_t steps) {
    for (std::int64_t i = 0; i < steps; ++i) step.advance(setup.time.dt, done++);
  }
  /// A step; after the part at a place, while what it works with is there, calls look().
  template <class F> void run_and_look(mppic::StepPlace after, const F& look) {
    const mppic::StepTime time{setup.time.dt, done++};
    for (const mppic::StepPart& part : step.parts()) {
      step.run(part, time);
      if (part.place == after) look();
    }
  }
  /// A field of the state, to change it.
  Array<double>& field(std::string_view name, int component = 0) {
    for (run::Entry& e : registry.entries())
      if (e.name == name && e.component == component) return *e.reals();
    throw Error("no field " + std::string(name));
  }
  Array<double>& gas(int d) { return field("gas_velocity", d); }

  mppic::Setup setup;
  fluid::Domain domain;
  run::Registry registry;
  run::Phases phases;
  mppic::Step<Cpu> step;
  const run::Books& books;
  std::int64_t done = 0;
};

} // namespace corral::test
