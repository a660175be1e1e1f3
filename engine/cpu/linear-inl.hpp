// Included once per instruction set by linear.cpp; the guard is Highway's.
#if defined(CORRAL_CPU_LINEAR_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CORRAL_CPU_LINEAR_INL
#undef CORRAL_CPU_LINEAR_INL
#else
#define CORRAL_CPU_LINEAR_INL
#endif

#include "engine/cpu/cell_method.hpp"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace corral::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Masked loads and stores leave the memory of the other lanes alone. Where the instruction set has none, Highway
/// reads and rewrites whole registers, which other threads may be writing.
constexpr bool masks_guard_memory = !HWY_MEM_OPS_MIGHT_FAULT || (HWY_TARGET == HWY_AVX2 && !HWY_IS_ASAN);

/// Four values, in one register where the instruction set has registers that wide.
template <class T> struct Quad {
  static constexpr std::size_t lanes = HWY_LANES(T) < 4 ? HWY_LANES(T) : 4;
  static constexpr std::size_t parts = 4 / lanes;
  using D = hn::FixedTag<T, lanes>;
  hn::Vec<D> part[parts];

  static HWY_INLINE Quad zero() {
    Quad q;
    for (auto& p : q.part) p = hn::Zero(D());
    return q;
  }
  static HWY_INLINE Quad all(T value) {
    Quad q;
    for (auto& p : q.part) p = hn::Set(D(), value);
    return q;
  }
  static HWY_INLINE Quad load(const T* from) {
    Quad q;
    for (std::size_t i = 0; i < parts; ++i) q.part[i] = hn::LoadU(D(), from + i * lanes);
    return q;
  }
  HWY_INLINE void store(T* to) const {
    for (std::size_t i = 0; i < parts; ++i) hn::StoreU(part[i], D(), to + i * lanes);
  }
  HWY_INLINE Quad operator*(const Quad& b) const {
    Quad q;
    for (std::size_t i = 0; i < parts; ++i) q.part[i] = hn::Mul(part[i], b.part[i]);
    return q;
  }
  HWY_INLINE Quad operator-(const Quad& b) const {
    Quad q;
    for (std::size_t i = 0; i < parts; ++i) q.part[i] = hn::Sub(part[i], b.part[i]);
    return q;
  }
  /// a * b + c
  static HWY_INLINE Quad fma(const Quad& a, const Quad& b, const Quad& c) {
    Quad q;
    for (std::size_t i = 0; i < parts; ++i) q.part[i] = hn::MulAdd(a.part[i], b.part[i], c.part[i]);
    return q;
  }
  HWY_INLINE Quad positive_part() const {
    Quad q;
    for (std::size_t i = 0; i < parts; ++i) q.part[i] = hn::Max(part[i], hn::Zero(D()));
    return q;
  }
};

/// Weights of one axis as straight lines in u: lane weight = max(0, intercept + slope u). A straddled axis has the
/// lines (max(0, 1/2 - u), 1, max(0, u - 1/2)); its middle sum is put right once per cell: total - low - high.
template <class T> struct Lines {
  T intercept[4], slope[4];
};
template <class T> constexpr Lines<T> lines(int width) {
  if (width == 1) return {{1, 0, 0, 0}, {0, 0, 0, 0}};
  if (width == 2) return {{1, 0, 0, 0}, {-1, 1, 0, 0}};
  return {{T(0.5), 1, T(-0.5), 0}, {-1, 0, 1, 0}};
}

