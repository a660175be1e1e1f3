#include <corral/device_kernel.cuh>

#include <array>

namespace corral::detail {
namespace {

template <class T, class... K> constexpr auto evaluators(kernels::List<K...>) {
  return std::array<EvaluateOnDevice<T>, sizeof...(K)>{&evaluate_on_device<K, T>...};
}

} // namespace

template <> EvaluateOnDevice<float> shipped_device_evaluator(int index) {
  static constexpr auto all = evaluators<float>(kernels::ShippedKernels{});
  return all[index];
}
template <> EvaluateOnDevice<double> shipped_device_evaluator(int index) {
  static constexpr auto all = evaluators<double>(kernels::ShippedKernels{});
  return all[index];
}

} // namespace corral::detail
