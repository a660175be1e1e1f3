/// Device code of membranes: loops over triangles and vertices.

#include "structure/triangles/bending.t.hpp"
#include "structure/triangles/in_plane.t.hpp"
#include "structure/triangles/measures.t.hpp"
#include "structure/triangles/viscosity.t.hpp"

#include <corral/for_each.cuh>

namespace corral::structure {

template void set_pulls(Gpu, std::int64_t, const MembraneView&, const ExtentPenalty&, Array<VolumeAndArea>&,
                        VolumeAndArea*, ExtentPull*);
template void set_in_plane(Gpu, std::int64_t, const MembraneView&, const double*, const StrainEnergy&,
                           const ExtentPull*, double*);
template void gather_forces(Gpu, std::int64_t, const MembraneView&, const double*, const TetherSprings&, const double*,
                            const Points&);
template void set_normals(Gpu, std::int64_t, const MembraneView&, const double*, double*, double*);
template void add_dihedral(Gpu, std::int64_t, const MembraneView&, const double*, const double*, double, double*);
template void set_helfrich_terms(Gpu, std::int64_t, const MembraneView&, const double*, const double*, const double*,
                                 double, double*);
template void add_helfrich(Gpu, std::int64_t, const MembraneView&, const double*, const double*, double*);
template void set_viscous(Gpu, std::int64_t, const MembraneView&, const double*, const ConstPoints&,
                          const SurfaceViscosity&, double*);
template void sum_triangles(Gpu, std::int64_t, const MembraneView&, const ReferenceView&, const StrainEnergy&,
                            const BendingSums&, Array<ShapeSums>&, ShapeSums*);
template void sum_vertices(Gpu, std::int64_t, const MembraneView&, const ReferenceView&, const BendingSums&,
                           const TetherSprings&, Array<ShapeSums>&, ShapeSums*);
template void set_tensions(Gpu, std::int64_t, const MembraneView&, const double*, const StrainEnergy&, double*,
                           double*);
template void set_area_ratios(Gpu, std::int64_t, const MembraneView&, const double*, double*);
template void set_mean_curvatures(Gpu, std::int64_t, const MembraneView&, const double*, const double*, double*);

} // namespace corral::structure
