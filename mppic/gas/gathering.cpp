#include "mppic/gas/gathering.hpp"

#include <corral/kernels/linear.hpp>

namespace corral::mppic {

void Gathering::add(const Array<double>& field, Staggering staggering, Array<double>& column) {
  column.resize(parcels_);
  terms_.push_back({field_view(grid_, field.data(), staggering), {column.data(), parcels_}});
}

void Gathering::run(Cpu cpu, const CellOrder<double>& order) const {
  interpolate<kernels::Linear, double>(cpu, order, kernels::Linear{}, terms_);
}

} // namespace corral::mppic
