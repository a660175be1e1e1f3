// What one mode of the sources becomes, as formulas of numbers of any kind. Included once per instruction set.
#if defined(CORRAL_STOKES_MODE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CORRAL_STOKES_MODE_INL
#undef CORRAL_STOKES_MODE_INL
#else
#define CORRAL_STOKES_MODE_INL
#endif

#include "fluid/spectral/lanes/eight-inl.hpp"
#include "stokes/sums/kind.hpp"

#include <numbers>

HWY_BEFORE_NAMESPACE();
namespace corral::stokes::HWY_NAMESPACE {
using fluid::spectral::HWY_NAMESPACE::Eight;

/// A wave vector k [1/m] with k^2, and the screened transforms of 1/r and of -r, times whatever scales all results:
/// where images act, with g = k^2/(4 xi^2), 4 pi exp(-g)/k^2 and 8 pi (1 + g) exp(-g)/k^4.
template <class V> struct Mode { V k[3], square, laplace, flow; };

template <class V> HWY_INLINE V along(const V* k, const V* s) { return k[0] * s[0] + k[1] * s[1] + k[2] * s[2]; }

/// Sets the results of columns(sum, all), of the amplitudes s of far_columns(sum) columns. Each is a real number times
/// i where turned(sum, result) says so, so that real and imaginary parts are worked out apart.
template <Sum sum, bool all, class V> HWY_INLINE void far_mode(const Mode<V>& m, const V* s, V* out) {
  const V* const k = m.k;
  if constexpr (sum == Sum::laplace) {
    out[0] = m.laplace * s[0];
  } else if constexpr (sum == Sum::stokeslet) {
    const V kf = along(k, s);
    for (int i = 0; i < 3; ++i) out[i] = m.flow * (m.square * s[i] - k[i] * kf);
    if constexpr (all) out[3] = V(-2.0) * m.laplace * kf;
  } else if constexpr (sum == Sum::rotlet) {
    out[0] = m.laplace * (k[1] * s[2] - k[2] * s[1]);
    out[1] = m.laplace * (k[2] * s[0] - k[0] * s[2]);
    out[2] = m.laplace * (k[0] * s[1] - k[1] * s[0]);
  } else { // s: xx yy zz xy xz yz of q n + n q
    const V Sk[3]{k[0] * s[0] + k[1] * s[3] + k[2] * s[4], k[0] * s[3] + k[1] * s[1] + k[2] * s[5],
                  k[0] * s[4] + k[1] * s[5] + k[2] * s[2]};
    const V kSk = along(k, Sk), trace = V(0.5) * (s[0] + s[1] + s[2]);
    for (int i = 0; i < 3; ++i) out[i] = m.flow * (m.square * (Sk[i] + k[i] * trace) - k[i] * kSk);
    if constexpr (all) out[3] = V(2.0) * m.laplace * kSk;
  }
  if constexpr (all) {
    constexpr int components = result_columns(sum, Result::velocity), first = first_column(sum, Result::gradient);
    constexpr bool turned = sum == Sum::rotlet || sum == Sum::stresslet; // i k of what is turned: -k
    for (int i = 0; i < components; ++i)
      for (int l = 0; l < 3; ++l) out[first + 3 * i + l] = (turned ? V(0.0) - k[l] : k[l]) * out[i];
  }
}

} // namespace corral::stokes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
