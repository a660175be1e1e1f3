#pragma once

/// The step of step.hpp, for either processor.

#include "membrane/step/step.hpp"
#include "run/case/values.hpp"
#include "structure/values.t.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <string>
#include <utility>

namespace corral::membrane {

using namespace structure;

/// An edge that has become so many times its length has torn: no membrane is stretched like that.
inline constexpr double torn = 5;

template <Execution E>
MembraneStep<E>::MembraneStep(E execution, const MembraneSetup& setup, const fluid::Domain& domain,
                              std::unique_ptr<Fluid<E>> fluid, run::Registry& registry, run::Phases& phases)
    : execution_(execution), setup_(setup), domain_(domain), phases_(phases), fluid_(std::move(fluid)),
      maps_of_markers_(domain, setup.coupling.kernel, setup.coupling.method, fluid_->staggering(), memory_for<E>) {
  build(execution, setup, domain, registry, built_);
  std::size_t count = 0;
  for (const Population& p : built_.populations)
    for (const typename Population::Kind& kind : p.kinds()) count += static_cast<std::size_t>(kind.membranes->count());
  measures_.resize(count);
  stresslets_.resize(count);
  if (setup.coupling.repulsion_range > 0) {
    repulsion_.emplace(domain.whole(), setup.coupling.repulsion_range, setup.coupling.repulsion_stiffness);
    each([](Population& p) { p.keep_whole_orders(); });
  }
  if (setup.viscosity_varies())
    viscosity_.emplace(setup, domain, setup.coupling.kernel, setup.coupling.method, registry);
  if (const double mu_s = setup.membrane_viscosity(); mu_s > 0)
    viscous_.emplace(built_.populations, maps_of_markers_, *fluid_, mu_s);
  work_.bind_state(registry, viscous_.has_value(), setup.lattice());
  const run::Entry* const populations = registry.find("populations");
  sizes_ = {.cells = static_cast<double>(domain.grid().cells()),
            .populations = populations ? static_cast<double>(populations->bytes()) : 0,
            .solves = setup.lattice() ? 0.0 : setup.fluid.inertia ? 2 : 1};
  each([this](const Population& p) {
    const auto markers = static_cast<double>(p.markers());
    sizes_.markers += markers;
    for (const typename Population::Kind& kind : p.kinds())
      if (setup_.surfaces[kind.surface].representation == Representation::radial) return;
    sizes_.of_triangles += markers; // a population has either
  });
}

template <Execution E> void MembraneStep<E>::start() {
  fluid_->start();
  measure();
  if (viscosity_) {
    each([&](Population& p) {
      p.move_midway(execution_, 0);
      p.sort_midway(execution_);
    });
    set_viscosity();
  }
  if (repulsion_) { // its energy is part of that at the start
    each([&](Population& p) { p.move_midway(execution_, 0); });
    find_forces(0, 0, 0);
    each([&](Population& p) { p.sort_midway(execution_); });
    repel();
  }
  work_ = {.start = energy(), .done = 0, .dissipated = 0, .membranes_at_start = energy_with(0)};
}

template <Execution E> void MembraneStep<E>::restored(double time) {
  built_.anchors.set(execution_, time);
  fluid_->restored();
  measure();
}

template <Execution E> void MembraneStep<E>::advance(double time, double dt) {
  const bool midpoint = setup_.coupling.scheme == Coupling::midpoint;
  const double ahead = midpoint ? 0.5 * dt : dt; // where the forces of the step act
  const auto phase = [&](const char* name, auto part) {
    const auto t = phases_.time(name);
    part();
    phases_.moved(name, least_bytes(name, sizes_));
  };
  maps_ = sorts_ = 0;
  phase("sort", [&] { each([&](Population& p) { sorts_ += p.sort(execution_); }); });
  phase("interpolate", [&] { find_velocity(); });
  phase("move", [&] { each([&](Population& p) { p.move_midway(execution_, ahead); }); });
  phase("forces", [&] { find_forces(time, dt, ahead); });
  phase("sort", [&] { each([&](Population& p) { sorts_ += p.sort_midway(execution_); }); });
  if (viscosity_) phase("viscosity", [&] { set_viscosity(); });
  if (repulsion_) phase("repulsion", [&] { repel(); });
  if (viscous_) phase("membrane viscosity", [&] {
    viscous_->add(execution_, dt);
    maps_ += viscous_->maps();
  });
  phase("spread", [&] { spread(); });
  phase("fluid", [&] { fluid_->step(execution_, dt); });
  phase("interpolate", [&] {
    if (!midpoint) return find_velocity();
    each([&](Population& p) { p.find_velocity_midway(execution_, maps_of_markers_, fluid_->velocity_midway()); });
    maps_ += 3 * static_cast<int>(built_.populations.size());
  });
  phase("move", [&] { each([&](Population& p) { p.move(execution_, dt); }); });
  phase("books", [&] { account(time, dt, ahead); });
  phase("measure", [&] {
    if (built_.anchors.move()) built_.anchors.set(execution_, time + dt);
    measure();
    require_sound();
    bring_back();
  });
}

template <Execution E> void MembraneStep<E>::find_velocity() {
  each([&](Population& p) { p.find_velocity(execution_, maps_of_markers_, fluid_->velocity()); });
  maps_ += 3 * static_cast<int>(built_.populations.size());
}

template <Execution E> void MembraneStep<E>::set_viscosity() {
  fluid_->set_viscosity(execution_, viscosity_->find(execution_, built_.populations));
}

template <Execution E> void MembraneStep<E>::find_forces(double time, double dt, double ahead) {
  if (built_.anchors.move()) built_.anchors.set(execution_, time + ahead);
  each([&](Population& p) { p.find_forces(execution_); });
  anchor_work_ = 0;
  if (built_.anchors.move())
    each([&](Population& p) {
      for (const typename Population::Kind& kind : p.kinds())
        anchor_work_ += built_.anchors.work(execution_, *kind.membranes, p.forces_of(kind), time, time + dt);
    });
  // Vertices are pulled at, the points of the first set.
  if (built_.pulls.any()) built_.pulls.add(execution_, time + ahead, built_.populations.front().forces());
}

template <Execution E> void MembraneStep<E>::repel() {
  repulsion_energy_ = 0;
  each([&](Population& on) {
    each([&](Population& from) {
      repulsion_energy_ += repulsion_->add(execution_, on.ordered_points(execution_), from.ordered_points(execution_), on.forces());
    });
    repulsion_energy_ += repulsion_->add_walls(execution_, on.ordered_points(execution_), on.forces());
  });
}

/// The books of the step's energy: powers at its middle, by its length.
template <Execution E> void MembraneStep<E>::account(double time, double dt, double ahead) {
  const typename Fluid<E>::Powers powers = fluid_->powers();
  if (viscosity_) viscous_stresslet_ = fluid_->excess_stress();
  work_.dissipated += dt * powers.dissipation;
  lost_ = viscous_ ? dt * viscous_->power() : 0;
  work_.in_membranes += lost_;
  work_.done += dt * (powers.drive + power_near_walls_) + anchor_work_;
  given_ = anchor_work_;
  if (built_.pulls.any()) {
    const double pulled = dt * built_.pulls.power(execution_, time + ahead, built_.populations.front().velocities());
    work_.done += pulled;
    given_ += pulled;
  }
  if (!powers.forces) return;
  work_.taken_by_fluid += dt * *powers.forces;
  work_.given += given_;
}

/// One value along each axis: a device brings them together.
template <Execution E> std::array<double, 3> MembraneStep<E>::place_in_first(std::int64_t m) const {
  for (const Population& p : built_.populations)
    if (p.kinds().front().first_membrane == 0) return values::totals(execution_, 1, {p.at()[0] + m, p.at()[1] + m, p.at()[2] + m});
  return {};
}

template <Execution E> std::vector<std::array<double, 3>> MembraneStep<E>::places_of_first() const {
  std::vector<std::array<double, 3>> places;
  for (const Population& p : built_.populations) {
    if (p.kinds().front().first_membrane != 0) continue;
    places.resize(static_cast<std::size_t>(p.kinds().front().membranes->markers_per_membrane()));
    for (std::size_t d = 0; d < 3; ++d) {
      const std::vector<double> x = p.position[d]->values();
      for (std::size_t i = 0; i < places.size(); ++i) places[i][d] = x[i];
    }
  }
  return places;
}

template <Execution E> double MembraneStep<E>::energy_with(double kinetic) const {
  double total = kinetic + repulsion_energy_;
  for (const MembraneMeasures& m : measures_)
    total += m.elastic_energy + m.bending_energy + m.constraint_energy + m.tether_energy;
  return total;
}

template <Execution E> double MembraneStep<E>::stiffest() {
  const auto t = phases_.time("stiffness");
  if (!stiffest_)
    stiffest_.emplace(built_.populations, maps_of_markers_, *fluid_, domain_.grid(), [this] {
      each([&](Population& p) { p.find_forces(execution_); });
      if (repulsion_) repel();
    });
  const double energy = repulsion_energy_; // is that of the last step
  const auto forces = kept_forces();       // of which a lattice shows half
  const double found = stiffest_->find(execution_);
  repulsion_energy_ = energy;
  if (forces) give_back(*forces);
  return found;
}

template <Execution E> std::optional<fluid::FaceArrays> MembraneStep<E>::kept_forces() const {
  if (!setup_.lattice()) return std::nullopt;
  fluid::FaceArrays kept = fluid::make_cell_arrays(domain_.grid(), 0, memory_for<E>);
  for (std::size_t d = 0; d < 3; ++d) values::copy(execution_, kept[d].size(), fluid_->forces()[d], kept[d].data());
  return kept;
}

template <Execution E> void MembraneStep<E>::give_back(const fluid::FaceArrays& forces) {
  const VectorField field = fluid_->begin_forces(execution_);
  for (std::size_t d = 0; d < 3; ++d) values::copy(execution_, forces[d].size(), forces[d].data(), field[d]);
}

template <Execution E> EnergyMoment MembraneStep<E>::energy_moment() const {
  const double kinetic = fluid_->kinetic_energy();
  return {.membranes = energy_with(0),
          .kinetic = kinetic,
          .residual = setup_.lattice() ? work_.residual_of_membranes(energy_with(0)) : work_.residual(energy_with(kinetic)),
          .given = given_,
          .lost = lost_};
}

template <Execution E> std::vector<Deformation> MembraneStep<E>::deformations() const {
  std::vector<Deformation> farthest(setup_.surfaces.size());
  for (const Population& p : built_.populations)
    for (const typename Population::Kind& kind : p.kinds())
      for (std::int64_t c = 0; c < kind.membranes->count(); ++c) {
        const MembraneMeasures& m = measures_[kind.first_membrane + c];
        Deformation& of_kind = farthest[kind.surface];
        of_kind.stretch = std::max(of_kind.stretch, m.longest_stretch);
        of_kind.largest_area = std::max(of_kind.largest_area, m.largest_area_ratio);
        of_kind.least_area = std::min(of_kind.least_area, m.least_area_ratio);
      }
  return farthest;
}

template <Execution E> void MembraneStep<E>::measure() {
  each([&](Population& p) { p.measure(execution_, measures_); });
}

template <Execution E> void MembraneStep<E>::require_sound() const {
  for (std::size_t i = 0; i < measures_.size(); ++i) {
    const MembraneMeasures& m = measures_[i];
    const std::string name = "membrane " + std::to_string(i);
    if (!std::isfinite(m.volume) || !std::isfinite(m.area))
      throw Error(name + " has a volume of " + run::brief(m.volume) + " m3 and an area of " + run::brief(m.area) +
                  " m2 (the flow has blown up) set time.dt to a shorter step");
    if (m.volume <= 0)
      throw Error(name + " has turned inside out (it encloses " + run::brief(m.volume) +
                  " m3) set time.dt to a shorter step, or take a finer surface");
    if (m.longest_stretch > torn)
      throw Error(name + " has torn (an edge is " + run::brief(m.longest_stretch) + " times as long as without stress; "
                  "5 are allowed) set time.dt to a shorter step, or make the membrane stiffer");
  }
}

/// Membranes whose centres have left through a periodic side come in at the other one. Those that are tied stay.
template <Execution E> void MembraneStep<E>::bring_back() {
  each([&](Population& p) {
    for (const typename Population::Kind& kind : p.kinds()) {
      if (setup_.surfaces[kind.surface].material.tether_stiffness > 0) continue;
      for (std::int64_t c = 0; c < kind.membranes->count(); ++c) {
        MembraneMeasures& m = measures_[kind.first_membrane + c];
        std::array<double, 3> by{};
        for (int d = 0; d < 3; ++d) {
          const Axis& axis = domain_.whole().axis(d);
          if (axis.periodic()) by[d] = -axis.length() * std::floor((m.centroid[d] - axis.origin) / axis.length());
        }
        if (by == std::array<double, 3>{}) continue;
        p.shift(execution_, kind, c, by);
        for (std::size_t d = 0; d < 3; ++d) m.centroid[d] += by[d];
      }
    }
  });
}

template <Execution E> void MembraneStep<E>::spread() {
  const VectorField field = fluid_->begin_forces(execution_);
  net_force_ = {};
  power_near_walls_ = 0;
  each([&](Population& p) {
    p.spread(execution_, maps_of_markers_, field);
    p.find_stresslets(execution_, measures_, stresslets_);
    power_near_walls_ -= p.power_of_profile(execution_, maps_of_markers_);
    const std::array<double, 3> total = values::totals(execution_, p.points(), std::as_const(p).forces());
    for (std::size_t d = 0; d < 3; ++d) net_force_[d] += total[d];
  });
  power_near_walls_ += maps_of_markers_.power_on_field(execution_, fluid_->forces());
  maps_ += 3 * static_cast<int>(built_.populations.size());
}

} // namespace corral::membrane
