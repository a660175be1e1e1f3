#include "structure/triangles/bending.t.hpp"

namespace corral::structure {

template void set_normals(Cpu, std::int64_t, const MembraneView&, const double*, double*, double*);
template void add_dihedral(Cpu, std::int64_t, const MembraneView&, const double*, const double*, double, double*);
template void set_helfrich_terms(Cpu, std::int64_t, const MembraneView&, const double*, const double*, const double*,
                                 double, double*);
template void add_helfrich(Cpu, std::int64_t, const MembraneView&, const double*, const double*, double*);

} // namespace corral::structure
