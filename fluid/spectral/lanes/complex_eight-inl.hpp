// Complex numbers of eight lines. Included once per instruction set.
#if defined(CORRAL_SPECTRAL_COMPLEX_EIGHT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CORRAL_SPECTRAL_COMPLEX_EIGHT_INL
#undef CORRAL_SPECTRAL_COMPLEX_EIGHT_INL
#else
#define CORRAL_SPECTRAL_COMPLEX_EIGHT_INL
#endif

#include "fluid/spectral/lanes/eight-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace corral::fluid::spectral::HWY_NAMESPACE {

/// A complex number of each of eight lines: a place of a spectrum, also in memory.
struct ComplexEight {
  Eight re, im;

  ComplexEight() = default;
  HWY_INLINE ComplexEight(const Eight& real_part, const Eight& imaginary_part) : re(real_part), im(imaginary_part) {}
  static HWY_INLINE ComplexEight zero() { return {Eight(0.0), Eight(0.0)}; }
  static HWY_INLINE ComplexEight load(const double* from) { return {Eight::load(from), Eight::load(from + 8)}; }
  HWY_INLINE void store(double* to) const {
    re.store(to);
    im.store(to + 8);
  }
  HWY_INLINE Eight real() const { return re; }
  HWY_INLINE Eight imag() const { return im; }
  HWY_INLINE ComplexEight& operator+=(const ComplexEight& b) { return *this = *this + b; }
  HWY_INLINE ComplexEight& operator*=(const Eight& b) { return *this = *this * b; }
  friend HWY_ATTR HWY_INLINE ComplexEight operator+(const ComplexEight& a, const ComplexEight& b) {
    return {a.re + b.re, a.im + b.im};
  }
  friend HWY_ATTR HWY_INLINE ComplexEight operator-(const ComplexEight& a, const ComplexEight& b) {
    return {a.re - b.re, a.im - b.im};
  }
  friend HWY_ATTR HWY_INLINE ComplexEight operator*(const ComplexEight& a, const Eight& b) {
    return {a.re * b, a.im * b};
  }
  friend HWY_ATTR HWY_INLINE ComplexEight operator*(const ComplexEight& a, const ComplexEight& b) {
    return {multiply_subtract(a.re, b.re, a.im * b.im), multiply_add(a.re, b.im, a.im * b.re)};
  }
};

/// a conj(b)
HWY_INLINE ComplexEight times_conjugate(const ComplexEight& a, const ComplexEight& b) {
  return {multiply_add(a.re, b.re, a.im * b.im), multiply_subtract(a.im, b.re, a.re * b.im)};
}
/// c - a b with a real factor
HWY_INLINE ComplexEight less_product(const ComplexEight& c, const Eight& a, const ComplexEight& b) {
  return {less_product(c.re, a, b.re), less_product(c.im, a, b.im)};
}

} // namespace corral::fluid::spectral::HWY_NAMESPACE

namespace corral::fluid::HWY_NAMESPACE {
using spectral::HWY_NAMESPACE::ComplexEight;
using spectral::HWY_NAMESPACE::Eight;
} // namespace corral::fluid::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
