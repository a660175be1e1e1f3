#include "engine/cpu/order/sort_keys.hpp"

// Compiled once per instruction set and chosen at run time. No multiply-add is fused: keys are the
// same on all of them, and those of shared::CellKey.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/cpu/order/cell_keys.cpp"
#include "engine/cpu/machine/instruction_sets.hpp"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace corral::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// shared::AxisKey for a register of coordinates that all lie on the grid, with the same arithmetic on each.
template <class D> class VectorKey {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;

public:
  VectorKey(D d, const shared::AxisKey<T>& key)
      : d_(d), origin_(hn::Set(d, key.origin())), inverse_(hn::Set(d, key.inverse())), low_(hn::Set(d, key.low())),
        high_(hn::Set(d, key.high())), shift_(hn::Set(d, key.half() ? T(0.5) : T(0))),
        last_(hn::Set(d, static_cast<T>(key.last()))), half_(key.half()), wraps_(key.wraps()),
        whole_periodic_(key.whole_periodic()) {}

  HWY_INLINE V index(V x) const { return hn::Mul(hn::Sub(x, origin_), inverse_); }
  HWY_INLINE bool on_grid(V index) const {
    return hn::AllTrue(d_, hn::And(hn::Ge(index, low_), hn::Lt(index, high_)));
  }
  /// The group, as a floating-point number.
  HWY_INLINE V group(V index) const {
    const V i = floor(hn::Add(index, shift_));
    if (half_ && whole_periodic_) return hn::IfThenElse(hn::Eq(i, hn::Zero(d_)), last_, hn::Sub(i, hn::Set(d_, T(1))));
    return hn::Sub(i, low_); // a part's offset, 0 on a whole axis
  }
  HWY_INLINE V fraction(V index) const {
    const V shifted = hn::Add(index, shift_), i = floor(shifted), u = hn::Sub(shifted, i);
    if (!half_ || wraps_) return u;
    const auto on_last_face = hn::And(hn::Eq(i, last_), hn::Ge(u, hn::Set(d_, T(0.5))));
    return hn::IfThenElse(on_last_face, hn::Set(d_, T(0.5) - std::numeric_limits<T>::epsilon() / 4), u);
  }

private:
  HWY_INLINE V floor(V shifted) const {
    const V i = hn::Floor(shifted);
    return half_ ? i : hn::Min(i, last_);
  }

  D d_;
  V origin_, inverse_, low_, high_, shift_, last_;
  bool half_, wraps_, whole_periodic_;
};

template <class D> HWY_INLINE auto to_int(D, hn::Vec<D> v) {
  const hn::Rebind<std::int32_t, D> d32;
  if constexpr (sizeof(hn::TFromD<D>) == 4) return hn::ConvertTo(d32, v);
  else return hn::DemoteTo(d32, v);
}

template <class T>
void keys(const shared::CellKey<T>& key, const std::array<const T*, 3>& x, std::int64_t n, std::uint32_t* out) {
  const hn::CappedTag<T, 8> d;
  const hn::Rebind<std::int32_t, decltype(d)> d32;
  const VectorKey<decltype(d)> kx(d, key.axis[0]), ky(d, key.axis[1]), kz(d, key.axis[2]);
  const auto groups_x = hn::Set(d32, static_cast<std::int32_t>(key.groups[0]));
  const auto groups_y = hn::Set(d32, static_cast<std::int32_t>(key.groups[1]));
  const std::int64_t groups = key.groups[0] * key.groups[1] * key.groups[2];
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto one_by_one = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t g = key(x[0][i], x[1][i], x[2][i]).group;
      out[i] = static_cast<std::uint32_t>(g >= 0 ? g : groups - 1 - g);
    }
  };
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto ix = kx.index(hn::LoadU(d, x[0] + i)), iy = ky.index(hn::LoadU(d, x[1] + i));
    const auto iz = kz.index(hn::LoadU(d, x[2] + i));
    if (!(kx.on_grid(ix) && ky.on_grid(iy) && kz.on_grid(iz))) {
      one_by_one(i, i + lanes);
      continue;
    }
    const auto row = hn::Add(hn::Mul(to_int(d, kz.group(iz)), groups_y), to_int(d, ky.group(iy)));
    const auto g = hn::Add(hn::Mul(row, groups_x), to_int(d, kx.group(ix)));
    hn::StoreU(hn::BitCast(hn::RebindToUnsigned<decltype(d32)>(), g), hn::RebindToUnsigned<decltype(d32)>(), out + i);
  }
  one_by_one(i, n);
}

template <class T> void fractions(const shared::AxisKey<T>& key, const T* x, std::int64_t n, T* u) {
  const hn::CappedTag<T, 8> d;
  const VectorKey<decltype(d)> vector(d, key);
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto index = vector.index(hn::LoadU(d, x + i));
    if (vector.on_grid(index)) hn::StoreU(vector.fraction(index), d, u + i);
    else
      for (std::int64_t j = i; j < i + lanes; ++j) u[j] = key(x[j]).u;
  }
  for (; i < n; ++i) u[i] = key(x[i]).u;
}

void keys_float(const shared::CellKey<float>& key, const std::array<const float*, 3>& x, std::int64_t n,
                std::uint32_t* out) {
  keys(key, x, n, out);
}
void keys_double(const shared::CellKey<double>& key, const std::array<const double*, 3>& x, std::int64_t n,
                 std::uint32_t* out) {
  keys(key, x, n, out);
}
void fractions_float(const shared::AxisKey<float>& key, const float* x, std::int64_t n, float* u) {
  fractions(key, x, n, u);
}
void fractions_double(const shared::AxisKey<double>& key, const double* x, std::int64_t n, double* u) {
  fractions(key, x, n, u);
}

} // namespace corral::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace corral::cpu {

HWY_EXPORT(keys_float);
HWY_EXPORT(keys_double);
HWY_EXPORT(fractions_float);
HWY_EXPORT(fractions_double);

template <>
void cell_keys(const shared::CellKey<float>& key, const std::array<const float*, 3>& x, std::int64_t n,
               std::uint32_t* out) {
  HWY_DYNAMIC_DISPATCH(keys_float)(key, x, n, out);
}
template <>
void cell_keys(const shared::CellKey<double>& key, const std::array<const double*, 3>& x, std::int64_t n,
               std::uint32_t* out) {
  HWY_DYNAMIC_DISPATCH(keys_double)(key, x, n, out);
}
template <> void cell_fractions(const shared::AxisKey<float>& key, const float* x, std::int64_t n, float* u) {
  HWY_DYNAMIC_DISPATCH(fractions_float)(key, x, n, u);
}
template <> void cell_fractions(const shared::AxisKey<double>& key, const double* x, std::int64_t n, double* u) {
  HWY_DYNAMIC_DISPATCH(fractions_double)(key, x, n, u);
}

} // namespace corral::cpu
#endif
