#include "engine/cpu/map_rows.hpp"

#include <corral/for_each.hpp>
#include <corral/interpolate.hpp>

namespace corral {
namespace cpu {
namespace {

template <class T>
void interpolate_rows(const typename CellOrder<T>::Data& order, std::span<const Interpolate<T>> terms,
                      const std::vector<StaggeringBlock<T>>& blocks, const T* padded, std::int64_t begin,
                      std::int64_t end) {
  PieceBuffer<T> buffer;
  for_each_piece<T>(order, begin, end,
                    [&](std::int64_t i, std::int64_t j, std::int64_t k, std::int64_t first, std::int64_t last) {
    InterpolateTask<T> task{};
    task.n = last - first;
    for (std::size_t d = 0; d < 3; ++d) task.u[d] = order.fraction[d].data() + first;
    for (const StaggeringBlock<T>& block : blocks) {
      const std::int64_t point = i + j * block.layout.stride(1) + k * block.layout.stride(2);
      task.fields = static_cast<int>(block.terms.size());
      for (std::size_t f = 0; f < block.terms.size(); ++f) {
        const Column<T>& column = terms[block.terms[f]].column;
        task.point[f] = padded + block.offset[f] + point;
        task.value[f] = buffer.streams(order, column) ? column.data + first : buffer.copy(f);
      }
      block.method->interpolate(task);
      for (std::size_t f = 0; f < block.terms.size(); ++f) {
        const Column<T>& column = terms[block.terms[f]].column;
        if (!buffer.streams(order, column))
          for (std::int64_t p = first; p < last; ++p) column[order.source(p)] = task.value[f][p - first];
      }
    }
  });
}

} // namespace
} // namespace cpu

namespace detail {

template <class T>
void interpolate(Cpu cpu, const CellOrder<T>& order_handle, const KernelWeights<T>& kernel,
                 std::span<const Interpolate<T>> terms) {
  auto& order = order_handle.data();
  for (const Interpolate<T>& term : terms) shared::check_term<T>(order, term.column, term.field, kernel.support);
  std::vector<cpu::StaggeringBlock<T>> blocks;
  order.padded.resize(cpu::make_blocks<T>(order, kernel, terms, blocks));
  T* padded = order.padded.data();
  for (const auto& block : blocks)
    for (std::size_t f = 0; f < block.terms.size(); ++f)
      block.layout.fill_from(cpu, terms[block.terms[f]].field, padded + block.offset[f]);

  const cpu::RowPlan plan = cpu::RowPlan::of<T>(order, 1);
  for_each_chunk(cpu, plan.slabs(), 1, [&](std::int64_t slab, std::int64_t) {
    const auto s = static_cast<std::size_t>(slab);
    cpu::interpolate_rows<T>(order, terms, blocks, padded, plan.begin[s], plan.begin[s + 1]);
  });
}

template void interpolate(Cpu, const CellOrder<float>&, const KernelWeights<float>&,
                          std::span<const Interpolate<float>>);
template void interpolate(Cpu, const CellOrder<double>&, const KernelWeights<double>&,
                          std::span<const Interpolate<double>>);

} // namespace detail
} // namespace corral
