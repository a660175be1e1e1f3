#include "app/drivers.hpp"

#include "beads/driver.hpp"
#include "body/driver.hpp"
#include "membrane/driver.hpp"
#include "mppic/driver.hpp"

namespace corral::app {

const std::vector<run::DriverKind>& drivers() {
  static const std::vector<run::DriverKind> all{mppic::driver_kind(), membrane::driver_kind(), body::driver_kind(),
                                                 beads::driver_kind()};
  return all;
}

} // namespace corral::app
