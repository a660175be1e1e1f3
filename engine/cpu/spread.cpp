#include "engine/cpu/choose.hpp"
#include "engine/cpu/methods.hpp"

#include <corral/for_each.hpp>

namespace corral {
namespace {

/// The methods that add to padded fields.
template <class T> void spread_padded(const cpu::SpreadCall<T>& call, Method method) {
  switch (method) {
  case Method::serial: return cpu::spread_serial(call);
  case Method::sort_reduce: return cpu::spread_sort_reduce(call);
  case Method::sort_reduce_buffered: return cpu::spread_sort_reduce_buffered(call);
  case Method::sort_reduce_on_the_fly: return cpu::spread_sort_reduce_on_the_fly(call);
  case Method::columns: return cpu::spread_columns(call);
  case Method::columns_pruned: return cpu::spread_columns_pruned(call);
  case Method::coloured_cells: return cpu::spread_coloured_cells(call);
  case Method::atomic: return cpu::spread_atomic(call);
  case Method::grid_gather: return cpu::spread_grid_gather(call);
  default: cpu::require_linear(call.kernel); return cpu::spread_rows(call);
  }
}

} // namespace

namespace detail {

template <class T>
void spread(Cpu cpu, const CellOrder<T>& order, const KernelWeights<T>& kernel, std::span<const Spread<T>> terms,
            Method method) {
  cpu::require_on_cpu(method);
  const shared::ExclusiveUse use(order.data().in_use);
  cpu::SpreadCall<T> call(cpu, order.data(), kernel, terms);
  if (method == Method::automatic) method = cpu::choose_spread(call);
  if (method == Method::stencils) return cpu::spread_stencils(call);
  if (method == Method::tiles) return cpu::spread_tiles(call);
  T* padded = call.lay_padded_fields();
  for_each_chunk(cpu, call.padded.size(), 1 << 16, [&](std::int64_t begin, std::int64_t end) {
    std::fill(padded + begin, padded + end, T(0));
  });
  spread_padded(call, method);
  for (const auto& block : call.blocks)
    for (std::size_t f = 0; f < block.terms.size(); ++f)
      block.layout.fold_into(cpu, block.padded[f], terms[block.terms[f]].field);
}

template void spread(Cpu, const CellOrder<float>&, const KernelWeights<float>&, std::span<const Spread<float>>,
                     Method);
template void spread(Cpu, const CellOrder<double>&, const KernelWeights<double>&, std::span<const Spread<double>>,
                     Method);

} // namespace detail
} // namespace corral
