#include "stokes/mobility.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <cmath>
#include <numbers>
#include <string>

namespace corral::stokes {

Task task_of(const Spheres& s) {
  if (!(s.viscosity > 0) || !std::isfinite(s.viscosity))
    throw Error("a viscosity of " + std::to_string(s.viscosity) + " Pa s (it must be positive and finite)");
  if (!(s.radius > 0)) throw Error("spheres of the radius " + std::to_string(s.radius) + " m (it must be positive)");
  return {.sum = Sum::stokeslet,
          .all_results = false,
          .box = s.box,
          .radius = s.radius,
          .tolerance = s.tolerance,
          .sources = s.count,
          .targets = s.count};
}

namespace {

void scale(Cpu cpu, double factor, const std::array<Column<double>, 3>& columns) {
  for (const Column<double>& c : columns) for_each(cpu, c.size, [=](std::int64_t i) { c[i] *= factor; });
}

} // namespace

Mobility::Mobility(const Spheres& spheres, const Parameters& fixed, const CostModel& cost)
    : viscosity_(spheres.viscosity), plan_(task_of(spheres), fixed, cost) {}

void Mobility::operator()(Cpu cpu, const Positions<double>& at, const std::array<Column<const double>, 3>& force,
                          const std::array<Column<double>, 3>& velocity) {
  Sources sources{.at = at};
  for (std::size_t d = 0; d < 3; ++d) sources.strength[d] = force[d];
  plan_(cpu, sources, {.at = at, .velocity = velocity});
  scale(cpu, 1 / (8 * std::numbers::pi * viscosity_), velocity);
}

void Mobility::fluctuate(Cpu cpu, const Positions<double>& at, double energy, double dt, const NormalNumbers& numbers,
                         const std::array<Column<double>, 3>& velocity) {
  if (!(energy >= 0) || !(dt > 0)) throw Error("random velocities of negative energy, or in no time");
  plan_.fluctuate(cpu, at, numbers, velocity);
  scale(cpu, std::sqrt(2 * energy / (8 * std::numbers::pi * viscosity_ * dt)), velocity);
}

} // namespace corral::stokes
