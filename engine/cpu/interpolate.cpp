#include "engine/cpu/choose.hpp"
#include "engine/cpu/methods.hpp"

namespace corral {
namespace {

void require_interpolation(Method method) {
  if (!interpolates(method))
    throw Error("method " + std::string(name(method)) +
                " for an interpolation (it is a way to spread; a gather has no conflicts to avoid) take serial, cells, "
                "stencils, tiles, or automatic");
}

} // namespace

namespace detail {

template <class T>
void interpolate(Cpu cpu, const CellOrder<T>& order, const KernelWeights<T>& kernel,
                 std::span<const Interpolate<T>> terms, Method method) {
  cpu::require_on_cpu(method);
  require_interpolation(method);
  const shared::ExclusiveUse use(order.data().in_use);
  cpu::InterpolateCall<T> call(cpu, order.data(), kernel, terms);
  if (method == Method::automatic) method = cpu::choose_interpolate(call);
  if (method == Method::stencils) return cpu::interpolate_stencils(call);
  if (method == Method::tiles) return cpu::interpolate_tiles(call);
  if (method == Method::cells) cpu::require_linear(call.kernel);
  call.lay_padded_fields();
  for (const auto& block : call.blocks)
    for (std::size_t f = 0; f < block.terms.size(); ++f)
      block.layout.fill_from(cpu, terms[block.terms[f]].field, block.padded[f]);
  method == Method::cells ? cpu::interpolate_rows(call) : cpu::interpolate_serial(call);
}

template void interpolate(Cpu, const CellOrder<float>&, const KernelWeights<float>&,
                          std::span<const Interpolate<float>>, Method);
template void interpolate(Cpu, const CellOrder<double>&, const KernelWeights<double>&,
                          std::span<const Interpolate<double>>, Method);

} // namespace detail
} // namespace corral
