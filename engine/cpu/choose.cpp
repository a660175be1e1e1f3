#include "engine/cpu/choose.hpp"

namespace corral::cpu {
namespace {

template <class T, class Term> double particles_per_cell(const MapCall<T, Term>& call) {
  return static_cast<double>(call.order.counts.inside) / static_cast<double>(call.order.group_count());
}

} // namespace

template <class T> Method choose_spread(const SpreadCall<T>& call) {
  if (call.kernel.linear) return Method::cells;
  return particles_per_cell(call) < 0.1 ? Method::stencils : Method::tiles;
}

template <class T> Method choose_interpolate(const InterpolateCall<T>& call) {
  if (call.kernel.linear) return Method::cells;
  return particles_per_cell(call) < 0.1 ? Method::stencils : Method::tiles;
}

template Method choose_spread(const SpreadCall<float>&);
template Method choose_spread(const SpreadCall<double>&);
template Method choose_interpolate(const InterpolateCall<float>&);
template Method choose_interpolate(const InterpolateCall<double>&);

} // namespace corral::cpu
