#pragma once

#include <corral/export.h>
#include <corral/kernels/kernel.hpp>
#include <corral/kernels/shipped.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace corral {

namespace detail {
/// Sets w[j * stride + i] = weight j of particle i, from r[i] as kernels::Kernel defines it, for i in [0, n). May read
/// and write as many more particles as fill the last vector, 16 in all at most; stride is a multiple of 16.
template <class T>
using EvaluateKernel = void (*)(const void* kernel, const T* r, std::int64_t n, T* w, std::int64_t stride);

/// The vectorised evaluator of kernel `index` of kernels::ShippedKernels, for this processor.
template <class T> CORRAL_PUBLIC EvaluateKernel<T> shipped_evaluator(int index);
template <> CORRAL_PUBLIC EvaluateKernel<float> shipped_evaluator(int index);
template <> CORRAL_PUBLIC EvaluateKernel<double> shipped_evaluator(int index);
} // namespace detail

/// A one-dimensional kernel as the compiled maps see it: its support and one function that evaluates it for many
/// particles. Refers to the kernel it was made from.
template <class T> struct AxisKernel {
  int support;
  const void* kernel;
  detail::EvaluateKernel<T> evaluate;

  template <kernels::Kernel K> static AxisKernel of(const K& kernel) {
    if constexpr (kernels::is_one_of<K, kernels::ShippedKernels>)
      return {K::support, &kernel, detail::shipped_evaluator<T>(kernels::index_of<K>(kernels::ShippedKernels{}))};
    else
      return {K::support, &kernel, &evaluate_one_by_one<K>};
  }

private:
  template <class K>
  static void evaluate_one_by_one(const void* kernel, const T* r, std::int64_t n, T* w, std::int64_t stride) {
    for (std::int64_t i = 0; i < n; ++i) {
      T of_particle[K::support];
      static_cast<const K*>(kernel)->weights(r[i], of_particle);
      for (int j = 0; j < K::support; ++j) w[j * stride + i] = of_particle[j];
    }
  }
};

/// The kernels of a map: `along` on the axes where a field's points lie on faces, `across` on the others. Made by the
/// map calls from any type that satisfies kernels::Kernel, which then serves both, or that has members `along` and
/// `across` that do (a composite kernel).
template <class T> struct KernelWeights {
  AxisKernel<T> across, along;
  bool linear; ///< served by the fused trilinear maps

  const AxisKernel<T>& operator()(bool points_on_faces) const { return points_on_faces ? along : across; }
  int support(bool points_on_faces) const { return (*this)(points_on_faces).support; }
  int widest() const { return std::max(along.support, across.support); }

  template <class K> static KernelWeights of(const K& kernel) {
    if constexpr (kernels::Kernel<K>)
      return {AxisKernel<T>::of(kernel), AxisKernel<T>::of(kernel), std::is_same_v<K, kernels::Linear>};
    else
      return {AxisKernel<T>::of(kernel.across), AxisKernel<T>::of(kernel.along), false};
  }
};

} // namespace corral
