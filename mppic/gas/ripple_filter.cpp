#include "mppic/gas/ripple_filter.t.hpp"

namespace corral::mppic {

RippleFilter::RippleFilter(const fluid::Domain& domain, double theta_cp, Memory memory)
    : grid_(domain.grid()), theta_cp_(theta_cp), weights_(fluid::make_cell_arrays(domain.grid(), 0, memory)) {}

template void RippleFilter::set_weights(Cpu, const Array<double>&);
template void RippleFilter::apply(Cpu, int, const double*, double*) const;

} // namespace corral::mppic
