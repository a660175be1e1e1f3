#include "mppic/case/setup_checks.hpp"
#include "mppic/heat/case.hpp"
#include "mppic/heat/heat.hpp"

#include "run/case/values.hpp"

#include <algorithm>
#include <cstdio>

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

} // namespace

void warn_of_heat(const Setup& setup, std::vector<std::string>& warnings) {
  if (!setup.heat.on()) return;
  double largest = 0;
  for (const Seed& seed : setup.seeds) {
    warn_of_biot(setup, "seed." + seed.name, seed.solid, seed.sizes.maximum(), warnings);
    largest = std::max(largest, seed.sizes.maximum());
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
  double smallest = 0, capacity = 0;
  for (const Seed& seed : setup.seeds) {
    if (smallest > 0 && seed.sizes.sauter_mean() >= smallest) continue;
    smallest = seed.sizes.sauter_mean();
    capacity = heat.capacity(seed.solid);
  }
  char text[200];
  if (smallest == 0) return "heat      gas at " + brief(heat.gas_temperature) + " K";
  const double nu = expected_nusselt(setup, smallest);
  std::snprintf(text, sizeof text, "heat      gas at %g K; particles of %g m follow it within %.3g s (Nu about %.3g)",
                heat.gas_temperature, smallest,
                capacity * smallest * smallest / (6 * nu * heat.gas_conductivity), nu);
  return text;
}

} // namespace corral::mppic
