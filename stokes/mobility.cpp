#include "stokes/mobility.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace corral::stokes {

Task task_of(const Spheres& s) {
  if (!(s.viscosity > 0) || !std::isfinite(s.viscosity))
    throw Error("a viscosity of " + std::to_string(s.viscosity) + " Pa s (it must be positive and finite)");
  if (!(s.radius > 0) || !std::isfinite(s.radius))
    throw Error("spheres of the radius " + std::to_string(s.radius) + " m (it must be positive and finite)");
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

bool any(const Parameters& p) {
  return p.xi != 0 || p.cut_off != 0 || p.support != 0 || p.beta != 0 || p.modes != Parameters{}.modes;
}

} // namespace

SphereSum chosen_sum(const Spheres& s, const Parameters& fixed) {
  const auto& periodic = s.box.periodic;
  const bool images = periodic[0] || periodic[1] || periodic[2];
  const bool few = s.count <= (s.fluctuates ? most_fluctuating_by_pairs : most_by_pairs);
  if (s.sum == SphereSum::pairs && (images || any(fixed)))
    throw Error(images ? "a sum pair by pair in a box with periodic axes (images have no end) take a grid"
                       : "a sum pair by pair with parameters of a grid (it has none)");
  if (s.sum != SphereSum::automatic) return s.sum;
  return !images && few && !any(fixed) ? SphereSum::pairs : SphereSum::grid;
}

Mobility::Mobility(const Spheres& spheres, const Parameters& fixed, const CostModel& cost)
    : spheres_(spheres), pairs_(spheres.radius) {
  const Task task = task_of(spheres);
  require_tolerance(task.tolerance);
  spheres_.sum = chosen_sum(spheres, fixed);
  if (spheres_.sum == SphereSum::grid) plan_.emplace(task, fixed, cost);
}

void Mobility::operator()(Cpu cpu, const Positions<double>& at, const std::array<Column<const double>, 3>& force,
                          const std::array<Column<double>, 3>& velocity) {
  if (plan_) {
    Sources sources{.at = at};
    std::copy(force.begin(), force.end(), sources.strength.begin());
    (*plan_)(cpu, sources, {.at = at, .velocity = velocity});
  } else
    pairs_(cpu, at, force, velocity);
  scale(cpu, 1 / (8 * std::numbers::pi * spheres_.viscosity), velocity);
}

void Mobility::fluctuate(Cpu cpu, const Positions<double>& at, double energy, double dt, const NormalNumbers& numbers,
                         const std::array<Column<double>, 3>& velocity) {
  if (!(energy >= 0) || !(dt > 0)) throw Error("random velocities of negative energy, or in no time");
  if (plan_)
    plan_->fluctuate(cpu, at, numbers, velocity);
  else
    pairs_.fluctuate(cpu, at, spheres_.tolerance, numbers, velocity);
  scale(cpu, std::sqrt(2 * energy / (8 * std::numbers::pi * spheres_.viscosity * dt)), velocity);
}

} // namespace corral::stokes
