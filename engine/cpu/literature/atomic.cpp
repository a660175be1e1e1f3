#include "engine/cpu/literature/stencil_walk.hpp"
#include "engine/cpu/methods.hpp"

#include <corral/for_each.hpp>

#include <atomic>

namespace corral::cpu {

// ParkiPy's Algorithm 3 over sorted sources: every thread takes rows of cells and adds atomically. Sums have no fixed
// order, and so their last bits change from run to run.
template <class T> void spread_atomic(const SpreadCall<T>& call) {
  constexpr std::int64_t rows_per_task = 8;
  for (const FieldBlock<T>& block : call.blocks)
    for_each_chunk(call.cpu, call.rows(), rows_per_task, [&](std::int64_t begin, std::int64_t end) {
      StencilWalk rows(call, block);
      for (std::int64_t row = begin; row < end; ++row)
        rows.spread(row, 0, rows.groups_x(), [](T& point, T gain) {
          std::atomic_ref<T>(point).fetch_add(gain, std::memory_order_relaxed);
        });
    });
}

template void spread_atomic(const SpreadCall<float>&);
template void spread_atomic(const SpreadCall<double>&);

} // namespace corral::cpu
