#include "body/device/driver.hpp"

#include "body/driver.t.hpp"

#include <utility>

namespace corral::body {

// What the device fails at is no fault of the case.
std::unique_ptr<run::Driver> make_on_device(const run::Settings& settings, run::Problems& problems) {
  auto setup = read_setup_for_device(settings, problems);
  return setup ? std::make_unique<BodyDriver<Gpu>>(std::move(*setup)) : nullptr;
}

} // namespace corral::body
