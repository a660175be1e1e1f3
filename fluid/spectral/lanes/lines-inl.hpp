// Discrete Fourier transforms of eight lines at once, by kissfft. Included once per instruction set.
#if defined(CORRAL_SPECTRAL_LINES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CORRAL_SPECTRAL_LINES_INL
#undef CORRAL_SPECTRAL_LINES_INL
#else
#define CORRAL_SPECTRAL_LINES_INL
#endif

#include "fluid/spectral/lanes/complex_eight-inl.hpp"

#include <corral/array.hpp>

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

HWY_BEFORE_NAMESPACE();
namespace corral::fluid::spectral::HWY_NAMESPACE {

/// kissfft is compiled anew for each set, as a part of this namespace: its functions then use the set's instructions,
/// and none of them has a name that two sets share. What it calls `std` is the namespace below, for std::complex is
/// nothing but for numbers.
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

template <class> struct complex_of { using type = ComplexEight; };
template <class T> using complex = typename complex_of<T>::type;

HWY_INLINE ComplexEight conj(const ComplexEight& a) { return {a.re, -a.im}; }

// Only of numbers that are the same in each line.
inline Eight acos(const Eight& a) { return ::std::acos(a.first()); }
inline ComplexEight exp(const ComplexEight& a) {
  const double size = ::std::exp(a.re.first()), angle = a.im.first();
  return {size * ::std::cos(angle), size * ::std::sin(angle)};
}

} // namespace std

#undef KISSFFT_CLASS_HH
#include <kissfft.hh>

} // namespace kiss

/// Transforms of n points, sum over j of x_j e^(-+ 2 pi i j k/n). Where 7 is among n's factors kissfft writes to memory
/// of its own: one thread at a time.
class EightLines {
public:
  explicit EightLines(std::int64_t n)
      : n_(n), forward_(static_cast<std::size_t>(n), false), backward_(static_cast<std::size_t>(n), true) {}

  /// Reads every `stride`th, writes n in a row elsewhere.
  void forward(const ComplexEight* in, std::int64_t stride, ComplexEight* out) const { run(forward_, in, stride, out); }
  void backward(const ComplexEight* in, std::int64_t stride, ComplexEight* out) const {
    run(backward_, in, stride, out);
  }
  std::int64_t size() const { return n_; }

private:
  void run(const kiss::kissfft<Eight>& transform, const ComplexEight* in, std::int64_t stride,
           ComplexEight* out) const {
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
