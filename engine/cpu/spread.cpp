#include "engine/cpu/map_rows.hpp"

#include <corral/for_each.hpp>
#include <corral/spread.hpp>

namespace corral {
namespace cpu {
namespace {

template <class T>
void spread_rows(const typename CellOrder<T>::Data& order, std::span<const Spread<T>> terms,
                 const std::vector<StaggeringBlock<T>>& blocks, T* padded, std::int64_t begin, std::int64_t end) {
  PieceBuffer<T> buffer;
  for_each_piece<T>(order, begin, end,
                    [&](std::int64_t i, std::int64_t j, std::int64_t k, std::int64_t first, std::int64_t last) {
    SpreadTask<T> task{};
    task.n = last - first;
    for (std::size_t d = 0; d < 3; ++d) task.u[d] = order.fraction[d].data() + first;
    for (const StaggeringBlock<T>& block : blocks) {
      const std::int64_t point = i + j * block.layout.stride(1) + k * block.layout.stride(2);
      task.fields = static_cast<int>(block.terms.size());
      for (std::size_t f = 0; f < block.terms.size(); ++f) {
        const Column<const T>& column = terms[block.terms[f]].column;
        task.point[f] = padded + block.offset[f] + point;
        if (buffer.streams(order, column)) {
          task.value[f] = column.data + first;
        } else {
          T* copy = buffer.copy(f);
          for (std::int64_t p = first; p < last; ++p) copy[p - first] = column[order.source(p)];
          task.value[f] = copy;
        }
      }
      block.method->spread(task);
    }
  });
}

} // namespace
} // namespace cpu

namespace detail {

template <class T>
void spread(Cpu cpu, const CellOrder<T>& order_handle, const KernelWeights<T>& kernel,
            std::span<const Spread<T>> terms) {
  auto& order = order_handle.data();
  for (const Spread<T>& term : terms) shared::check_term<T>(order, term.column, term.field, kernel.support);
  std::vector<cpu::StaggeringBlock<T>> blocks;
  const std::int64_t total = cpu::make_blocks<T>(order, kernel, terms, blocks);
  order.padded.resize(total);
  T* padded = order.padded.data();
  for_each_chunk(cpu, total, 1 << 16, [&](std::int64_t begin, std::int64_t end) {
    std::fill(padded + begin, padded + end, T(0));
  });

  std::int64_t reach = 1;
  for (const auto& block : blocks)
    reach = std::max(reach, cpu::RowPlan::reach(block.support, order.groups[1].count));
  const cpu::RowPlan plan = cpu::RowPlan::of<T>(order, reach);
  for (std::int64_t colour = 0; colour < 2; ++colour)
    for_each_chunk(cpu, (plan.slabs() + 1 - colour) / 2, 1, [&](std::int64_t slab, std::int64_t) {
      const auto s = static_cast<std::size_t>(2 * slab + colour);
      cpu::spread_rows<T>(order, terms, blocks, padded, plan.begin[s], plan.begin[s + 1]);
    });

  for (const auto& block : blocks)
    for (std::size_t f = 0; f < block.terms.size(); ++f)
      block.layout.fold_into(cpu, padded + block.offset[f], terms[block.terms[f]].field);
}

template void spread(Cpu, const CellOrder<float>&, const KernelWeights<float>&, std::span<const Spread<float>>);
template void spread(Cpu, const CellOrder<double>&, const KernelWeights<double>&, std::span<const Spread<double>>);

} // namespace detail
} // namespace corral
