#pragma once

#include <corral/kernels/arithmetic.hpp>
#include <corral/kernels/bspline.hpp>
#include <corral/kernels/kernel.hpp>

#include <corral/host_device.hpp>

#include <cmath>
#include <numbers>

/// Smoothed kernels (Yang, Zhang, Li and He 2009): phi*(r) is the integral of phi from r - 1/2 to r + 1/2, one point
/// wider and once more differentiable, which calms the forces on moving boundaries. With Phi the odd antiderivative of
/// phi, phi*(r) = Phi(r + 1/2) - Phi(r - 1/2). M0 = 1 and M1 = 0 for all; where phi has M1 = 0, M2 is the same
/// everywhere.
namespace corral::kernels {

/// Linear smoothed is the quadratic B-spline.
using SmoothedLinear = BSpline<3>;

/// The integral of sqrt(1 - x^2) from 0 to x, for |x| well below 1.
template <class T> CORRAL_HOST_DEVICE T circle_segment(T x) {
  using std::asin, std::sqrt;
  return T(0.5) * (x * sqrt(T(1) - x * x) + asin(x));
}

/// Roma3 smoothed: 4 points, phi*(0) = 0.618200.
struct SmoothedRoma3 {
  static constexpr int support = 4;
  static constexpr std::string_view name = "smoothed_roma3";

  template <class T> CORRAL_HOST_DEVICE T operator()(T r) const { return integral(r + T(0.5)) - integral(r - T(0.5)); }
  /// One square root and one arcsine: phi(s - 1), phi(s) and phi(s + 1) are one root and lines in s, and so, one degree
  /// higher, are their integrals from s = 0.
  template <class T> CORRAL_HOST_DEVICE void weights(T r, T* w) const {
    const T s = r - T(0.5), parabola = T(0.25) * s * s, half = T(0.5) * s;
    const T middle = T(1. / 3) * s + T(std::numbers::inv_sqrt3 / 3) * circle_segment(T(std::numbers::sqrt3) * s);
    const T odd = half - T(0.5) * middle; // Phi(s + 1) = at_one + odd - parabola, Phi(s - 1) = odd + parabola - at_one
    w[0] = T(0.5 - at_one) - odd + parabola;
    w[1] = T(at_one) + odd - parabola - middle;
    w[2] = T(at_one) - odd - parabola + middle;
    w[3] = T(0.5 - at_one) + odd + parabola;
  }

private:
  /// Phi(1) = 5/16 + Phi(1/2)/2
  static constexpr double at_one = 5. / 12 + std::numbers::pi * std::numbers::inv_sqrt3 / 36;

  template <class T> CORRAL_HOST_DEVICE static T integral(T s) {
    const T a = absolute(s), third = T(1) / T(3), root3 = T(std::numbers::sqrt3);
    const T sign = s < T(0) ? T(-1) : T(1);
    if (a >= T(1.5)) return T(0.5) * sign;
    if (a <= T(0.5)) return third * (s + circle_segment(root3 * s) / root3);
    const T outer = (T(5) * a - T(1.5) * a * a - circle_segment(root3 * (a - T(1))) / root3) / T(6);
    return sign * (T(0.5) + outer - (T(4.125) - circle_segment(root3 / T(2)) / root3) / T(6));
  }
};
static_assert(Kernel<SmoothedRoma3>);

/// Peskin4 smoothed: 5 points, phi*(0) = 0.473175.
struct SmoothedPeskin4 {
  static constexpr int support = 5;
  static constexpr std::string_view name = "smoothed_peskin4";

  template <class T> CORRAL_HOST_DEVICE T operator()(T r) const { return integral(r + T(0.5)) - integral(r - T(0.5)); }
  /// One square root and one arcsine. Halfway between two points Peskin4 is the same root, plus or minus, at all four:
  /// integrated from there, so are these.
  template <class T> CORRAL_HOST_DEVICE void weights(T r, T* w) const {
    const T root = T(0.125) * circle_segment(T(std::numbers::sqrt2) * r);
    const T square = T(0.125) * r * r, quarter = T(0.25) * r;
    const T end = T(0.5 - at_three_halves) + square, odd = root - quarter, twice = T(2) * root;
    w[0] = end + odd;
    w[1] = T(at_three_halves - at_half) - twice;
    w[2] = T(2 * at_half) - T(2) * square;
    w[3] = T(at_three_halves - at_half) + twice;
    w[4] = end - odd;
  }

private:
  static constexpr double at_half = 3. / 16 + std::numbers::pi / 64;         ///< Phi(1/2)
  static constexpr double at_three_halves = 7. / 16 + std::numbers::pi / 64; ///< Phi(3/2)

  template <class T> CORRAL_HOST_DEVICE static T integral(T s) {
    const T a = absolute(s), root2 = T(std::numbers::sqrt2);
    const T sign = s < T(0) ? T(-1) : T(1);
    if (a >= T(2)) return T(0.5) * sign;
    const T at_zero = circle_segment(T(-1) / root2), at_two = circle_segment(T(1) / root2);
    if (a <= T(1)) return sign * (T(3) * a - a * a + circle_segment((T(2) * a - T(1)) / root2) - at_zero) / T(8);
    const T beyond = T(6) - T(5) * a + a * a - at_two + circle_segment((T(2) * a - T(3)) / root2);
    return sign * (T(0.5) - beyond / T(8));
  }
};
static_assert(Kernel<SmoothedPeskin4>);

/// Cosine4 smoothed: 5 points, phi*(0) = 0.475079, first moment 0.
struct SmoothedCosine4 {
  static constexpr int support = 5;
  static constexpr std::string_view name = "smoothed_cosine4";

  template <class T> CORRAL_HOST_DEVICE T operator()(T r) const {
    using std::sin;
    constexpr double pi = std::numbers::pi;
    const T a = absolute(r);
    if (a >= T(2.5)) return T(0);
    const T below = sin(T(pi / 4) * (T(2) * a - T(1)));
    if (a >= T(1.5)) return (T(5 * pi) - T(2 * pi) * a - T(4) * below) / T(8 * pi);
    return (T(pi) + T(2) * sin(T(pi / 4) * (T(2) * a + T(1))) - T(2) * below) / T(4 * pi);
  }
  /// One cosine and one square root.
  template <class T> CORRAL_HOST_DEVICE void weights(T r, T* w) const {
    const QuarterTurn<T> turn(r);
    const T cosine = T(scale) * turn.cosine, sine = T(scale) * turn.sine;
    const T end = T(0.125) - T(0.5) * cosine, odd = T(0.5) * sine - T(0.25) * r;
    w[0] = end + odd;
    w[1] = T(0.25) - sine;
    w[2] = T(0.25) + cosine;
    w[3] = T(0.25) + sine;
    w[4] = end - odd;
  }

private:
  static constexpr double scale = std::numbers::sqrt2 / (2 * std::numbers::pi);
};
static_assert(Kernel<SmoothedCosine4>);

} // namespace corral::kernels
