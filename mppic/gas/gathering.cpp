#include "mppic/gas/gathering.hpp"

namespace corral::mppic {

void Gathering::add(const Array<double>& field, Staggering staggering, Array<double>& column) {
  column.resize(parcels_);
  terms_.push_back({field_view(grid_, field.data(), staggering), {column.data(), parcels_}});
}

} // namespace corral::mppic
