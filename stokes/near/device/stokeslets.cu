#include "stokes/near/device/point_law.cuh"

namespace corral::stokes::device {

void add_stokeslets(Gpu gpu, const Call& call, const ScreenedNumbers& numbers, bool all) {
  add_points<Sum::stokeslet>(gpu, call, numbers, all);
}

} // namespace corral::stokes::device
