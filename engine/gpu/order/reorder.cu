#include "engine/gpu/instantiate.hpp"
#include "engine/gpu/order/order.cuh"
#include "engine/gpu/tuning.cuh"

namespace corral {
namespace gpu {
namespace {

template <class U>
__global__ void __launch_bounds__(tuning::range_threads, 1)
    gather_global(std::int64_t n, const std::uint32_t* source, const U* from, std::int64_t stride, U* to) {
  const std::int64_t i = thread_number();
  if (i < n) to[i] = from[(source == nullptr ? i : static_cast<std::int64_t>(source[i])) * stride];
}

template <class U>
__global__ void __launch_bounds__(tuning::range_threads, 1)
    copy_back_global(std::int64_t n, const U* from, U* to, std::int64_t stride) {
  const std::int64_t i = thread_number();
  if (i < n) to[i * stride] = from[i];
}

} // namespace
} // namespace gpu

namespace {

template <class T, class U>
void permute_column(Gpu gpu, typename CellOrder<T>::Data& order, const gpu::Places<T>& p, U* data, std::int64_t stride) {
  using namespace corral::gpu;
  auto* const copy = reinterpret_cast<U*>(order.device->column_copy.renew(p.size, gpu.stream));
  const unsigned blocks = blocks_for(p.size, tuning::range_threads);
  check(CORRAL_LAUNCH((gather_global<U>), blocks, tuning::range_threads, 0, gpu.stream, p.size, p.source, data, stride,
                      copy),
        "reordering a column");
  check(CORRAL_LAUNCH((copy_back_global<U>), blocks, tuning::range_threads, 0, gpu.stream, p.size, copy, data, stride),
        "reordering a column");
}

/// Looks at all columns before any is changed; values are moved as integers, whatever their type. The caller holds the
/// order's flag.
template <class T>
void permute_columns(Gpu gpu, typename CellOrder<T>::Data& order, std::span<const detail::ColumnMemory> columns) {
  using namespace corral::gpu;
  shared::check_reordered(columns, order.size);
  const Places<T> p = places<T>(order);
  for (const detail::ColumnMemory& column : columns) require_device_memory(column.data, "a column");
  if (order.identity || p.size == 0) return;
  CallOn call(order.device->work, gpu.stream);
  for (const detail::ColumnMemory& column : columns) {
    void* const data = const_cast<void*>(column.data);
    if (column.bytes == 4) permute_column<T>(gpu, order, p, static_cast<std::uint32_t*>(data), column.stride);
    else permute_column<T>(gpu, order, p, static_cast<std::uint64_t*>(data), column.stride);
  }
  call.end();
}

template <class T, class U>
void gather_on_device(Gpu gpu, const typename CellOrder<T>::Data& order, const U* from, U* to) {
  using namespace corral::gpu;
  const Places<T> p = places<T>(order);
  if (p.size > 0) shared::require_memory(from), shared::require_memory(to);
  require_device_memory(from, "a column");
  require_device_memory(to, "a column");
  if (p.size == 0) return;
  CallOn call(order.device->work, gpu.stream);
  check(CORRAL_LAUNCH((gather_global<U>), blocks_for(p.size, tuning::range_threads), tuning::range_threads, 0,
                      gpu.stream, p.size, p.source, from, std::int64_t{1}, to),
        "gathering a column");
  call.end();
}

} // namespace

template <class T> void CellOrder<T>::reorder(Gpu g, std::span<const detail::ColumnMemory> columns) {
  const shared::ExclusiveUse use(data().in_use);
  permute_columns<T>(g, data(), columns);
  data().identity = true;
}
template <class T> void CellOrder<T>::permute(Gpu g, std::span<const detail::ColumnMemory> columns) {
  const shared::ExclusiveUse use(data().in_use);
  permute_columns<T>(g, data(), columns);
}
template <class T> void CellOrder<T>::gather(Gpu g, const double* from, double* to) const {
  const shared::ExclusiveUse use(data().in_use);
  gather_on_device<T>(g, data(), from, to);
}
template <class T> void CellOrder<T>::gather(Gpu g, const std::uint64_t* from, std::uint64_t* to) const {
  const shared::ExclusiveUse use(data().in_use);
  gather_on_device<T>(g, data(), from, to);
}

CORRAL_INSTANTIATE_REORDER(float)
CORRAL_INSTANTIATE_REORDER(double)

} // namespace corral
