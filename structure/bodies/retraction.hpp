#pragma once

#include "geometry/vector.hpp"
#include "structure/bodies/shape.hpp"
#include "structure/setup/rigid_body.hpp"

#include <corral/execution.hpp>

#include <string_view>
#include <vector>

namespace corral::structure {

/// By how much a body that is held by points is larger to the fluid than the surface that they lie on, in cells: kernels spread
/// their forces to either side of it. Found as the radius of the sphere whose drag a simple cubic array has in Stokes flow
/// (Zick and Homsy 1982), eight cells to a radius; at four it is .06 more, and it does not depend on viscosity.
double hydrodynamic_excess(std::string_view kernel);

/// Where the points of a body stand if they are moved into it by a distance [m], along normals of its surface (Breugem 2012).
std::vector<geometry::Vector> retracted_points(Cpu, const BodyModel& kind, const BodyShape& shape, double by);

} // namespace corral::structure
