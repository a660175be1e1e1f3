// Included once per instruction set by linear.cpp; the guard is Highway's.
#if defined(CORRAL_CPU_LINEAR_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CORRAL_CPU_LINEAR_INL
#undef CORRAL_CPU_LINEAR_INL
#else
#define CORRAL_CPU_LINEAR_INL
#endif

#include "engine/cpu/cells/linear_faces-inl.hpp"
#include "engine/cpu/cells/linear_interpolate-inl.hpp"
#include "engine/cpu/cells/linear_spread-inl.hpp"
#include "engine/cpu/cells/linear_thin-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace corral::cpu::HWY_NAMESPACE {

template <class T, class Shape> class LinearRows final : public RowMethod<T> {
public:
  LinearRows(Shape shape, std::array<int, 3> width, std::array<std::int64_t, 3> stride)
      : shape_(shape), interpolate_(interpolate_row_for<T>(width)), stride_(stride) {}

  void spread(const SpreadTask<T>& task) const override { spread_shape(shape_, task, stride_); }
  void interpolate(const InterpolateTask<T>& task) const override { interpolate_(task, stride_); }

private:
  Shape shape_;
  InterpolateRow<T> interpolate_;
  std::array<std::int64_t, 3> stride_;
};

template <class T>
std::unique_ptr<RowMethod<T>> linear(const shared::FieldSupport& s, std::array<std::int64_t, 3> stride) {
  const std::array<int, 3> width{s.axis[0].width, s.axis[1].width, s.axis[2].width};
  const auto rows = [&](auto shape) -> std::unique_ptr<RowMethod<T>> {
    return std::make_unique<LinearRows<T, decltype(shape)>>(shape, width, stride);
  };
  using Width = std::array<int, 3>;
  if (width == Width{2, 2, 2}) return rows(OwnShape<T>{});
  if (width == Width{3, 2, 2}) return rows(StraddledX<T>{});
  if (width == Width{2, 3, 2}) return rows(StraddledAcross<T, 1>{});
  if (width == Width{2, 2, 3}) return rows(StraddledAcross<T, 2>{});
  if (width == Width{1, 3, 2}) return rows(ThinX<T, 1>{});
  if (width == Width{1, 2, 3}) return rows(ThinX<T, 2>{});
  if (width == Width{3, 3, 3}) return rows(AnyShape<T, true>(width));
  return rows(AnyShape<T, false>(width));
}

template <class T> class LinearFaces final : public RowMethod<T> {
public:
  explicit LinearFaces(const std::array<std::array<std::int64_t, 3>, 3>& stride) : stride_(stride) {}
  void spread(const SpreadTask<T>& task) const override { spread_three_faces(task, stride_); }
  void interpolate(const InterpolateTask<T>& task) const override { interpolate_three_faces(task, stride_); }

private:
  std::array<std::array<std::int64_t, 3>, 3> stride_;
};

// Highway dispatches functions, not templates.
std::unique_ptr<RowMethod<float>> linear_float(const shared::FieldSupport& s, std::array<std::int64_t, 3> stride) {
  return linear<float>(s, stride);
}
std::unique_ptr<RowMethod<double>> linear_double(const shared::FieldSupport& s, std::array<std::int64_t, 3> stride) {
  return linear<double>(s, stride);
}
std::unique_ptr<RowMethod<float>> faces_float(const std::array<std::array<std::int64_t, 3>, 3>& stride) {
  return std::make_unique<LinearFaces<float>>(stride);
}
std::unique_ptr<RowMethod<double>> faces_double(const std::array<std::array<std::int64_t, 3>, 3>& stride) {
  return std::make_unique<LinearFaces<double>>(stride);
}

const char* target_name() { return hwy::TargetName(HWY_TARGET); }

} // namespace corral::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
