#include "mppic/collisions/isotropy.t.hpp"

namespace corral::mppic {

Isotropy::Isotropy(const fluid::Domain& domain, const Setup& setup, Memory memory)
    : domain_(domain), rates_{setup.solids.stress.theta_cp, setup.collisions.restitution}, far_(setup.collisions.far),
      random_(setup.random_seed), momentum_(memory), energy_(memory) {}

template Isotropy::Report Isotropy::advance(Cpu, const CellOrder<double>&, const Parcels&, const FaceSums&, const Flow&,
                                            const MoveColumns&, double, std::int64_t);

} // namespace corral::mppic
