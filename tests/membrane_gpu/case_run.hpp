#pragma once

#include "tests/membrane/step/membrane_run.hpp"

#include <corral/error.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace corral::test {

/// Membranes in a fluid, by steps of the length that the case says.
template <Execution E> struct CaseRun : MembraneRunOn<E> {
  using MembraneRunOn<E>::MembraneRunOn;

  void advance(std::int64_t steps) { MembraneRunOn<E>::advance(this->setup.time.dt, steps); }
  /// Values of an entry, by its full name.
  std::vector<double> values(const std::string& name) const {
    for (const run::Entry& entry : this->registry.entries())
      if (entry.full_name() == name && entry.reals()) return entry.reals()->values();
    throw Error("no entry is called " + name);
  }
};

/// A box that is sheared, by walls that slide or across its ends.
inline membrane::MembraneSetup sheared(bool walls, double rate = 500) {
  membrane::MembraneSetup setup = box_of_water({16, 16, 16}, um, walls);
  shear(setup, rate);
  return setup;
}

} // namespace corral::test
