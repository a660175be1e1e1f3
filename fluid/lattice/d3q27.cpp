#include "fluid/lattice/collide.t.hpp"

namespace corral::fluid::lattice {

template void collide(Block<D3Q27, double>&, int, const Rule<double>&);
template void collide(Block<D3Q27, float>&, int, const Rule<float>&);
template void look(Block<D3Q27, double>&, int);
template void look(Block<D3Q27, float>&, int);
template void look(const Arrivals<D3Q27, double>&, Block<D3Q27, double>&, int);
template void look(const Arrivals<D3Q27, float>&, Block<D3Q27, float>&, int);
template void look(const Arrivals<D3Q27, float>&, Block<D3Q27, double>&, int);
template void collide(const Stretch<D3Q27, double>&, Block<D3Q27, double>&, int, const Rule<double>&);
template void collide(const Stretch<D3Q27, float>&, Block<D3Q27, float>&, int, const Rule<float>&);
template void collide(const Stretch<D3Q27, float>&, Block<D3Q27, double>&, int, const Rule<double>&);

} // namespace corral::fluid::lattice
