#pragma once

#include <hwy/base.h>

#include <cmath>
#include <type_traits>

namespace corral::cpu {

/// A few values as one number: what a kernel's `weights` are instantiated with, to evaluate as many particles at once.
/// Plain loops over plain arrays, inlined without exception: where a function for an instruction set calls them, they
/// become its vectors. Nothing is contracted, so that every instruction set gives the same bits.
template <class T> struct Several {
  static constexpr int count = 64 / sizeof(T);
  T v[count];

  HWY_INLINE Several() {}
  template <class U>
    requires std::is_arithmetic_v<U>
  HWY_INLINE explicit Several(U value) {
    for (T& x : v) x = static_cast<T>(value);
  }
  static HWY_INLINE Several load(const T* from) {
    Several a;
    for (int i = 0; i < count; ++i) a.v[i] = from[i];
    return a;
  }
  HWY_INLINE void store(T* to) const {
    for (int i = 0; i < count; ++i) to[i] = v[i];
  }

  friend HWY_INLINE Several operator+(const Several& a, const Several& b) {
    Several c;
    for (int i = 0; i < count; ++i) c.v[i] = a.v[i] + b.v[i];
    return c;
  }
  friend HWY_INLINE Several operator-(const Several& a, const Several& b) {
    Several c;
    for (int i = 0; i < count; ++i) c.v[i] = a.v[i] - b.v[i];
    return c;
  }
  friend HWY_INLINE Several operator*(const Several& a, const Several& b) {
    Several c;
    for (int i = 0; i < count; ++i) c.v[i] = a.v[i] * b.v[i];
    return c;
  }
  friend HWY_INLINE Several sqrt(const Several& a) { return a.each([](T x) { return std::sqrt(x); }); }
  friend HWY_INLINE Several cos(const Several& a) { return a.each([](T x) { return std::cos(x); }); }
  friend HWY_INLINE Several asin(const Several& a) { return a.each([](T x) { return std::asin(x); }); }

private:
  template <class F> HWY_INLINE Several each(const F& f) const {
    Several c;
    for (int i = 0; i < count; ++i) c.v[i] = f(v[i]);
    return c;
  }
};

} // namespace corral::cpu
