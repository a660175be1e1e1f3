// Banded systems of eight lines, a matrix each. Included once per instruction set.
#if defined(CORRAL_SPECTRAL_BANDED_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CORRAL_SPECTRAL_BANDED_INL
#undef CORRAL_SPECTRAL_BANDED_INL
#else
#define CORRAL_SPECTRAL_BANDED_INL
#endif

#include "fluid/spectral/box_layout.hpp"
#include "fluid/spectral/lanes/complex_eight-inl.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace corral::fluid::spectral::HWY_NAMESPACE {

/// Symmetric positive definite, n rows with the same numbers but for what the first and the last row have more on the
/// diagonal. Solved by L D L^T without exchanges of rows.
struct Tridiagonal {
  Eight diagonal, off, first, last;

  HWY_INLINE Eight on_diagonal(std::int64_t i, std::int64_t n) const {
    Eight d = diagonal;
    if (i == 0) d = d + first;
    if (i == n - 1) d = d + last;
    return d;
  }
  /// Sets 8 n doubles, aligned.
  void factorise(std::int64_t n, double* pivots) const {
    const Eight one(1.0), square = off * off;
    Eight inverse(0.0);
    for (std::int64_t i = 0; i < n; ++i) {
      inverse = one / less_product(on_diagonal(i, n), square, inverse);
      inverse.store(pivots + 8 * i);
    }
  }
  /// Of M columns, in place.
  template <std::size_t M>
  void solve(std::int64_t n, const double* pivots, const std::array<double*, M>& columns) const {
    constexpr std::int64_t place = SpectrumShape::place_size;
    ComplexEight last_one[M];
    for (std::size_t m = 0; m < M; ++m) last_one[m] = ComplexEight::zero();
    Eight factor(0.0);
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::size_t m = 0; m < M; ++m) {
        last_one[m] = less_product(ComplexEight::load(columns[m] + place * i), factor, last_one[m]);
        last_one[m].store(columns[m] + place * i);
      }
      factor = off * Eight::load(pivots + 8 * i);
    }
    for (std::size_t m = 0; m < M; ++m) last_one[m] = ComplexEight::zero();
    for (std::int64_t i = n - 1; i >= 0; --i) {
      const Eight inverse = Eight::load(pivots + 8 * i);
      for (std::size_t m = 0; m < M; ++m) {
        last_one[m] = less_product(ComplexEight::load(columns[m] + place * i), off, last_one[m]) * inverse;
        last_one[m].store(columns[m] + place * i);
      }
    }
  }
};

/// The same with two more diagonals; both ends have `ends` more.
struct Pentadiagonal {
  Eight diagonal, off, far, ends;

  /// Sets 16 n doubles, aligned.
  void factorise(std::int64_t n, double* pivots) const {
    const Eight one(1.0), square = far * far;
    Eight inverse(0.0), before(0.0), factor(0.0); // 1/d of the last row and of the one before, l of the last
    for (std::int64_t i = 0; i < n; ++i) {
      Eight d = diagonal;
      if (i == 0) d = d + ends;
      if (i == n - 1) d = d + ends;
      const Eight b = i == 0 ? Eight(0.0) : less_product(off, far, factor);
      factor = b * inverse;
      d = less_product(less_product(d, factor, b), square, before);
      before = inverse;
      inverse = one / d;
      inverse.store(pivots + 16 * i);
      factor.store(pivots + 16 * i + 8);
    }
  }
  void solve(std::int64_t n, const double* pivots, double* column) const {
    constexpr std::int64_t place = SpectrumShape::place_size;
    ComplexEight near = ComplexEight::zero(), beyond = ComplexEight::zero();
    for (std::int64_t i = 0; i < n; ++i) {
      const Eight factor = Eight::load(pivots + 16 * i + 8);
      const Eight far_factor = i < 2 ? Eight(0.0) : far * Eight::load(pivots + 16 * (i - 2));
      const ComplexEight y =
          less_product(less_product(ComplexEight::load(column + place * i), far_factor, beyond), factor, near);
      y.store(column + place * i);
      beyond = near;
      near = y;
    }
    near = beyond = ComplexEight::zero();
    for (std::int64_t i = n - 1; i >= 0; --i) {
      const Eight inverse = Eight::load(pivots + 16 * i);
      const Eight factor = i == n - 1 ? Eight(0.0) : Eight::load(pivots + 16 * (i + 1) + 8);
      const ComplexEight rest = less_product(ComplexEight::load(column + place * i), far, beyond) * inverse;
      const ComplexEight x = less_product(rest, factor, near);
      x.store(column + place * i);
      beyond = near;
      near = x;
    }
  }
};

} // namespace corral::fluid::spectral::HWY_NAMESPACE

namespace corral::fluid::HWY_NAMESPACE {
using spectral::HWY_NAMESPACE::Pentadiagonal;
using spectral::HWY_NAMESPACE::Tridiagonal;
} // namespace corral::fluid::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
