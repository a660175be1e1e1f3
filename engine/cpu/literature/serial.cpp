#include "engine/cpu/literature/stencil_walk.hpp"
#include "engine/cpu/methods.hpp"

namespace corral::cpu {

// Kassen's Algorithms 2 and 3: particle after particle on the calling thread, here in cell order.

template <class T> void spread_serial(const SpreadCall<T>& call) {
  for (const FieldBlock<T>& block : call.blocks) {
    StencilWalk rows(call, block);
    for (std::int64_t row = 0; row < call.rows(); ++row) rows.spread(row, 0, rows.groups_x(), PlainAdd{});
  }
}

template <class T> void interpolate_serial(const InterpolateCall<T>& call) {
  for (const FieldBlock<T>& block : call.blocks) {
    StencilWalk rows(call, block);
    for (std::int64_t row = 0; row < call.rows(); ++row)
      rows.for_each_particle(row, 0, rows.groups_x(), [&](std::int64_t place, int i, std::int64_t point) {
        const std::int64_t source = call.order.source(place);
        for (std::size_t f = 0; f < block.terms.size(); ++f) {
          const T* const field = block.padded[f] + point;
          T sum = 0;
          rows.stencils().for_each_point(i, [&](std::int64_t offset, T weight) { sum += weight * field[offset]; });
          call.terms[block.terms[f]].column[source] = sum;
        }
      });
  }
}

template void spread_serial(const SpreadCall<float>&);
template void spread_serial(const SpreadCall<double>&);
template void interpolate_serial(const InterpolateCall<float>&);
template void interpolate_serial(const InterpolateCall<double>&);

} // namespace corral::cpu
