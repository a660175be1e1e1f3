#include "structure/triangles/viscosity.t.hpp"

namespace corral::structure {

template void set_viscous(Cpu, std::int64_t, const MembraneView&, const double*, const ConstPoints&,
                          const SurfaceViscosity&, double*);

} // namespace corral::structure
