#include "engine/cpu/choose.hpp"

namespace corral::cpu {
namespace {

template <class T, class Term> double particles_per_cell(const MapCall<T, Term>& call) {
  return static_cast<double>(call.order.counts.inside) / static_cast<double>(call.order.group_count());
}

/// By the particles alone, so that a field gets the same bits whatever other fields are in the call. Measured;
/// docs/maps.md has the table. Cells repay their padded field from `enough_for_cells` particles each on.
template <class T, class Term> Method choose(const MapCall<T, Term>& call, double enough_for_cells) {
  constexpr double few = 0.02; // so that most of a brick's copy meets no particle
  const double per_cell = particles_per_cell(call);
  if (call.kernel.linear && per_cell >= enough_for_cells) return Method::cells;
  return per_cell < few ? Method::stencils : Method::tiles;
}

} // namespace

template <class T> Method choose_spread(const SpreadCall<T>& call) {
  return choose(call, 0.9);
}
template <class T> Method choose_interpolate(const InterpolateCall<T>& call) {
  return choose(call, 0.6);
}

template Method choose_spread(const SpreadCall<float>&);
template Method choose_spread(const SpreadCall<double>&);
template Method choose_interpolate(const InterpolateCall<float>&);
template Method choose_interpolate(const InterpolateCall<double>&);

} // namespace corral::cpu
