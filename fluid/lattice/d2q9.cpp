#include "fluid/lattice/populations.t.hpp"

namespace corral::fluid::lattice {

template std::unique_ptr<Populations> make_populations<D2Q9>(const PopulationsSetup&, Sides&);

} // namespace corral::fluid::lattice