/// Two axes (a, b) of at most two points in the four lanes, lane = 2 b + a; the third axis c has C points.
/// Serves every field that is straddled on one axis at most.
template <class T, int C> class PairMethod final : public CellMethod<T> {
public:
  PairMethod(const shared::FieldSupport& support, std::array<std::int64_t, 3> stride, std::array<std::size_t, 3> role)
      : role_(role) {
    const Lines<T> a = lines<T>(support.axis[role[0]].width), b = lines<T>(support.axis[role[1]].width);
    for (int lane = 0; lane < 4; ++lane) {
      a_.intercept[lane] = a.intercept[lane % 2];
      a_.slope[lane] = a.slope[lane % 2];
      b_.intercept[lane] = b.intercept[lane / 2];
      b_.slope[lane] = b.slope[lane / 2];
    }
    // Lanes that don't exist carry weight 0: where they are added does not matter, if it is within the field.
    step_a_ = support.axis[role[0]].width > 1 ? stride[role[0]] : 0;
    step_b_ = support.axis[role[1]].width > 1 ? stride[role[1]] : 0;
    step_c_ = stride[role[2]];
  }

  void spread(const SpreadTask<T>& task) const override {
    switch (task.fields) {
    case 1: return spread_fields<1>(task);
    case 2: return spread_fields<2>(task);
    case 3: return spread_fields<3>(task);
    default: return spread_fields<4>(task);
    }
  }
  void interpolate(const InterpolateTask<T>& task) const override {
    switch (task.fields) {
    case 1: return interpolate_fields<1>(task);
    case 2: return interpolate_fields<2>(task);
    case 3: return interpolate_fields<3>(task);
    default: return interpolate_fields<4>(task);
    }
  }

private:
  using Q = Quad<T>;

  template <int F> HWY_INLINE void spread_fields(const SpreadTask<T>& task) const {
    const T *ua = task.u[role_[0]], *ub = task.u[role_[1]], *uc = task.u[role_[2]];
    const Q ia = Q::load(a_.intercept), sa = Q::load(a_.slope), ib = Q::load(b_.intercept), sb = Q::load(b_.slope);
    Q sum[F][C];
    for (auto& field : sum)
      for (auto& s : field) s = Q::zero();
    for (std::int64_t i = 0; i < task.n; ++i) {
      const Q w = Q::fma(sa, Q::all(ua[i]), ia) * Q::fma(sb, Q::all(ub[i]), ib);
      Q wc[C];
      weights_along_c(w, uc[i], wc);
      for (int f = 0; f < F; ++f) {
        const Q value = Q::all(task.value[static_cast<std::size_t>(f)][i]);
        for (int c = 0; c < C; ++c) sum[f][c] = Q::fma(wc[c], value, sum[f][c]);
      }
    }
    for (int f = 0; f < F; ++f) {
      if constexpr (C == 3) sum[f][1] = sum[f][1] - sum[f][0] - sum[f][2];
      for (int c = 0; c < C; ++c) add(sum[f][c], task.point[static_cast<std::size_t>(f)] + c * step_c_);
    }
  }

  static HWY_INLINE void weights_along_c(const Q& w, T u, Q (&out)[C]) {
    if constexpr (C == 1) {
      out[0] = w;
    } else if constexpr (C == 2) {
      out[1] = w * Q::all(u);
      out[0] = w - out[1];
    } else {
      const Q half = Q::all(T(0.5)), uc = Q::all(u);
      out[0] = w * (half - uc).positive_part();
      out[1] = w;
      out[2] = w * (uc - half).positive_part();
    }
  }

  HWY_INLINE void add(const Q& sum, T* to) const {
    T lane[4];
    sum.store(lane);
    to[0] += lane[0];
    to[step_a_] += lane[1];
    to[step_b_] += lane[2];
    to[step_a_ + step_b_] += lane[3];
  }

  /// The field within the cell as a polynomial: per point along c (or basis function of c) the coefficients of
  /// 1, ua, ub, ua ub.
  HWY_INLINE void coefficients(const T* point, T (&k)[C][4]) const {
    T v[C][4];
    for (int c = 0; c < C; ++c)
      for (int lane = 0; lane < 4; ++lane) v[c][lane] = point[c * step_c_ + (lane / 2) * step_b_ + (lane % 2) * step_a_];
    for (int lane = 0; lane < 4; ++lane) {
      if constexpr (C == 1) {
        k[0][lane] = v[0][lane];
      } else if constexpr (C == 2) {
        k[0][lane] = v[0][lane];
        k[1][lane] = v[1][lane] - v[0][lane];
      } else {
        k[0][lane] = v[1][lane];
        k[1][lane] = v[0][lane] - v[1][lane];
        k[2][lane] = v[2][lane] - v[1][lane];
      }
    }
    for (auto& q : k) { // steps of 0 along axes of one point make the coefficients of ua or ub 0
      const T low_b = q[1] - q[0], high_b = q[3] - q[2];
      q[2] -= q[0];
      q[1] = low_b;
      q[3] = high_b - low_b;
    }
  }

  template <int F> HWY_INLINE void interpolate_fields(const InterpolateTask<T>& task) const {
    using D = hn::ScalableTag<T>;
    const D d;
    const hn::CappedTag<T, 1> one;
    T k[F][C][4];
    for (int f = 0; f < F; ++f) coefficients(task.point[static_cast<std::size_t>(f)], k[f]);
    const T *pa = task.u[role_[0]], *pb = task.u[role_[1]], *pc = task.u[role_[2]];
    const std::int64_t lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto evaluate_at = [&](auto tag, std::int64_t i) HWY_ATTR {
      const auto ua = hn::LoadU(tag, pa + i), ub = hn::LoadU(tag, pb + i), uc = hn::LoadU(tag, pc + i);
      for (int f = 0; f < F; ++f)
        hn::StoreU(evaluate(tag, k[f], ua, ub, uc), tag, task.value[static_cast<std::size_t>(f)] + i);
    };
    std::int64_t i = 0;
    for (; i + lanes <= task.n; i += lanes) evaluate_at(d, i);
    if (i == task.n) return;
    if constexpr (!masks_guard_memory) {
      for (; i < task.n; ++i) evaluate_at(one, i);
      return;
    }
    const auto mask = hn::FirstN(d, static_cast<std::size_t>(task.n - i));
    const auto ua = hn::MaskedLoad(mask, d, pa + i), ub = hn::MaskedLoad(mask, d, pb + i),
               uc = hn::MaskedLoad(mask, d, pc + i);
    for (int f = 0; f < F; ++f)
      hn::BlendedStore(evaluate(d, k[f], ua, ub, uc), mask, d, task.value[static_cast<std::size_t>(f)] + i);
  }

  template <class D, class V> static HWY_INLINE V evaluate(D d, const T (&k)[C][4], V ua, V ub, V uc) {
    const auto plane = [&](const T(&q)[4]) HWY_ATTR {
      const V low = hn::MulAdd(hn::Set(d, q[1]), ua, hn::Set(d, q[0]));
      const V high = hn::MulAdd(hn::Set(d, q[3]), ua, hn::Set(d, q[2]));
      return hn::MulAdd(high, ub, low);
    };
    V sum = plane(k[0]);
    if constexpr (C == 2) sum = hn::MulAdd(plane(k[1]), uc, sum);
    if constexpr (C == 3) {
      const V half = hn::Set(d, T(0.5)), zero = hn::Zero(d);
      sum = hn::MulAdd(plane(k[1]), hn::Max(hn::Sub(half, uc), zero), sum);
      sum = hn::MulAdd(plane(k[2]), hn::Max(hn::Sub(uc, half), zero), sum);
    }
    return sum;
  }

  std::array<std::size_t, 3> role_; ///< which axis is a, b, c
  Lines<T> a_, b_;
  std::int64_t step_a_, step_b_, step_c_;
};

