#include "structure/triangles/in_plane.t.hpp"

namespace corral::structure {

template void set_pulls(Cpu, std::int64_t, const MembraneView&, const ExtentPenalty&, Array<VolumeAndArea>&,
                        VolumeAndArea*, ExtentPull*);
template void set_in_plane(Cpu, std::int64_t, const MembraneView&, const double*, const StrainEnergy&,
                           const ExtentPull*, double*);
template void gather_forces(Cpu, std::int64_t, const MembraneView&, const double*, const TetherSprings&, const double*,
                            const Points&);

} // namespace corral::structure
