#pragma once

#include "engine/shared/field_support.hpp"

#include <corral/kernel_weights.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace corral::cpu {

/// The stencils of a few particles on the fields of one staggering, for any kernel: each particle its own support
/// points and weights, in padded index space.
template <class T> class StencilBatch {
public:
  static constexpr int capacity = 64;

  StencilBatch(const KernelWeights<T>& kernel, const shared::FieldSupport& support, std::array<std::int64_t, 3> stride)
      : kernel_(kernel), support_(support), stride_(stride) {
    for (std::size_t d = 0; d < 3; ++d) {
      const shared::AxisSupport& s = support_.axis[d];
      axis_[d].points = s.thin ? 1 : kernel_(s.on_faces).support;
      axis_[d].weights.assign(static_cast<std::size_t>(capacity * axis_[d].points), T(1)); // which thin axes keep
    }
  }

  /// Sets the stencils of n <= capacity particles with fractions u[d][0 .. n) within their groups.
  void set(std::array<const T*, 3> u, int n) {
    for (int i = 0; i < n; ++i) first_[i] = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      const shared::AxisSupport& s = support_.axis[d];
      if (s.thin) continue;
      T r[capacity] = {};
      for (int i = 0; i < n; ++i) {
        const shared::StencilPosition<T> p = shared::stencil_position(s, u[d][i]);
        first_[i] += p.lead * stride_[d];
        r[i] = p.r;
      }
      const AxisKernel<T>& kernel = kernel_(s.on_faces);
      by_point_.resize(static_cast<std::size_t>(capacity * axis_[d].points));
      kernel.evaluate(kernel.kernel, r, n, by_point_.data(), capacity);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < axis_[d].points; ++j)
          axis_[d].weights[i * axis_[d].points + j] = by_point_[j * capacity + i];
    }
  }

  int points(std::size_t d) const { return axis_[d].points; }
  /// The points(d) weights of particle i along axis d.
  const T* weights(std::size_t d, int i) const { return axis_[d].weights.data() + i * axis_[d].points; }
  /// Where particle i's first point lies, from the first point of its group's stencil [values].
  std::int64_t first(int i) const { return first_[i]; }

  /// Calls f(point, weight) for every point of particle i's stencil, x fastest; point as `first`.
  template <class F> void for_each_point(int i, const F& f) const {
    const T *x = weights(0, i), *y = weights(1, i), *z = weights(2, i);
    for (int c = 0; c < points(2); ++c)
      for (int b = 0; b < points(1); ++b) {
        const T w = z[c] * y[b];
        const std::int64_t row = first_[i] + c * stride_[2] + b * stride_[1];
        for (int a = 0; a < points(0); ++a) f(row + a, w * x[a]);
      }
  }

private:
  struct AxisBatch {
    std::vector<T> weights; ///< [capacity][points]
    int points;
  };

  KernelWeights<T> kernel_;
  shared::FieldSupport support_;
  std::array<std::int64_t, 3> stride_;
  std::array<AxisBatch, 3> axis_;
  std::vector<T> by_point_; ///< [points][capacity], as kernels give them
  std::int64_t first_[capacity];
};

} // namespace corral::cpu
