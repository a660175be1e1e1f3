#include "structure/fluids/make_fluid.hpp"

#include "structure/fluids/lattice_fluid.hpp"
#include "structure/fluids/spectral_fluid.hpp"

namespace corral::structure {

std::unique_ptr<Fluid<Cpu>> make_fluid(Cpu, const FlowSetup& flow, double dt, const fluid::Domain& domain, run::Registry& registry) {
  if (flow.lattice()) return std::make_unique<LatticeFluid<Cpu>>(flow, dt, domain, registry);
  return std::make_unique<SpectralFluid<Cpu>>(flow, domain, registry);
}

} // namespace corral::structure
