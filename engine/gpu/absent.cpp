/// What calls on the GPU come to in a build without CUDA.

#include "engine/gpu/instantiate.hpp"
#include "engine/shared/memory.hpp"
#include "engine/shared/order_data.hpp"
#include "engine/shared/requirements.hpp"

#include <corral/boxes.hpp>
#include <corral/device.hpp>
#include <corral/error.hpp>
#include <corral/interpolate.hpp>
#include <corral/lent_scratch.hpp>
#include <corral/spread.hpp>

#include <string>

struct CUmemPoolHandle_st; // what CUDA's cudaMemPool_t points to

namespace corral {

namespace gpu {
template <class T> struct OrderData {}; // never made
} // namespace gpu

namespace {
[[noreturn]] void refuse() {
  throw Error("a call on the GPU (this corral was built without CUDA) make it on the CPU, or build corral "
              "where nvcc is");
}
} // namespace

DeviceFound find_device() { return {.why_none = "this corral was built without CUDA", .name = "", .free_bytes = 0}; }
int device_count() { return 0; }
void use_device(int) { refuse(); }

void shared::require_device() { refuse(); }

void* shared::take_cuda_memory(Memory memory, std::size_t) {
  throw Error(std::string(name(memory)) + " memory (this corral was built without CUDA) take memory of the host, or build "
              "corral where nvcc is");
}
void shared::give_back_cuda_memory(Memory, void*) noexcept {} // there is none
void* detail::take_memory_on(CUstream_st*, std::size_t) { refuse(); }
void detail::give_back_memory_on(CUstream_st*, void*, std::size_t) { refuse(); }
void detail::copy_memory(void*, const void*, std::size_t) { refuse(); }
void detail::copy_memory_on(CUstream_st*, void*, const void*, std::size_t) { refuse(); }
void detail::wait_for(CUstream_st*) { refuse(); }
void detail::clear_memory(void*, std::size_t) { refuse(); }

template <class T> void CellOrder<T>::sort(Gpu, const Positions<T>&) { refuse(); }
template <class T> void CellOrder<T>::reorder(Gpu, std::span<const detail::ColumnMemory>) { refuse(); }
template <class T> void CellOrder<T>::permute(Gpu, std::span<const detail::ColumnMemory>) { refuse(); }
template <class T> void CellOrder<T>::gather(Gpu, const double*, double*) const { refuse(); }
template <class T> void CellOrder<T>::gather(Gpu, const std::uint64_t*, std::uint64_t*) const { refuse(); }
template <class T> void CellOrder<T>::fetch_counts() const { refuse(); }
template <class T> OrderView<T> CellOrder<T>::view(Gpu) const { refuse(); }
template <class T> std::int64_t CellOrder<T>::device_bytes() const { return 0; }

void lend_scratch(Gpu, const CellOrder<double>&, double*, std::int64_t) { refuse(); }

void spread_to_boxes(Gpu, const CellOrder<double>&, const PositionColumns&, std::span<const BoxTerm>, const double*) {
  refuse();
}
void spread_box_fluxes(Gpu, const CellOrder<double>&, const PositionColumns&, const double*,
                       const std::array<const double*, 3>&, const std::array<double*, 3>&) {
  refuse();
}
void interpolate_boxes(Gpu, const CellOrder<double>&, const PositionColumns&, const std::array<const double*, 3>&,
                       const std::array<const double*, 3>&, const std::array<double*, 3>&) {
  refuse();
}

namespace detail {

CORRAL_PUBLIC CUmemPoolHandle_st* device_memory_pool();
CUmemPoolHandle_st* device_memory_pool() { refuse(); }
CORRAL_PUBLIC void exclusive_sum(CUstream_st*, std::int64_t*, std::int64_t);
void exclusive_sum(CUstream_st*, std::int64_t*, std::int64_t) { refuse(); }

template <> EvaluateOnDevice<float> shipped_device_evaluator(int) { refuse(); }
template <> EvaluateOnDevice<double> shipped_device_evaluator(int) { refuse(); }
WriteRecords shipped_record_writer(int) { refuse(); }

template <class T>
void spread(Gpu, const CellOrder<T>&, const DeviceKernelWeights<T>&, std::span<const Spread<T>>, Method) {
  refuse();
}
template <class T>
void interpolate(Gpu, const CellOrder<T>&, const DeviceKernelWeights<T>&, std::span<const Interpolate<T>>, Method) {
  refuse();
}
template <class T>
SortCounts spread(Gpu, const Grid&, const Positions<T>&, const DeviceKernelWeights<T>&, std::span<const Spread<T>>,
                  Method) {
  refuse();
}
template <class T>
SortCounts interpolate(Gpu, const Grid&, const Positions<T>&, const DeviceKernelWeights<T>&,
                       std::span<const Interpolate<T>>, Method) {
  refuse();
}

} // namespace detail

CORRAL_INSTANTIATE_SORT(float)
CORRAL_INSTANTIATE_REORDER(float)
CORRAL_INSTANTIATE_SORT(double)
CORRAL_INSTANTIATE_REORDER(double)
CORRAL_INSTANTIATE_MAPS(float)
CORRAL_INSTANTIATE_MAPS(double)

} // namespace corral
