#include "structure/triangles/triangle_membranes.t.hpp"

namespace corral::structure {

template class TriangleMembranes<Cpu>;

} // namespace corral::structure
