#pragma once

#include <corral/execution.hpp>
#include <corral/export.h>
#include <corral/kernels/kernel.hpp>
#include <corral/kernels/shipped.hpp>

#include <algorithm>
#include <concepts>
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

namespace detail {
/// Weights to evaluate on a device: of n particles at the fractions u, along one axis.
template <class T> struct WeightJob {
  const T* u;          ///< in [0, 1], of the particle within its group
  std::int64_t n;
  bool straddled;      ///< the stencil begins one point later from u = 1/2 on
  T* weights;          ///< [point][particle]
  std::int64_t stride; ///< from a point to the next
};
template <class T> using EvaluateOnDevice = void (*)(Gpu, const void* kernel, const WeightJob<T>&);

/// The evaluator of kernel `index` of kernels::ShippedKernels on a device. Throws Error in a build without CUDA.
template <class T> CORRAL_PUBLIC EvaluateOnDevice<T> shipped_device_evaluator(int index);
template <> CORRAL_PUBLIC EvaluateOnDevice<float> shipped_device_evaluator(int index);
template <> CORRAL_PUBLIC EvaluateOnDevice<double> shipped_device_evaluator(int index);

/// That of any other kernel: CORRAL_DEVICE_KERNEL of <corral/device_kernel.cuh> compiles it, in a .cu file of the user.
template <class K, class T> void evaluate_on_device(Gpu, const void* kernel, const WeightJob<T>&);

/// What the method towers reads of particles: <corral/device_records.cuh>.
struct RecordJob;
using WriteRecords = void (*)(Gpu, const void* kernel, const RecordJob&);

/// What writes the records of particles by kernel `index` of kernels::ShippedKernels, and by any other.
CORRAL_PUBLIC WriteRecords shipped_record_writer(int index);
template <class K> void write_records(Gpu, const void* kernel, const RecordJob&);
} // namespace detail

namespace detail {
/// The formula of a kernel.
using FormulaOf = kernels::WeightFormula (*)(const void* kernel);

/// Null for kernels that have none.
template <class K> constexpr FormulaOf formula_of() {
  if constexpr (requires(const K& k) { { k.formula() } -> std::same_as<kernels::WeightFormula>; })
    return [](const void* kernel) { return static_cast<const K*>(kernel)->formula(); };
  else return nullptr;
}
} // namespace detail

/// AxisKernel for maps on the GPU.
template <class T> struct DeviceAxisKernel {
  int support;
  const void* kernel;
  detail::EvaluateOnDevice<T> evaluate;
  detail::WriteRecords write_records;
  detail::FormulaOf formula; ///< null: there is none

  template <kernels::Kernel K> static DeviceAxisKernel of(const K& kernel) {
    if constexpr (kernels::is_one_of<K, kernels::ShippedKernels>) {
      constexpr int index = kernels::index_of<K>(kernels::ShippedKernels{});
      return {K::support, &kernel, detail::shipped_device_evaluator<T>(index), detail::shipped_record_writer(index),
              detail::formula_of<K>()};
    } else {
      return {K::support, &kernel, &detail::evaluate_on_device<K, T>, &detail::write_records<K>,
              detail::formula_of<K>()};
    }
  }
};

/// The kernels of a map: `along` on the axes where a field's points lie on faces, `across` on the others. Made by the
/// map calls from any type that satisfies kernels::Kernel, which then serves both, or that has members `along` and
/// `across` that do (a composite kernel).
template <class T, class Evaluated = AxisKernel<T>> struct KernelWeights {
  Evaluated across, along;
  bool linear; ///< served by the fused trilinear maps

  const Evaluated& operator()(bool points_on_faces) const { return points_on_faces ? along : across; }
  int support(bool points_on_faces) const { return (*this)(points_on_faces).support; }
  int widest() const { return std::max(along.support, across.support); }
  bool alike() const { return along.kernel == across.kernel; }

  template <class K> static KernelWeights of(const K& kernel) {
    if constexpr (kernels::Kernel<K>)
      return {Evaluated::of(kernel), Evaluated::of(kernel), std::is_same_v<K, kernels::Linear>};
    else
      return {Evaluated::of(kernel.across), Evaluated::of(kernel.along), false};
  }
};

template <class T> using DeviceKernelWeights = KernelWeights<T, DeviceAxisKernel<T>>;

/// The weights that maps of an execution take.
template <Execution E, class T>
using WeightsOn = std::conditional_t<std::same_as<E, Gpu>, DeviceKernelWeights<T>, KernelWeights<T>>;

} // namespace corral
