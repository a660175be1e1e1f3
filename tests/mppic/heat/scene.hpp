#pragma once

#include "mppic/heat/heat.hpp"
#include "tests/mppic/small_beds.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <string>

namespace corral::test {

/// With a law of constant Nu, or another one; air of 1.2 kg/m3, and glass.
inline void warm(mppic::Setup& s, double nu, mppic::NusseltLaw law = mppic::NusseltLaw::constant) {
  s.heat.nusselt = {law, nu, std::cbrt(s.gas.mu * s.heat.gas_capacity / s.heat.gas_conductivity)};
  s.heat.inlet_temperatures.assign(s.inlets.size(), s.heat.gas_temperature);
}

/// One parcel at each cell's centre, frozen, so that all of a cell is one balance.
inline mppic::Setup still(std::array<std::int64_t, 3> cells, std::array<double, 3> size, double theta, double diameter) {
  mppic::Setup s = empty_box(cells, size);
  s.gravity = {0, 0, 0};
  s.solids.frozen = true;
  mppic::Seed seed = bed(s, size[2], theta, 1, diameter);
  seed.seeding.arrangement = mppic::Arrangement::cell_lattice;
  seed.seeding.lattice = {1, 1, 1};
  s.seeds.push_back(seed);
  return s;
}

inline void let_in(mppic::Setup& s, double superficial, double temperature) {
  let_in(s, superficial);
  s.gas.velocity[2] += superficial;
  s.sides[5] = fluid::SideKind::outlet;
  s.heat.inlet_temperatures.push_back(temperature);
}

/// Gas that obeys the ideal gas law, of that temperature at the start.
inline void let_be_ideal(mppic::Setup& s, double temperature) {
  s.heat.gas_temperature = s.heat.outside_temperature = temperature;
  s.gas.laws.ideal = true;
  s.gas.rho = s.gas.laws.density(s.gas.laws.pressure, temperature);
  s.solids.drag.rho = s.gas.rho;
}

inline const mppic::VaryingGas& gas(const Bed& b) { return *b.step.heat()->gas().varying(); }

} // namespace corral::test
