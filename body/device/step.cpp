#include "body/step/step.t.hpp"

namespace corral::body {

template class BodyStep<Gpu>; // its loops are those of structure/

} // namespace corral::body
