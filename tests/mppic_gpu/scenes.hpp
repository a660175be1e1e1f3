#pragma once

#include "mppic/step.hpp"
#include "mppic/time_step.hpp"
#include "tests/mppic/heat/scene.hpp"
#include "tests/mppic/small_beds.hpp"

#include <concepts>
#include <numbers>
#include <string_view>

/// What tests of the gas-solid step on both processors run.
namespace corral::test {

/// A bed that is packed and blown through, with an inlet below, an outlet above, walls and a periodic axis.
inline mppic::Setup blown_bed() {
  mppic::Setup s = empty_box({6, 5, 8}, {0.06, 0.05, 0.08});
  s.sides = {fluid::SideKind::periodic,  fluid::SideKind::periodic, fluid::SideKind::no_slip,
             fluid::SideKind::free_slip, fluid::SideKind::no_slip,  fluid::SideKind::outlet};
  let_in(s, 1.5, {0.02, 0.01, 0}, {0.04, 0.04, 0});
  s.gas.advection = fluid::Advection::van_leer;
  s.solids.restitution = 0.9;
  s.collisions = {.far = true, .isotropy = true, .blended = true};
  s.seeds.push_back(bed(s, 0.05, 0.55, 6 * 5 * 5 * 8, 1e-3));
  return s;
}

/// The same where axes that wrap around have an odd number of cells, solids come in through the jet and a side, some of them
/// where there is no room, and the jet rises and falls.
inline mppic::Setup fed_bed() {
  mppic::Setup s = blown_bed();
  s.cells = {5, 5, 8};
  s.size = {0.05, 0.05, 0.08};
  s.collisions = {};
  s.inlets[0].region = {{0.01, 0.01, 0}, {0.03, 0.04, 0}};
  s.inlets[0].schedule = fluid::Schedule({0, 4e-3, 9e-3}, {1, 1.4, 0.8});
  s.seeds = {bed(s, 0.05, 0.55, 5 * 5 * 5 * 8, 1e-3)};
  const double mass = s.solids.rho * 40 * std::numbers::pi / 6 * 1e-9;
  fluid::Inlet feed;
  feed.name = "feed";
  feed.side = 3;
  feed.region = {{0.01, 0, 0.02}, {0.04, 0, 0.07}};
  s.solids_inlets.push_back({s.inlets[0], 3 * mass / s.time.dt, 0.5, 40, mppic::SizeDistribution::one_size(1e-3)});
  s.solids_inlets.push_back({feed, 6 * mass / s.time.dt, 0.4, 40,
                             mppic::SizeDistribution::normal(1e-3, 2e-4, {5e-4, 2e-3}), {0.1, 0, -0.2}});
  s.solids_inlets[1].schedule = fluid::Schedule({0, 5e-3}, {0.5, 1.5});
  return s;
}

/// A bed whose gas conducts so well that it takes a linear system, and obeys the ideal gas law where that is asked for.
inline mppic::Setup warm_bed(bool ideal) {
  mppic::Setup s = blown_bed();
  s.collisions = {};
  if (ideal) let_be_ideal(s, 350);
  warm(s, 2, mppic::NusseltLaw::gunn);
  s.heat.inlet_temperatures = {420};
  s.heat.gas_conductivity = ideal ? 0.03 : 60;
  s.heat.sides[2] = {mppic::HeatSide::Kind::conducting, 500, 0};
  s.heat.sides[4] = {mppic::HeatSide::Kind::transferring, 280, 30};
  s.seeds[0].temperature = 320;
  return s;
}

/// Two solids of other densities, laws of drag, restitutions and sizes, whose books are kept.
inline mppic::Setup two_solids() {
  mppic::Setup s = blown_bed();
  s.solids.several = {{"steel", 7800, s.solids.drag, 0.9}, {"nylon", 1050, s.solids.drag, 0.6}};
  s.solids.several[1].drag.law = mppic::DragLaw::beetstra;
  s.solids.rho = 1050;
  s.seeds = {bed(s, 0.05, 0.3, 6 * 5 * 5 * 4, 1e-3), bed(s, 0.05, 0.25, 6 * 5 * 5 * 4, 7e-4)};
  s.seeds[1].solid = 1;
  s.audit = true;
  return s;
}

/// Leaves what solvers leave below what is compared.
inline void solve_tightly(mppic::Setup& s) {
  s.gas.tolerance = 1e-13;
  s.solids.contact_tolerance = 1e-12;
  s.solids.displacement_tolerance = 1e-12;
}

/// A step on the processor that E says, with the domain and the state that belong to it.
template <Execution E> struct Run {
  explicit Run(const mppic::Setup& s)
      : setup(s), domain(sent(s)), registry(domain.grid(), memory_for<E>), step(E{}, setup, domain, registry, phases),
        stepper(setup, domain, registry) {}

  Array<double>& field(std::string_view name, int component = 0) {
    for (run::Entry& e : registry.entries())
      if (e.name == name && e.component == component) return *e.reals();
    throw Error("no field " + std::string(name));
  }
  void set_time(double time) {
    domain.set_time(time);
    if constexpr (std::same_as<E, Gpu>) domain.send();
  }
  /// What the driver does in a step.
  void advance(double dt, std::int64_t number) {
    set_time(dt * static_cast<double>(number + 1));
    step.advance(dt, number);
    step.books().check();
    step.solid_books().check(E{}, step.parcels());
    stepper.adapt(step, dt * static_cast<double>(number + 1));
  }

  static fluid::Domain sent(const mppic::Setup& setup) {
    fluid::Domain domain = setup.make_domain();
    if constexpr (std::same_as<E, Gpu>) domain.send();
    return domain;
  }

  mppic::Setup setup;
  fluid::Domain domain;
  run::Registry registry;
  run::Phases phases;
  mppic::Step<E> step;
  mppic::TimeStepper stepper;
};

} // namespace corral::test
