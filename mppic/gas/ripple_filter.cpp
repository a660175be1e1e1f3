#include "mppic/gas/ripple_filter.t.hpp"

namespace corral::mppic {

RippleFilter::RippleFilter(const fluid::Domain& domain, double theta_cp, Memory memory)
    : grid_(domain.grid()), theta_cp_(theta_cp), weights_(fluid::make_cell_arrays(domain.grid(), 0, memory)) {}

template void RippleFilter::set_weights(Cpu, const Array<double>&);
template void RippleFilter::apply(Cpu, int, const std::array<const double*, 1>&, const std::array<double*, 1>&) const;
template void RippleFilter::apply(Cpu, int, const std::array<const double*, 2>&, const std::array<double*, 2>&) const;
template void RippleFilter::apply(Cpu, int, const std::array<const double*, 3>&, const std::array<double*, 3>&) const;
template void RippleFilter::apply(Cpu, int, const std::array<const double*, 4>&, const std::array<double*, 4>&) const;

} // namespace corral::mppic
