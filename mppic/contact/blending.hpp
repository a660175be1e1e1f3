#pragma once

#include <corral/host_device.hpp>

#include <algorithm>

namespace corral::mppic {

/// chi: the share of contact that grips all particles alike, as they are packed, and not each by its own mass (O'Rourke
/// and Snider 2014, who leave the function open): 0 below .85 close packing, 1 from there on, smooth in between.
CORRAL_HOST_DEVICE inline double blending(double theta, double theta_cp) {
  const double x = std::clamp((theta / theta_cp - 0.85) / 0.15, 0.0, 1.0);
  return x * x * (3 - 2 * x);
}

} // namespace corral::mppic
