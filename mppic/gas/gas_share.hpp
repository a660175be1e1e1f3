#pragma once

#include <corral/host_device.hpp>

namespace corral::mppic {

constexpr double eps_floor = 0.05; ///< gas fraction that the equations keep at least (docs/models/coupling.md)

CORRAL_HOST_DEVICE inline double gas_share(double theta) { return 1 - theta > eps_floor ? 1 - theta : eps_floor; }

} // namespace corral::mppic
