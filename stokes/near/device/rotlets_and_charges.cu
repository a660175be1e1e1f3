#include "stokes/near/device/point_law.cuh"

namespace corral::stokes::device {

void add_rotlets(Gpu gpu, const Call& call, const ScreenedNumbers& numbers, bool all) {
  add_points<Sum::rotlet>(gpu, call, numbers, all);
}

void add_charges(Gpu gpu, const Call& call, const ScreenedNumbers& numbers, bool all) {
  add_points<Sum::laplace>(gpu, call, numbers, all);
}

} // namespace corral::stokes::device
