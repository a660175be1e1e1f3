#include "engine/cpu/methods.hpp"

namespace corral {
namespace detail {

template <class T>
void interpolate(Cpu cpu, const CellOrder<T>& order, const KernelWeights<T>& kernel,
                 std::span<const Interpolate<T>> terms, Method) {
  cpu::InterpolateCall<T> call(cpu, order.data(), kernel, terms);
  for (const auto& block : call.blocks)
    for (std::size_t f = 0; f < block.terms.size(); ++f)
      block.layout.fill_from(cpu, terms[block.terms[f]].field, block.padded[f]);
  cpu::interpolate_rows(call);
}

template void interpolate(Cpu, const CellOrder<float>&, const KernelWeights<float>&,
                          std::span<const Interpolate<float>>, Method);
template void interpolate(Cpu, const CellOrder<double>&, const KernelWeights<double>&,
                          std::span<const Interpolate<double>>, Method);

} // namespace detail
} // namespace corral
