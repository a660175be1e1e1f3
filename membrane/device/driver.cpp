#include "membrane/device/driver.hpp"

#include "membrane/driver.t.hpp"

#include <utility>

namespace corral::membrane {

// What the device fails at is no fault of the case.
std::unique_ptr<run::Driver> make_on_device(const run::Settings& settings, run::Problems& problems) {
  auto setup = read_setup_for_device(settings, problems);
  return setup ? std::make_unique<MembraneDriver<Gpu>>(std::move(*setup)) : nullptr;
}

} // namespace corral::membrane
