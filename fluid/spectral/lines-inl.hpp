// Discrete Fourier transforms of eight lines at once, by kissfft. Included once per instruction set.
#if defined(CORRAL_SPECTRAL_LINES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CORRAL_SPECTRAL_LINES_INL
#undef CORRAL_SPECTRAL_LINES_INL
#else
#define CORRAL_SPECTRAL_LINES_INL
#endif

#include "fluid/spectral/eight-inl.hpp"

#include <corral/array.hpp>

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

HWY_BEFORE_NAMESPACE();
namespace corral::fluid::spectral::HWY_NAMESPACE {

/// kissfft is compiled anew for each set, as a part of this namespace: its functions then use the set's instructions, and
/// none of them has a name that two sets share. What it calls `std` is the namespace below, for std::complex is nothing
/// but for numbers.
namespace kiss {
namespace std {

using ::std::size_t;
using ::std::swap;

/// What kissfft needs of one, aligned for registers: g++ 12 gives the standard's less where wide ones are not the rule.
template <class T> class vector {
public:
  void resize(size_t size) {
    memory_.resize(static_cast<::std::int64_t>(size * sizeof(T)));
    size_ = size;
  }
  void push_back(const T& value) {
    resize(size_ + 1);
    (*this)[size_ - 1] = value;
  }
  size_t size() const { return size_; }
  HWY_INLINE T& operator[](size_t i) { return reinterpret_cast<T*>(memory_.data())[i]; }
  HWY_INLINE const T& operator[](size_t i) const { return reinterpret_cast<const T*>(memory_.data())[i]; }

private:
  Array<unsigned char> memory_;
  size_t size_ = 0;
};

template <class T> struct complex {
  T re, im;

  complex() = default;
  HWY_INLINE complex(const T& real_part, const T& imaginary_part) : re(real_part), im(imaginary_part) {}
  HWY_INLINE T real() const { return re; }
  HWY_INLINE T imag() const { return im; }
  HWY_INLINE complex& operator+=(const complex& b) { return *this = *this + b; }
  HWY_INLINE complex& operator*=(const T& b) { return *this = *this * b; }
  friend HWY_INLINE complex operator+(const complex& a, const complex& b) { return {a.re + b.re, a.im + b.im}; }
  friend HWY_INLINE complex operator-(const complex& a, const complex& b) { return {a.re - b.re, a.im - b.im}; }
  friend HWY_INLINE complex operator*(const complex& a, const T& b) { return {a.re * b, a.im * b}; }
  friend HWY_INLINE complex operator*(const complex& a, const complex& b) {
    return {multiply_subtract(a.re, b.re, a.im * b.im), multiply_add(a.re, b.im, a.im * b.re)};
  }
};

template <class T> HWY_INLINE complex<T> conj(const complex<T>& a) { return {a.re, -a.im}; }

// Only of numbers that are the same in each line.
inline Eight acos(const Eight& a) { return ::std::acos(a.first()); }
inline complex<Eight> exp(const complex<Eight>& a) {
  const double size = ::std::exp(a.re.first()), angle = a.im.first();
  return {size * ::std::cos(angle), size * ::std::sin(angle)};
}

} // namespace std

#undef KISSFFT_CLASS_HH
#include <kissfft.hh>

} // namespace kiss

/// A complex number of each of eight lines: real parts, then imaginary ones.
using Complex = kiss::std::complex<Eight>;

/// a b, a conj(b)
HWY_INLINE Complex times_conjugate(const Complex& a, const Complex& b) {
  return {multiply_add(a.re, b.re, a.im * b.im), multiply_subtract(a.im, b.re, a.re * b.im)};
}

/// Transforms of n points, sum over j of x_j e^(-+ 2 pi i j k/n). Where 7 is among n's factors kissfft writes to memory
/// of its own: one thread at a time.
class Lines {
public:
  explicit Lines(std::int64_t n)
      : n_(n), forward_(static_cast<std::size_t>(n), false), backward_(static_cast<std::size_t>(n), true) {}

  /// Reads every `stride`th, writes n in a row elsewhere.
  void forward(const Complex* in, std::int64_t stride, Complex* out) const { run(forward_, in, stride, out); }
  void backward(const Complex* in, std::int64_t stride, Complex* out) const { run(backward_, in, stride, out); }
  std::int64_t size() const { return n_; }

private:
  void run(const kiss::kissfft<Eight>& transform, const Complex* in, std::int64_t stride, Complex* out) const {
    if (n_ == 1)
      *out = *in;
    else
      transform.transform(in, out, 0, 1, static_cast<std::size_t>(stride));
  }

  std::int64_t n_;
  kiss::kissfft<Eight> forward_, backward_;
};

} // namespace corral::fluid::spectral::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
