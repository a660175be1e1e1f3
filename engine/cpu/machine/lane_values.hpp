#pragma once

#include <hwy/base.h>

#include <cmath>
#include <type_traits>

namespace corral::cpu {

/// A few values as one number: what a kernel's `weights` are instantiated with, to evaluate as many particles at once.
/// Plain loops over plain arrays, inlined without exception: where a function for an instruction set calls them, they
/// become its vectors. Nothing is contracted, so that every instruction set gives the same bits.
template <class T> struct LaneValues {
  static constexpr int count = 64 / sizeof(T);
  T v[count];

  HWY_INLINE LaneValues() {}
  template <class U>
    requires std::is_arithmetic_v<U>
  HWY_INLINE explicit LaneValues(U value) {
    for (T& x : v) x = static_cast<T>(value);
  }
  static HWY_INLINE LaneValues load(const T* from) {
    LaneValues a;
    for (int i = 0; i < count; ++i) a.v[i] = from[i];
    return a;
  }
  HWY_INLINE void store(T* to) const {
    for (int i = 0; i < count; ++i) to[i] = v[i];
  }

  friend HWY_INLINE LaneValues operator+(const LaneValues& a, const LaneValues& b) {
    LaneValues c;
    for (int i = 0; i < count; ++i) c.v[i] = a.v[i] + b.v[i];
    return c;
  }
  friend HWY_INLINE LaneValues operator-(const LaneValues& a, const LaneValues& b) {
    LaneValues c;
    for (int i = 0; i < count; ++i) c.v[i] = a.v[i] - b.v[i];
    return c;
  }
  friend HWY_INLINE LaneValues operator*(const LaneValues& a, const LaneValues& b) {
    LaneValues c;
    for (int i = 0; i < count; ++i) c.v[i] = a.v[i] * b.v[i];
    return c;
  }
  friend HWY_INLINE LaneValues sqrt(const LaneValues& a) { return a.each([](T x) { return std::sqrt(x); }); }
  friend HWY_INLINE LaneValues cos(const LaneValues& a) { return a.each([](T x) { return std::cos(x); }); }
  friend HWY_INLINE LaneValues asin(const LaneValues& a) { return a.each([](T x) { return std::asin(x); }); }

private:
  template <class F> HWY_INLINE LaneValues each(const F& f) const {
    LaneValues c;
    for (int i = 0; i < count; ++i) c.v[i] = f(v[i]);
    return c;
  }
};

} // namespace corral::cpu
