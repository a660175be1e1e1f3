#include "engine/cpu/literature/stencil_walk.hpp"
#include "engine/cpu/methods.hpp"

#include <corral/for_each.hpp>

#include <vector>

namespace corral::cpu {
namespace {

// McQueen and Peskin's columns, here along x: one thread has a whole column of cells, and columns that are a stencil's
// width apart along y or z touch no common point. So s^(d-1) sweeps do, each with all its columns at once.
//
// Around a periodic axis whose extent is no multiple of s the first and the last column of a sweep would conflict if
// stencils wrapped. They don't: fields are padded, what reaches beyond the last point stays there until it is folded.

/// The columns (j + k groups_y) of the sweep (b, c), in ascending order; with `pruned` only those with particles.
template <class T>
std::vector<std::int64_t> columns_of_sweep(const typename CellOrder<T>::Data& order,
                                           const shared::FieldSupport& support, int b, int c, bool pruned) {
  const std::int64_t gx = order.groups[0].count, gy = order.groups[1].count, gz = order.groups[2].count;
  std::vector<std::int64_t> columns;
  for (std::int64_t k = c; k < gz; k += support.axis[2].width)
    for (std::int64_t j = b; j < gy; j += support.axis[1].width) {
      const std::int64_t column = j + k * gy;
      if (!pruned || order.begin[column * gx] < order.begin[(column + 1) * gx]) columns.push_back(column);
    }
  return columns;
}

template <class T> void spread(const SpreadCall<T>& call, bool pruned) {
  for (const FieldBlock<T>& block : call.blocks)
    for (int c = 0; c < block.support.axis[2].width; ++c)
      for (int b = 0; b < block.support.axis[1].width; ++b) {
        const auto columns = columns_of_sweep<T>(call.order, block.support, b, c, pruned);
        for_each_chunk(call.cpu, static_cast<std::int64_t>(columns.size()), 1, [&](std::int64_t i, std::int64_t) {
          StencilWalk rows(call, block);
          rows.spread(columns[static_cast<std::size_t>(i)], 0, rows.groups_x(), PlainAdd{});
        });
      }
}

} // namespace

template <class T> void spread_columns(const SpreadCall<T>& call) { spread(call, false); }
template <class T> void spread_columns_pruned(const SpreadCall<T>& call) { spread(call, true); }

template void spread_columns(const SpreadCall<float>&);
template void spread_columns(const SpreadCall<double>&);
template void spread_columns_pruned(const SpreadCall<float>&);
template void spread_columns_pruned(const SpreadCall<double>&);

} // namespace corral::cpu
