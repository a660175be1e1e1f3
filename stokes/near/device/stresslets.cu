#include "stokes/near/device/point_law.cuh"

namespace corral::stokes::device {

void add_stresslets(Gpu gpu, const Call& call, const ScreenedNumbers& numbers, bool all) {
  add_points<Sum::stresslet>(gpu, call, numbers, all);
}

void add_stokeslets_and_stresslets(Gpu gpu, const Call& call, const ScreenedNumbers& numbers) {
  add_by(gpu, call, PointLaw<false, Sum::stokeslet, Sum::stresslet>(call, numbers));
}

} // namespace corral::stokes::device