/// Any straddling: the points along x in the four lanes, a row of them for each of up to 3 x 3 points along y and z.
template <class T> class RowMethod final : public CellMethod<T> {
public:
  RowMethod(const shared::FieldSupport& support, std::array<std::int64_t, 3> stride) : stride_(stride) {
    for (std::size_t d = 0; d < 3; ++d) {
      width_[d] = support.axis[d].width;
      line_[d] = lines<T>(width_[d]);
    }
  }

  void spread(const SpreadTask<T>& task) const override {
    for (int f = 0; f < task.fields; ++f)
      spread_field(task, task.value[static_cast<std::size_t>(f)], task.point[static_cast<std::size_t>(f)]);
  }
  void interpolate(const InterpolateTask<T>& task) const override {
    for (int f = 0; f < task.fields; ++f)
      interpolate_field(task, task.point[static_cast<std::size_t>(f)], task.value[static_cast<std::size_t>(f)]);
  }

private:
  using Q = Quad<T>;

  /// The weights of the axis of particle i as they are, the middle one of a straddled axis included.
  HWY_INLINE void weights(int d, T u, T (&w)[4]) const {
    const Lines<T>& l = line_[static_cast<std::size_t>(d)];
    Q::fma(Q::load(l.slope), Q::all(u), Q::load(l.intercept)).positive_part().store(w);
    if (width_[static_cast<std::size_t>(d)] == 3) w[1] = w[1] - w[0] - w[2];
  }

  HWY_INLINE void spread_field(const SpreadTask<T>& task, const T* value, T* point) const {
    Q sum[3][3];
    for (auto& plane : sum)
      for (auto& s : plane) s = Q::zero();
    for (std::int64_t i = 0; i < task.n; ++i) {
      T wx[4], wy[4], wz[4];
      weights(0, task.u[0][i], wx);
      weights(1, task.u[1][i], wy);
      weights(2, task.u[2][i], wz);
      const Q x = Q::load(wx) * Q::all(value[i]);
      for (int c = 0; c < width_[2]; ++c)
        for (int b = 0; b < width_[1]; ++b) sum[c][b] = Q::fma(x, Q::all(wz[c] * wy[b]), sum[c][b]);
    }
    for (int c = 0; c < width_[2]; ++c)
      for (int b = 0; b < width_[1]; ++b) {
        T lane[4];
        sum[c][b].store(lane);
        for (int a = 0; a < width_[0]; ++a) point[c * stride_[2] + b * stride_[1] + a] += lane[a];
      }
  }

  void interpolate_field(const InterpolateTask<T>& task, const T* point, T* value) const {
    for (std::int64_t i = 0; i < task.n; ++i) {
      T wx[4], wy[4], wz[4];
      weights(0, task.u[0][i], wx);
      weights(1, task.u[1][i], wy);
      weights(2, task.u[2][i], wz);
      T sum = 0;
      for (int c = 0; c < width_[2]; ++c)
        for (int b = 0; b < width_[1]; ++b) {
          const T* row = point + c * stride_[2] + b * stride_[1];
          T along_x = 0;
          for (int a = 0; a < width_[0]; ++a) along_x += wx[a] * row[a];
          sum += wz[c] * wy[b] * along_x;
        }
      value[i] = sum;
    }
  }

  std::array<std::int64_t, 3> stride_;
  std::array<int, 3> width_;
  std::array<Lines<T>, 3> line_;
};

