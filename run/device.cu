/// Device code of the state: what particle sets do to their columns.

#include "run/state/particle_set.t.hpp"

#include <corral/for_each.cuh>

namespace corral::run {

template void ParticleSet::reorder(Gpu, CellOrder<double>&);
template void ParticleSet::remove(Gpu, const Array<std::uint8_t>&);

} // namespace corral::run
