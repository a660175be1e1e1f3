#include "structure/markers/enclosed_viscosity.hpp"

#include <corral/for_each.hpp>

#include <algorithm>

namespace corral::structure {

EnclosedViscosity::EnclosedViscosity(const Immersed& setup, const fluid::Domain& domain, const std::string& kernel,
                                     Method method, run::Registry& registry)
    : inside_(domain, kernel, method), outside_(setup.fluid.mu),
      viscosity_(registry.declare_field("viscosity", "Pa s", "of the fluid, smeared over the kernel's width",
                                        Staggering::centre, run::Use::shown)) {
  for (const SurfaceModel& kind : setup.surfaces) {
    const double inverse = 1 / kind.viscosity_ratio.value_or(1);
    weights_.push_back(inverse - 1);
    least_ = std::min(least_, inverse), most_ = std::max(most_, inverse);
  }
}

const double* EnclosedViscosity::find(Cpu cpu, const std::deque<Population<Cpu>>& populations) {
  double* const mu = viscosity_.data();
  inside_.find_midway(cpu, populations, weights_, mu);
  const double outside = outside_, least = least_, most = most_;
  for_each(cpu, viscosity_.size(), [=](std::int64_t c) { mu[c] = outside / std::clamp(1 + mu[c], least, most); });
  return mu;
}

} // namespace corral::structure
