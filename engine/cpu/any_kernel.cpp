#include "engine/cpu/cell_method.hpp"

#include <algorithm>
#include <vector>

namespace corral::cpu {
namespace {

constexpr std::int64_t batch = 64; ///< particles whose weights one call of the kernel sets

template <class T> class AnyKernel final : public CellMethod<T> {
public:
  AnyKernel(const KernelWeights<T>& kernel, const shared::FieldSupport& support, std::array<std::int64_t, 3> stride)
      : kernel_(kernel), support_(support), stride_(stride) {}

  void spread(const SpreadTask<T>& task) const override {
    for_each_point(task, [](T weight, const T& value, T& point) { point += weight * value; });
  }

  void interpolate(const InterpolateTask<T>& task) const override {
    for (int f = 0; f < task.fields; ++f) std::fill_n(task.value[static_cast<std::size_t>(f)], task.n, T(0));
    for_each_point(task, [](T weight, T& value, const T& point) { value += weight * point; });
  }

private:
  struct AxisBatch {
    std::vector<T> weights; ///< [batch][points]
    std::int64_t lead[batch];
    int points;
  };

  void evaluate(int d, const T* u, std::int64_t n, AxisBatch& out) const {
    const shared::AxisSupport& s = support_.axis[static_cast<std::size_t>(d)];
    if (s.thin) {
      out.points = 1;
      out.weights.assign(batch, T(1));
      std::fill_n(out.lead, n, 0);
      return;
    }
    T r[batch];
    for (std::int64_t i = 0; i < n; ++i) {
      const shared::StencilPosition<T> p = shared::stencil_position(s, u[i]);
      out.lead[i] = p.lead * stride_[static_cast<std::size_t>(d)];
      r[i] = p.r;
    }
    out.points = kernel_.support;
    out.weights.resize(static_cast<std::size_t>(batch * kernel_.support));
    kernel_.evaluate(kernel_.kernel, r, n, out.weights.data());
  }

  template <class Task, class F> void for_each_point(const Task& task, F f) const {
    AxisBatch x, y, z;
    for (std::int64_t begin = 0; begin < task.n; begin += batch) {
      const std::int64_t n = std::min(batch, task.n - begin);
      evaluate(0, task.u[0] + begin, n, x);
      evaluate(1, task.u[1] + begin, n, y);
      evaluate(2, task.u[2] + begin, n, z);
      for (std::int64_t i = 0; i < n; ++i) {
        const T *wx = &x.weights[static_cast<std::size_t>(i * x.points)],
                *wy = &y.weights[static_cast<std::size_t>(i * y.points)],
                *wz = &z.weights[static_cast<std::size_t>(i * z.points)];
        const std::int64_t lead = x.lead[i] + y.lead[i] + z.lead[i];
        for (int c = 0; c < z.points; ++c)
          for (int b = 0; b < y.points; ++b) {
            const T w = wz[c] * wy[b];
            const std::int64_t row = lead + c * stride_[2] + b * stride_[1];
            for (int a = 0; a < x.points; ++a)
              for (int g = 0; g < task.fields; ++g)
                f(w * wx[a], task.value[static_cast<std::size_t>(g)][begin + i],
                  task.point[static_cast<std::size_t>(g)][row + a]);
          }
      }
    }
  }

  KernelWeights<T> kernel_;
  shared::FieldSupport support_;
  std::array<std::int64_t, 3> stride_;
};

} // namespace

template <class T>
std::unique_ptr<CellMethod<T>> any_kernel_method(const KernelWeights<T>& kernel, const shared::FieldSupport& support,
                                                 std::array<std::int64_t, 3> stride) {
  return std::make_unique<AnyKernel<T>>(kernel, support, stride);
}

template std::unique_ptr<CellMethod<float>> any_kernel_method(const KernelWeights<float>&, const shared::FieldSupport&,
                                                              std::array<std::int64_t, 3>);
template std::unique_ptr<CellMethod<double>> any_kernel_method(const KernelWeights<double>&,
                                                               const shared::FieldSupport&, std::array<std::int64_t, 3>);

} // namespace corral::cpu
