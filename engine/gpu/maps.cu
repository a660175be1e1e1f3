#include "engine/gpu/instantiate.hpp"
#include "engine/gpu/methods/bricks.cuh"
#include "engine/gpu/methods/methods.cuh"
#include "engine/gpu/tuning.cuh"
#include "engine/shared/requirements.hpp"

#include <string>

namespace corral {
namespace gpu {
namespace {

/// What Method::automatic stands for: by the device, the particles per group and the kernel alone, so that a field gets
/// the same bits whatever other fields are in the call. The particles outside count: their number is not known without
/// waiting.
template <class T> Method choose_spread(const SpreadCall<T>& call) {
  const double per_group = call.particles_per_group();
  if (call.kernel.linear && per_group >= tuning::enough_for_stream && has_bulk_copies()) return Method::stream;
  if (call.kernel.linear && per_group >= tuning::enough_for_cells) return Method::octet;
  if (call.kernel.widest() > most_brick_points) return Method::grid_gather;
  if (call.kernel.linear) return Method::tiles;
  if (per_group >= tuning::enough_for_towers && has_bulk_copies() && towers_count(call)) return Method::towers;
  if (!std::is_same_v<T, double>) return Method::tiles;
  return per_group >= tuning::enough_for_tensor_core && has_fp64_tensor_cores() ? Method::tensor_core : Method::tiles;
}

/// What stands for a method on this device and in this precision. The tensor cores add doubles, which `towers` makes of
/// floats; their own floats are less exact than float itself.
template <class T> Method instead_of(Method method) {
  if (method == Method::stream && !has_bulk_copies()) return Method::octet;
  if (method == Method::towers && !has_bulk_copies()) method = Method::tensor_core;
  return method == Method::tensor_core && !std::is_same_v<T, double> ? Method::hybrid : method;
}

/// The same for an interpolation.
template <class T> Method choose_interpolation(const InterpolateCall<T>& call) {
  const double per_group = call.particles_per_group();
  if (call.kernel.linear) return per_group >= tuning::enough_for_stream ? Method::stream : Method::stencils;
  const bool wide = call.kernel.widest() <= most_brick_points;
  return wide && per_group >= tuning::enough_for_bricks ? Method::bricks : Method::stencils;
}

void require_method(Method method, bool linear) {
  shared::require_known(method);
  if (!spreads(method))
    throw Error("method " + std::string(name(method)) + " for a spread (it is one of interpolation) take towers, or automatic");
  if (!runs_on(method, Gpu{}))
    throw Error("method " + std::string(name(method)) + " on the GPU (it is one of the CPU alone) take another, or "
                "automatic");
  if (!linear && !serves_any_kernel(method))
    throw Error("method " + std::string(name(method)) +
                " with a kernel that is not linear (it keeps the 8 to 27 points of a trilinear cell in registers) take "
                "tiles, or automatic");
}

template <class T> void require_interpolation(Method method, const DeviceKernelWeights<T>& kernel) {
  shared::require_known(method);
  if (!runs_on(method, Gpu{}) || !interpolates(method) || method == Method::tiles)
    throw Error("method " + std::string(name(method)) +
                " for an interpolation on the GPU (it is none) take stencils, or automatic");
  if (method == Method::stream && !kernel.linear)
    throw Error("method stream with a kernel that is not linear (it keeps the points of a trilinear cell in registers) "
                "take bricks, or automatic");
  if (method == Method::bricks && kernel.widest() > most_brick_points)
    throw Error("method bricks with a kernel of " + std::to_string(kernel.widest()) + " points along an axis (at most " +
                std::to_string(most_brick_points) + ") take stencils, or automatic");
}

/// Whether a method adds to the caller's fields by itself, and no padded field is folded.
bool adds_by_itself(Method method) {
  using enum Method;
  return method == octet || method == corners || method == zhao || method == stream;
}

/// Whether a method adds to padded fields, which must be zero before.
bool adds_to_padded_fields(Method method) {
  return !adds_by_itself(method) && method != Method::grid_gather && method != Method::towers;
}

template <class T> void run_spread(const SpreadCall<T>& call, Method method) {
  switch (method) {
  case Method::octet: return spread_octet(call);
  case Method::corners: return spread_corners(call);
  case Method::zhao: return spread_zhao(call);
  case Method::stream: return spread_stream(call);
  case Method::grid_gather: return spread_grid_gather(call);
  case Method::hybrid: return spread_hybrid(call);
  case Method::tensor_core:
    if constexpr (std::is_same_v<T, double>) return spread_tensor_core(call);
    break;
  case Method::towers: return spread_towers(call);
  case Method::sort_reduce: return spread_sort_reduce(call, false);
  case Method::sort_reduce_buffered: return spread_sort_reduce(call, true);
  case Method::atomic: return spread_atomic(call);
  default: break;
  }
  spread_tiles(call);
}

/// Spreads the particles of `places`.
template <class T>
void spread_places(cudaStream_t stream, typename CellOrder<T>::Data& order, const Places<T>& places,
                   const DeviceKernelWeights<T>& kernel, std::span<const Spread<T>> terms, Method method) {
  SpreadCall<T> call(stream, order, places, kernel, terms);
  if (places.size == 0 || terms.empty()) return;
  if (method == Method::automatic) method = choose_spread(call);
  method = instead_of<T>(method);
  if (!adds_by_itself(method)) call.take_padded_fields();
  if (method != Method::towers) call.evaluate_weights(); // whose records have weights
  const std::size_t bytes = static_cast<std::size_t>(call.padded_size()) * sizeof(T);
  if (adds_to_padded_fields(method))
    check(cudaMemsetAsync(call.scratch.padded.data(), 0, bytes, stream), "clearing the padded fields");
  run_spread(call, method);
  for (const auto& block : call.blocks)
    if (method == Method::towers) fold_beyond<T>(stream, block.layout, block.memory, block.fields_of_caller);
    else if (!adds_by_itself(method)) fold<T>(stream, block.layout, block.memory, block.fields_of_caller);
  call.work.end();
}

/// Those that go from cell to cell need an order.
template <class T> void run_interpolation(InterpolateCall<T>& call, Method method) {
  if constexpr (std::is_same_v<T, double>)
    if (method == Method::bricks && has_bulk_copies()) return interpolate_bricks(call);
  for (const auto& block : call.blocks) fill<T>(call.stream, block.layout, block.fields_of_caller, block.memory);
  call.evaluate_weights();
  if (method == Method::stream && has_bulk_copies()) interpolate_stream(call);
  else interpolate_particles(call);
}

template <class T>
void interpolate_places(cudaStream_t stream, typename CellOrder<T>::Data& order, const Places<T>& places,
                        const DeviceKernelWeights<T>& kernel, std::span<const Interpolate<T>> terms, Method method) {
  InterpolateCall<T> call(stream, order, places, kernel, terms);
  if (places.size == 0) return;
  call.take_padded_fields();
  if (method == Method::automatic) method = choose_interpolation(call);
  run_interpolation(call, method);
  call.work.end();
}

/// An order for one map, its scratch memory included.
template <class T> CellOrder<T> order_for_one_map(const Grid& grid, const DeviceKernelWeights<T>& kernel) {
  // Stencils of an even number of points begin anew half way between the points of a centred field's cells.
  const Offset offset = kernel.support(false) % 2 == 0 ? Offset::half : Offset::zero;
  return CellOrder<T>(grid, {offset, offset, offset});
}

} // namespace
} // namespace gpu

namespace detail {

template <class T>
void spread(Gpu gpu, const CellOrder<T>& order, const DeviceKernelWeights<T>& kernel, std::span<const Spread<T>> terms,
            Method method) {
  corral::gpu::require_method(method, kernel.linear);
  const shared::ExclusiveUse use(order.data().in_use);
  corral::gpu::spread_places<T>(gpu.stream, order.data(), corral::gpu::places<T>(order.data()), kernel, terms, method);
}

template <class T>
void interpolate(Gpu gpu, const CellOrder<T>& order, const DeviceKernelWeights<T>& kernel,
                 std::span<const Interpolate<T>> terms, Method method) {
  corral::gpu::require_interpolation(method, kernel);
  const shared::ExclusiveUse use(order.data().in_use);
  corral::gpu::interpolate_places<T>(gpu.stream, order.data(), corral::gpu::places<T>(order.data()), kernel, terms, method);
}

template <class T>
SortCounts spread(Gpu gpu, const Grid& grid, const Positions<T>& positions, const DeviceKernelWeights<T>& kernel,
                  std::span<const Spread<T>> terms, Method method) {
  shared::require_known(method);
  if (method != Method::automatic && method != Method::atomic)
    throw Error("method " + std::string(name(method)) + " without an order (it goes from cell to cell) take atomic or "
                "automatic, or sort first");
  CellOrder<T> order = corral::gpu::order_for_one_map<T>(grid, kernel);
  if (method == Method::automatic) {
    order.sort(gpu, positions);
    spread<T>(gpu, order, kernel, terms, method);
  } else {
    corral::gpu::require_positions(positions);
    const auto places = corral::gpu::place_unsorted<T>(gpu.stream, order.data(), positions);
    corral::gpu::spread_places<T>(gpu.stream, order.data(), places, kernel, terms, method);
  }
  return order.counts();
}

template <class T>
SortCounts interpolate(Gpu gpu, const Grid& grid, const Positions<T>& positions, const DeviceKernelWeights<T>& kernel,
                       std::span<const Interpolate<T>> terms, Method method) {
  corral::gpu::require_interpolation(method, kernel);
  if (method == Method::bricks || method == Method::stream)
    throw Error("method " + std::string(name(method)) +
                " without an order (it goes from cell to cell) take stencils or automatic, or sort first");
  corral::gpu::require_positions(positions);
  CellOrder<T> order = corral::gpu::order_for_one_map<T>(grid, kernel);
  const auto places = corral::gpu::place_unsorted<T>(gpu.stream, order.data(), positions);
  corral::gpu::interpolate_places<T>(gpu.stream, order.data(), places, kernel, terms, Method::stencils);
  return order.counts();
}

} // namespace detail

CORRAL_INSTANTIATE_MAPS(float)
CORRAL_INSTANTIATE_MAPS(double)

} // namespace corral
