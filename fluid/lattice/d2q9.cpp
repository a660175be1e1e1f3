#include "fluid/lattice/collide.t.hpp"

namespace corral::fluid::lattice {

template void collide(Block<D2Q9, double>&, int, const Rule<double>&);
template void collide(Block<D2Q9, float>&, int, const Rule<float>&);
template void look(Block<D2Q9, double>&, int);
template void look(Block<D2Q9, float>&, int);
template void look(const Arrivals<D2Q9, double>&, Block<D2Q9, double>&, int);
template void look(const Arrivals<D2Q9, float>&, Block<D2Q9, float>&, int);
template void look(const Arrivals<D2Q9, float>&, Block<D2Q9, double>&, int);
template void collide(const Stretch<D2Q9, double>&, Block<D2Q9, double>&, int, const Rule<double>&);
template void collide(const Stretch<D2Q9, float>&, Block<D2Q9, float>&, int, const Rule<float>&);
template void collide(const Stretch<D2Q9, float>&, Block<D2Q9, double>&, int, const Rule<double>&);

} // namespace corral::fluid::lattice
