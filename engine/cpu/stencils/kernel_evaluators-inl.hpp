// Weights of many particles. Included once per instruction set; the guard is Highway's.
#if defined(CORRAL_CPU_KERNEL_EVALUATORS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CORRAL_CPU_KERNEL_EVALUATORS_INL
#undef CORRAL_CPU_KERNEL_EVALUATORS_INL
#else
#define CORRAL_CPU_KERNEL_EVALUATORS_INL
#endif

#include "engine/cpu/machine/lane_values.hpp"

#include <corral/kernel_weights.hpp>

#include <hwy/highway.h>

#include <array>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace corral::cpu::HWY_NAMESPACE {

/// Weights by the kernel's own formulas. `flatten` draws them in here, where they are compiled for the instruction set.
template <class T, class K>
HWY_FLATTEN void evaluate(const void* kernel, const T* r, std::int64_t n, T* w, std::int64_t stride) {
  const K& k = *static_cast<const K*>(kernel);
  for (std::int64_t i = 0; i < n; i += LaneValues<T>::count) {
    LaneValues<T> weight[K::support];
    k.weights(LaneValues<T>::load(r + i), weight);
    for (int j = 0; j < K::support; ++j) weight[j].store(w + j * stride + i);
  }
}

template <class T, class... K> constexpr auto evaluators(kernels::List<K...>) {
  return std::array<detail::EvaluateKernel<T>, sizeof...(K)>{&evaluate<T, K>...};
}

detail::EvaluateKernel<float> evaluator_float(std::size_t index) {
  static constexpr auto all = evaluators<float>(kernels::ShippedKernels{});
  return all[index];
}
detail::EvaluateKernel<double> evaluator_double(std::size_t index) {
  static constexpr auto all = evaluators<double>(kernels::ShippedKernels{});
  return all[index];
}

} // namespace corral::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
