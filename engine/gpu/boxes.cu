#include "engine/shared/boxes.t.hpp"

#include <corral/for_each.cuh>

namespace corral {

CORRAL_DEFINE_BOXES(Gpu)

} // namespace corral
