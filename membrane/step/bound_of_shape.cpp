#include "membrane/step/bound_of_shape.hpp"

#include <algorithm>
#include <cmath>

namespace corral::membrane {

namespace {

constexpr double left = 0.9;                        ///< of the step at which motions come back as their own negatives
constexpr double longest_time = 500;                ///< between looks [steps]
constexpr double most_looks = 10, looks_per_step = 1.0 / 40;
constexpr double much = 1.1;                        ///< how much a stiffness may change before a look is worth it

Deformation farthest(std::span<const Deformation> all) {
  Deformation most;
  for (const Deformation& d : all) {
    most.stretch = std::max(most.stretch, d.stretch);
    most.largest_area = std::max(most.largest_area, d.largest_area);
    most.least_area = std::min(most.least_area, d.least_area);
  }
  return most;
}

} // namespace

BoundOfShape::BoundOfShape(const MembraneSetup& setup, run::Registry& registry) : setup_(setup) {
  registry.bind("stiffest", "", "motion of the membranes at the last look, a rate or a frequency squared", stiffest_);
  registry.bind("stiffest_steps", "", "since that look, -1 before the first", steps_);
  registry.bind("stiffest_looks", "", "that may be taken at once", looks_);
  registry.bind("stiffest_stretch", "", "longest at that look", then_.stretch);
  registry.bind("stiffest_largest_area", "", "over its own without stress, at that look", then_.largest_area);
  registry.bind("stiffest_least_area", "", "over its own without stress, at that look", then_.least_area);
}

double BoundOfShape::limit(double stiffest) const {
  const bool midpoint = setup_.coupling.scheme == Coupling::midpoint;
  if (setup_.fluid.inertia) return left * std::sqrt((midpoint ? 4 : 4.0 / 3) / stiffest);
  return left * (midpoint ? 1 : 2.0 / 3) / stiffest;
}

double BoundOfShape::stiffened(const Deformation& now) const {
  return std::pow(now.stretch / then_.stretch, 6) *
         std::pow(now.largest_area / then_.largest_area * then_.least_area / now.least_area, 4);
}

StableStep BoundOfShape::shorter(const StableStep& by_material, std::span<const Deformation> now,
                                 const std::function<double()>& stiffest) {
  const Deformation most = farthest(now);
  const double wanted = std::min(by_material.dt, setup_.time.dt);
  if (steps_ >= 0) ++steps_;
  looks_ = std::min(looks_ + looks_per_step, most_looks);
  const double by = steps_ < 0 ? 1 : stiffened(most);
  const bool holds_back = limit(stiffest_ * std::max(by, 1.0)) < wanted;
  const bool has_changed = by > much || by < 1 / much;
  const bool due = steps_ < 0 || steps_ >= longest_time || (holds_back && has_changed && looks_ >= 1);
  if (due) stiffest_ = stiffest(), then_ = most, steps_ = 0, looks_ = std::max(looks_ - 1, 0.0);
  const double dt = limit(stiffest_ * (due ? 1 : std::max(by, 1.0)));
  if (dt < by_material.dt) return {dt, "the stiffest motion of the membranes' points on this grid, as they are now"};
  return by_material;
}

} // namespace corral::membrane
