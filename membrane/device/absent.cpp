/// What the driver on a device comes to in a build without CUDA.

#include "membrane/device/driver.hpp"

#include <corral/error.hpp>

namespace corral::membrane {

std::unique_ptr<run::Driver> make_on_device(const run::Settings&, run::Problems&) {
  throw Error("a run of membranes on a device (this corral was built without CUDA) build corral where nvcc is");
}

} // namespace corral::membrane
