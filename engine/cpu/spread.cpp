#include "engine/cpu/choose.hpp"
#include "engine/cpu/methods.hpp"

#include <corral/for_each.hpp>

namespace corral {
namespace detail {

template <class T>
void spread(Cpu cpu, const CellOrder<T>& order, const KernelWeights<T>& kernel, std::span<const Spread<T>> terms,
            Method method) {
  cpu::SpreadCall<T> call(cpu, order.data(), kernel, terms);
  if (method != Method::stencils && method != Method::tiles) method = cpu::choose_spread(call);
  if (method == Method::stencils) return cpu::spread_stencils(call);
  if (method == Method::tiles) return cpu::spread_tiles(call);
  T* padded = call.lay_padded_fields();
  for_each_chunk(cpu, call.padded.size(), 1 << 16, [&](std::int64_t begin, std::int64_t end) {
    std::fill(padded + begin, padded + end, T(0));
  });
  cpu::spread_rows(call);
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
