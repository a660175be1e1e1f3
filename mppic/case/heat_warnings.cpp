#include "mppic/case/heat.hpp"

#include "mppic/case/estimates.hpp"
#include "run/case/values.hpp"

#include <algorithm>
#include <cmath>

namespace corral::mppic {
namespace {

using run::brief;

/// Superficial, of the fastest inlet [m/s].
double fastest_inflow(const Setup& setup) {
  double fastest = 0;
  for (const fluid::Inlet& inlet : setup.inlets) fastest = std::max(fastest, fastest_gas(inlet));
  return fastest;
}

/// Of particles of that size in a packed bed that the fastest inlet blows through.
double expected_nusselt(const Setup& setup, double diameter) {
  const double re = setup.gas.rho * fastest_inflow(setup) * diameter / setup.gas.mu;
  return nusselt(setup.heat.nusselt, 1 - setup.solids.stress.theta_cp, re);
}

void warn_of_biot(const Setup& setup, const std::string& block, int solid, double diameter,
                  std::vector<std::string>& warnings) {
  const HeatModel& heat = setup.heat;
  const double k_p = heat.conductivities[heat.conductivities.size() > 1 ? static_cast<std::size_t>(solid) : 0];
  if (k_p <= 0) return;
  const double biot = expected_nusselt(setup, diameter) * heat.gas_conductivity / (6 * k_p);
  if (biot <= most_biot) return;
  warnings.push_back("particles of [" + block + "] exchange heat at a Biot number of about " + brief(biot) + ", beyond " +
                     brief(most_biot) + ": their inside is not of one temperature, as the model has it");
}

/// What the density of an ideal gas does not follow: speeds of the order of sound, differences of pressure.
void warn_of_mach(const Setup& setup, std::vector<std::string>& warnings) {
  const GasLaws& laws = setup.gas.laws;
  if (!laws.ideal) return;
  const double gamma = setup.heat.gas_capacity / (setup.heat.gas_capacity - laws.gas_constant);
  for (std::size_t i = 0; i < setup.inlets.size(); ++i) {
    const double mach = fastest_gas(setup.inlets[i]) / std::sqrt(gamma * laws.gas_constant * setup.heat.inlet_temperatures[i]);
    if (mach <= most_mach) continue;
    warnings.push_back("the gas of [inlet." + setup.inlets[i].name + "] enters at a Mach number of " + brief(mach) + ", beyond " +
                       brief(most_mach) + ": its density follows temperature and the pressure of the whole box alone");
  }
  constexpr double much = 0.1;
  for (const Seed& seed : setup.seeds)
    if (std::abs(seed.temperature - setup.heat.gas_temperature) > much * setup.heat.gas_temperature)
      warnings.push_back("the gas begins at " + brief(setup.heat.gas_temperature) + " K among grains of [seed." + seed.name +
                         "] of " + brief(seed.temperature) + " K: in a dense bed it takes on their temperature within some steps, and " +
                         "its volume changes as fast (gas.temperature may be theirs)");
  double weight = 0; // of all seeds [Pa]
  for (const Seed& seed : setup.seeds) {
    const Box& region = seed.seeding.region;
    for (std::size_t d = 0; d < 3 && !setup.solids.frozen; ++d)
      weight += setup.solids.density(seed.solid) * seed.seeding.solids_fraction.value_or(0) * (region.high[d] - region.low[d]) *
                std::abs(setup.gravity[d]);
  }
  if (weight > most_pressure_share * laws.pressure)
    warnings.push_back("solids weigh up to " + brief(weight) + " Pa, and gas.pressure is " + brief(laws.pressure) +
                       " Pa: the gas's density does not follow what it changes within the box");
}

} // namespace

void warn_of_heat(const Setup& setup, std::vector<std::string>& warnings) {
  if (!setup.heat.on()) return;
  warn_of_mach(setup, warnings);
  double largest = 0;
  for (const Seed& seed : setup.seeds) {
    warn_of_biot(setup, "seed." + seed.name, seed.solid, seed.sizes.maximum(), warnings);
    largest = std::max(largest, seed.sizes.maximum());
  }
  for (const EarlierSolids& taken : setup.taken()) {
    warn_of_biot(setup, "start", taken.solid, taken.largest_diameter, warnings);
    largest = std::max(largest, taken.largest_diameter);
  }
  for (const SolidsInlet& inlet : setup.solids_inlets) {
    warn_of_biot(setup, "inlet." + inlet.inlet.name, inlet.solid, inlet.sizes.maximum(), warnings);
    largest = std::max(largest, inlet.sizes.maximum());
  }
  const double re = setup.gas.rho * fastest_inflow(setup) * largest / setup.gas.mu;
  if (setup.heat.nusselt.has_range() && re > NusseltModel::most_re)
    warnings.push_back("particles meet the gas of inlets at a Reynolds number of " + brief(re) +
                       ", and Gunn's law of heat transfer ends at " + brief(NusseltModel::most_re));
}

std::string describe_heat(const Setup& setup) {
  const HeatModel& heat = setup.heat;
  const GasLaws& laws = setup.gas.laws;
  double smallest = 0, capacity = 0;
  for (const Seed& seed : setup.seeds) {
    if (smallest > 0 && seed.sizes.sauter_mean() >= smallest) continue;
    smallest = seed.sizes.sauter_mean();
    capacity = heat.capacity(seed.solid);
  }
  std::string gas;
  const bool closed = std::find(setup.sides.begin(), setup.sides.end(), fluid::SideKind::outlet) == setup.sides.end();
  if (laws.ideal)
    gas += "; ideal gas of " + brief(setup.gas.rho) + " kg/m3 at " + brief(laws.pressure) + " Pa" +
           (closed ? ", which rises with its heat" : "");
  if (laws.sutherland) gas += "; viscosity by Sutherland, " + brief(setup.gas.mu) + " Pa s";
  if (laws.prandtl > 0) gas += "; conductivity " + brief(heat.gas_conductivity) + " W/(m K)";
  if (heat.gas_source != 0) gas += "; the gas gives off " + brief(heat.gas_source) + " W/m3";
  for (std::size_t i = 0; i < heat.sources.size(); ++i)
    if (heat.sources[i] != 0)
      gas += "; " + (setup.solids.several.empty() ? "particles give" : setup.solids.several[i].name + " gives") + " off " +
             brief(heat.sources[i]) + " W/m3";
  if (smallest == 0) return "heat      gas at " + brief(heat.gas_temperature) + " K" + gas;
  const double nu = expected_nusselt(setup, smallest);
  const double within = capacity * smallest * smallest / (6 * nu * heat.gas_conductivity);
  return run::formatted("heat      gas at %g K; particles of %g m follow it within %.3g s (Nu about %.3g)",
                        heat.gas_temperature, smallest, within, nu) + gas;
}

} // namespace corral::mppic
