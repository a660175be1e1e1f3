#include "tests/engine/spline_kernels.hpp"

#include <corral/device_kernel.cuh>

CORRAL_DEVICE_KERNEL(corral::test::Quadratic)
CORRAL_DEVICE_KERNEL(corral::test::Cubic)
CORRAL_DEVICE_KERNEL(corral::test::EighteenPoints)
