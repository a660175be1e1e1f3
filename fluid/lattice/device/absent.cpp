/// What a lattice on a device comes to in a build without CUDA.

#include "fluid/lattice/placed_flow.hpp"

#include <corral/error.hpp>

namespace corral::fluid::lattice {

std::string why_no_device() { return "this corral was built without CUDA"; }
double free_device_bytes() { return 0; }

std::unique_ptr<PlacedLatticeFlow> make_flow_on_device(const Domain&, const LatticeProperties&) {
  throw Error("a lattice on a device (" + why_no_device() + ") take the host's, or build corral where nvcc is");
}

} // namespace corral::fluid::lattice
