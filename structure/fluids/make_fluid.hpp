#pragma once

#include "fluid/domain.hpp"
#include "run/state/registry.hpp"
#include "structure/fluids/fluid.hpp"
#include "structure/setup/flow.hpp"

#include <corral/execution.hpp>

#include <memory>

namespace corral::structure {

/// The fluid that a case chooses, on the domain of the flow, to which a reference is kept; dt [s] is the step of those that have
/// one of their own.
std::unique_ptr<Fluid<Gpu>> make_fluid(Gpu, const FlowSetup& flow, double dt, const fluid::Domain& domain, run::Registry& registry);
std::unique_ptr<Fluid<Cpu>> make_fluid(Cpu, const FlowSetup& flow, double dt, const fluid::Domain& domain, run::Registry& registry);

} // namespace corral::structure
