/// What the driver on a device comes to in a build without CUDA.

#include "body/device/driver.hpp"

#include <corral/error.hpp>

namespace corral::body {

std::unique_ptr<run::Driver> make_on_device(const run::Settings&, run::Problems&) {
  throw Error("a run of bodies on a device (this corral was built without CUDA) build corral where nvcc is");
}

} // namespace corral::body
