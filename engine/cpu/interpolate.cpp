#include "engine/cpu/methods.hpp"

namespace corral {
namespace {

template <class T> void interpolate_padded(const cpu::InterpolateCall<T>& call, Method method) {
  switch (method) {
  case Method::cells: cpu::require_linear(call.kernel); [[fallthrough]];
  case Method::automatic:
  case Method::stencils: return cpu::interpolate_rows(call);
  case Method::serial: return cpu::interpolate_serial(call);
  default:
    throw Error("method " + std::string(name(method)) +
                " for an interpolation (it is a way to spread; a gather has no conflicts to avoid) take serial, cells, "
                "stencils, or automatic");
  }
}

} // namespace

namespace detail {

template <class T>
void interpolate(Cpu cpu, const CellOrder<T>& order, const KernelWeights<T>& kernel,
                 std::span<const Interpolate<T>> terms, Method method) {
  cpu::InterpolateCall<T> call(cpu, order.data(), kernel, terms);
  for (const auto& block : call.blocks)
    for (std::size_t f = 0; f < block.terms.size(); ++f)
      block.layout.fill_from(cpu, terms[block.terms[f]].field, block.padded[f]);
  interpolate_padded(call, method);
}

template void interpolate(Cpu, const CellOrder<float>&, const KernelWeights<float>&,
                          std::span<const Interpolate<float>>, Method);
template void interpolate(Cpu, const CellOrder<double>&, const KernelWeights<double>&,
                          std::span<const Interpolate<double>>, Method);

} // namespace detail
} // namespace corral
