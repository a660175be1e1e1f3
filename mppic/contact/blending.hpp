#pragma once

#include <corral/host_device.hpp>

#include <algorithm>

namespace corral::mppic {

/// chi: which share of the particles' acceleration contacts make common to all of a place (O'Rourke and Snider 2014).
/// 0 where they are loose, below .85 of close packing, 1 where they lie packed, beyond .95 of it; smooth between. The
/// paper's own function is not known here.
CORRAL_HOST_DEVICE inline double common_share(double theta, double theta_cp) {
  const double t = std::clamp((theta / theta_cp - 0.85) / 0.1, 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

} // namespace corral::mppic
