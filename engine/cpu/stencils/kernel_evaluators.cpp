#include <corral/kernel_weights.hpp>

#include <array>
#include <cstdint>

// Weights of many particles. Compiled once per instruction set and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/cpu/stencils/kernel_evaluators.cpp"
#include "engine/cpu/machine/instruction_sets.hpp"

#include "engine/cpu/machine/lane_values.hpp"

#include <hwy/highway.h>

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

#if HWY_ONCE
namespace corral::cpu {
namespace {
HWY_EXPORT(evaluator_float);
HWY_EXPORT(evaluator_double);
} // namespace
} // namespace corral::cpu

namespace corral::detail {

template <> EvaluateKernel<float> shipped_evaluator(int index) {
  using namespace cpu;
  return HWY_DYNAMIC_DISPATCH(evaluator_float)(static_cast<std::size_t>(index));
}
template <> EvaluateKernel<double> shipped_evaluator(int index) {
  using namespace cpu;
  return HWY_DYNAMIC_DISPATCH(evaluator_double)(static_cast<std::size_t>(index));
}

} // namespace corral::detail
#endif