template <class T>
std::unique_ptr<CellMethod<T>> linear(const shared::FieldSupport& support, std::array<std::int64_t, 3> stride) {
  std::array<std::size_t, 3> role{0, 1, 2};
  int straddled = 0;
  for (std::size_t d = 0; d < 3; ++d)
    if (support.axis[d].straddled) {
      ++straddled;
      role = {d == 0 ? 1u : 0u, d == 2 ? 1u : 2u, d};
    }
  if (straddled > 1) return std::make_unique<RowMethod<T>>(support, stride);
  switch (support.axis[role[2]].width) {
  case 1: return std::make_unique<PairMethod<T, 1>>(support, stride, role);
  case 2: return std::make_unique<PairMethod<T, 2>>(support, stride, role);
  default: return std::make_unique<PairMethod<T, 3>>(support, stride, role);
  }
}

std::unique_ptr<CellMethod<float>> linear_float(const shared::FieldSupport& support,
                                                std::array<std::int64_t, 3> stride) {
  return linear<float>(support, stride);
}
std::unique_ptr<CellMethod<double>> linear_double(const shared::FieldSupport& support,
                                                  std::array<std::int64_t, 3> stride) {
  return linear<double>(support, stride);
}

const char* target_name() { return hwy::TargetName(HWY_TARGET); }

} // namespace corral::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
