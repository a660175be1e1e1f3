#include "engine/cpu/row_method.hpp"
#include "engine/cpu/stencil_batch.hpp"

#include <algorithm>

namespace corral::cpu {
namespace {

template <class T> class AnyKernel final : public RowMethod<T> {
public:
  AnyKernel(const KernelWeights<T>& kernel, const shared::FieldSupport& support, std::array<std::int64_t, 3> stride)
      : kernel_(kernel), support_(support), stride_(stride) {}

  void spread(const SpreadTask<T>& task) const override {
    for_each_point(task, [](T weight, const T& value, T& point) { point += weight * value; });
  }

  void interpolate(const InterpolateTask<T>& task) const override {
    for (int f = 0; f < task.fields; ++f)
      std::fill_n(task.value[static_cast<std::size_t>(f)], task.begin[task.cells], T(0));
    for_each_point(task, [](T weight, T& value, const T& point) { value += weight * point; });
  }

private:
  template <class Task, class F> void for_each_point(const Task& task, F f) const {
    StencilBatch<T> batch(kernel_, support_, stride_);
    for (int cell = 0; cell < task.cells; ++cell)
      for (int begin = task.begin[cell]; begin < task.begin[cell + 1]; begin += batch.capacity) {
        const int n = std::min(batch.capacity, task.begin[cell + 1] - begin);
        batch.set({task.u[0] + begin, task.u[1] + begin, task.u[2] + begin}, n);
        for (int i = 0; i < n; ++i)
          batch.for_each_point(i, [&](std::int64_t point, T weight) {
            for (std::size_t g = 0; g < static_cast<std::size_t>(task.fields); ++g)
              f(weight, task.value[g][begin + i], task.point[g][cell + point]);
          });
      }
  }

  KernelWeights<T> kernel_;
  shared::FieldSupport support_;
  std::array<std::int64_t, 3> stride_;
};

} // namespace

template <class T>
std::unique_ptr<RowMethod<T>> any_kernel_method(const KernelWeights<T>& kernel, const shared::FieldSupport& support,
                                                std::array<std::int64_t, 3> stride) {
  return std::make_unique<AnyKernel<T>>(kernel, support, stride);
}

template std::unique_ptr<RowMethod<float>> any_kernel_method(const KernelWeights<float>&, const shared::FieldSupport&,
                                                             std::array<std::int64_t, 3>);
template std::unique_ptr<RowMethod<double>> any_kernel_method(const KernelWeights<double>&,
                                                              const shared::FieldSupport&, std::array<std::int64_t, 3>);

} // namespace corral::cpu
