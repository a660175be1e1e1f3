#include "engine/cpu/cells/row_method.hpp"

#if defined(__GNUC__) && !defined(__clang__)
// g++ 12 takes the row buffers for too small where Highway stores value by value (the set without registers).
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#endif

// Compiled once per instruction set and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/cpu/cells/linear.cpp"
#include "engine/cpu/machine/instruction_sets.hpp"

#include <corral/execution.hpp>

#include "engine/cpu/cells/linear_interpolate-inl.hpp"
#include "engine/cpu/cells/linear_shapes-inl.hpp"
#include "engine/cpu/cells/linear_spread-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace corral::cpu::HWY_NAMESPACE {

/// How the points of a cell lie in registers while linear spreads to faces in a grid of one cell along x, straddled along
/// y (D = 1) or z (D = 2): lane = (the other of y and z) 4 + (low, total, high, unused). Sums have the bits that AnyShape
/// gives them, whose lanes for two more points along x would stay empty.
template <class T, int D> struct ThinX {
  LaneLines<T> straddled{3, {0, 1, 2, -1, 0, 1, 2, -1}}, other{2, {0, 0, 0, 0, 1, 1, 1, 1}};

  using Weights = Oct<T>;
  struct Sums {
    Oct<T> all;
    HWY_INLINE void clear() { all = Oct<T>::zero(); }
    HWY_INLINE void add(const Weights& w, const Oct<T>& value) { all = fma(w, value, all); }
  };
  HWY_INLINE Weights weights(const Oct<T>&, const Oct<T>& uy, const Oct<T>& uz) const {
    const Oct<T>&m = D == 1 ? uy : uz, &l = D == 1 ? uz : uy;
    return fma(m, Oct<T>::load(straddled.slope), Oct<T>::load(straddled.intercept)).positive_part() *
           fma(l, Oct<T>::load(other.slope), Oct<T>::load(other.intercept)).positive_part();
  }
  struct Row {
    T b[8 * row_cells];
    HWY_INLINE void clear() {}
    HWY_INLINE void put(int cell, const Sums& s) { s.all.store(b + 8 * cell); }
  };
  HWY_INLINE void flush(const Row& r, int cells, T* to, std::array<std::int64_t, 3> stride) const {
    for (int cell = 0; cell < cells; ++cell)
      for (int half = 0; half < 2; ++half) {
        const T* b = r.b + 8 * cell + 4 * half;
        T* point = to + cell + half * stride[3 - D];
        point[0] += b[0];
        point[stride[D]] += b[1] - b[0] - b[2];
        point[2 * stride[D]] += b[2];
      }
  }
};

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

#if HWY_ONCE
namespace corral::cpu {

HWY_EXPORT(linear_float);
HWY_EXPORT(linear_double);
HWY_EXPORT(faces_float);
HWY_EXPORT(faces_double);
HWY_EXPORT(target_name);

template <>
std::unique_ptr<RowMethod<float>> linear_method(const shared::FieldSupport& support,
                                                 std::array<std::int64_t, 3> stride) {
  return HWY_DYNAMIC_DISPATCH(linear_float)(support, stride);
}
template <>
std::unique_ptr<RowMethod<double>> linear_method(const shared::FieldSupport& support,
                                                  std::array<std::int64_t, 3> stride) {
  return HWY_DYNAMIC_DISPATCH(linear_double)(support, stride);
}

template <>
std::unique_ptr<RowMethod<float>> linear_faces_method(const std::array<std::array<std::int64_t, 3>, 3>& stride) {
  return HWY_DYNAMIC_DISPATCH(faces_float)(stride);
}
template <>
std::unique_ptr<RowMethod<double>> linear_faces_method(const std::array<std::array<std::int64_t, 3>, 3>& stride) {
  return HWY_DYNAMIC_DISPATCH(faces_double)(stride);
}

// Here, where the sets' namespaces are: compiled for one set, Highway calls that by its name.
static std::string_view chosen_set() { return HWY_DYNAMIC_DISPATCH(target_name)(); }

} // namespace corral::cpu

namespace corral {

std::string_view instruction_set() { return cpu::chosen_set(); }

} // namespace corral
#endif
