#include "structure/bodies/body_points.t.hpp"

namespace corral::structure {

template class BodyPoints<Cpu>;

} // namespace corral::structure
