#pragma once

#include "kernels/kernel.hpp"
#include "kernels/linear.hpp"

#include <cstdint>
#include <type_traits>

namespace corral {

/// A one-dimensional kernel as the compiled maps see it: its support and one function that evaluates it for many
/// particles. Refers to the kernel it was made from.
template <class T> struct AxisKernel {
  int support;
  const void* kernel;
  /// w[i * pitch() + j] = weight j of particle i, from r[i] as kernels::Kernel defines it. Both arrays have room for n
  /// rounded up to `vector` particles; what stands beyond n and beyond the support is read and written freely.
  void (*evaluate)(const void* kernel, const T* r, std::int64_t n, T* w);

  static constexpr int vector = 16;
  static constexpr int padded(int support) { return (support + 3) / 4 * 4; }
  int pitch() const { return padded(support); }

  template <kernels::Kernel K> static AxisKernel of(const K& kernel) {
    return {K::support, &kernel, [](const void* self, const T* r, std::int64_t n, T* w) {
              const K& k = *static_cast<const K*>(self);
              for (std::int64_t i = 0; i < n; ++i) k.weights(r[i], w + i * padded(K::support));
            }};
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
  int widest() const { return along.support > across.support ? along.support : across.support; }

  template <class K> static KernelWeights of(const K& kernel) {
    if constexpr (kernels::Kernel<K>)
      return {AxisKernel<T>::of(kernel), AxisKernel<T>::of(kernel), std::is_same_v<K, kernels::Linear>};
    else
      return {AxisKernel<T>::of(kernel.across), AxisKernel<T>::of(kernel.along), false};
  }
};

} // namespace corral
