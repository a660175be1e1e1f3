#pragma once

#include "geometry/vector.hpp"
#include "structure/bodies/shape.hpp"
#include "structure/setup/rigid_body.hpp"

#include <corral/execution.hpp>

#include <string_view>
#include <vector>

namespace corral::structure {

/// By how much a body of that radius, in cells, is larger to the fluid than the surface on which points hold it, in cells:
/// kernels spread their forces to either side of it. Found as the radius of the sphere whose drag a simple cubic array has in
/// Stokes flow (Zick and Homsy 1982): of every kernel at eight cells to a radius, and of roma3 at three to eight and, for
/// cylinders (Sangani and Acrivos 1982), at six to twenty-three, where it is .36 + .5/radius. Others are taken to depend on the
/// radius alike. It does not depend on viscosity.
double hydrodynamic_excess(std::string_view kernel, double radius);

/// Where the points of a body stand if they are moved into it by a distance [m], along normals of its surface (Breugem 2012).
std::vector<geometry::Vector> retracted_points(Cpu, const BodyModel& kind, const BodyShape& shape, double by);

} // namespace corral::structure
