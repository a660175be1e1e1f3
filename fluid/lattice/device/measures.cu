/// Measures of a lattice flow whose fields lie on a device.

#include "fluid/lattice/measures.t.hpp"

#include <corral/for_each.cuh>

namespace corral::fluid::lattice {

template ViscousWork viscous_work(Gpu, const Domain&, const LatticeProperties&, const ConstFacePointers&,
                                  const ConstFacePointers&);
template double kinetic_energy(Gpu, const Domain&, double, const ConstFacePointers&);
template double power(Gpu, const Domain&, const ConstFacePointers&, const ConstFacePointers&);

} // namespace corral::fluid::lattice
