#pragma once

#include "membrane/step/step.hpp"
#include "structure/fluids/lattice_fluid.hpp"
#include "tests/membrane/step/membrane_run.hpp"

#include <corral/error.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace corral::test {

/// Membranes in a lattice fluid with their state, step by step, on the processor of E.
template <Execution E> struct LatticeRun {
  membrane::MembraneSetup setup;
  fluid::Domain domain;
  run::Registry registry;
  run::Phases phases;
  membrane::MembraneStep<E> step;
  double time = 0; ///< [s]

  explicit LatticeRun(membrane::MembraneSetup given)
      : setup(placed(std::move(given))), domain(setup.make_domain()), registry(domain.grid(), memory_for<E>),
        step(E{}, setup, sent(), std::make_unique<structure::LatticeFluid<E>>(setup, setup.time.dt, domain, registry), registry,
             phases) {
    step.start();
  }
  void advance(std::int64_t steps) {
    for (std::int64_t i = 0; i < steps; ++i, time += setup.time.dt) step.advance(time, setup.time.dt);
  }
  /// Values of an entry, by its full name.
  std::vector<double> values(const std::string& name) const {
    for (const run::Entry& entry : registry.entries())
      if (entry.full_name() == name && entry.reals()) return entry.reals()->values();
    throw Error("no entry is called " + name);
  }

private:
  static membrane::MembraneSetup placed(membrane::MembraneSetup setup) {
    setup.places = structure::place(setup);
    return setup;
  }
  const fluid::Domain& sent() {
    if (memory_for<E> == Memory::device) domain.send();
    return domain;
  }
};

/// A box that is sheared, by walls that slide or across its ends.
inline membrane::MembraneSetup sheared(bool walls, double rate = 500) {
  membrane::MembraneSetup setup = box_of_water({16, 16, 16}, um, walls);
  shear(setup, rate);
  return setup;
}

} // namespace corral::test
