#include "engine/cpu/methods.hpp"

#include <corral/for_each.hpp>

namespace corral::cpu {
namespace {

template <class T, class Term> double particles_per_cell(const MapCall<T, Term>& call) {
  return static_cast<double>(call.order.counts.inside) / static_cast<double>(call.order.group_count());
}

/// By the particles alone, so that a field gets the same bits whatever other fields are in the call. Measured;
/// docs/maps.md has the table. Cells repay their padded field from `enough_for_cells` particles each on.
template <class T, class Term> Method choose(const MapCall<T, Term>& call, double enough_for_cells) {
  constexpr double few = 0.02; // so that most of a brick's copy meets no particle
  const double per_cell = particles_per_cell(call);
  if (call.kernel.linear && per_cell >= enough_for_cells) return Method::cells;
  return per_cell < few ? Method::stencils : Method::tiles;
}

} // namespace

template <class T> Method choose_spread(const SpreadCall<T>& call) {
  return choose(call, 0.9);
}
template <class T> Method choose_interpolate(const InterpolateCall<T>& call) {
  return choose(call, 0.6);
}

template Method choose_spread(const SpreadCall<float>&);
template Method choose_spread(const SpreadCall<double>&);
template Method choose_interpolate(const InterpolateCall<float>&);
template Method choose_interpolate(const InterpolateCall<double>&);

} // namespace corral::cpu

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
  call.lay_padded_fields();
  for (const auto& block : call.blocks)
    for (T* padded : block.padded)
      for_each_chunk(cpu, block.layout.end() - block.layout.begin(), 1 << 16, [&](std::int64_t begin, std::int64_t end) {
        T* const from = padded + block.layout.begin();
        std::fill(from + begin, from + end, T(0));
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
