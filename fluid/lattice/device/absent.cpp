/// What a lattice on a device comes to in a build without CUDA.

#include "fluid/lattice/placed_flow.hpp"

#include <corral/device.hpp>
#include <corral/error.hpp>

namespace corral::fluid::lattice {

std::unique_ptr<PlacedLatticeFlow<Cpu>> make_flow_on_device(const Domain&, const LatticeProperties&) {
  throw Error("a lattice on a device (" + find_device().why_none + ") take the host's, or build corral where nvcc is");
}

std::unique_ptr<PlacedLatticeFlow<Gpu>> make_flow_of_device(const Domain&, const LatticeProperties&) {
  throw Error("a lattice of a device (" + find_device().why_none + ") take the CPU, or build corral where nvcc is");
}

} // namespace corral::fluid::lattice
