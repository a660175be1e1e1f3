#include "structure/triangles/measures.t.hpp"

namespace corral::structure {

template void sum_triangles(Cpu, std::int64_t, const MembraneView&, const ReferenceView&, const StrainEnergy&,
                            const BendingSums&, Array<ShapeSums>&, ShapeSums*);
template void sum_vertices(Cpu, std::int64_t, const MembraneView&, const ReferenceView&, const BendingSums&,
                           const TetherSprings&, Array<ShapeSums>&, ShapeSums*);
template void set_measures(Cpu, std::int64_t, const MembraneView&, const ShapeSums*, const ShapeSums*, const ExtentPenalty&,
                           MembraneMeasures*);
template void set_tensions(Cpu, std::int64_t, const MembraneView&, const double*, const StrainEnergy&, double*,
                           double*);
template void set_area_ratios(Cpu, std::int64_t, const MembraneView&, const double*, double*);
template void set_mean_curvatures(Cpu, std::int64_t, const MembraneView&, const double*, const double*, double*);

} // namespace corral::structure
