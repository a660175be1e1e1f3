#pragma once

#include <corral/host_device.hpp>

#include <cmath>
#include <numbers>

/// The few operations that kernels are written in. `weights` of a kernel use T(constant), + - *, multiply_add and,
/// found by the argument's type, sqrt, cos and asin: no branch, no comparison. So T may be a vector of particles, too.
namespace corral::kernels {

/// a b + c. Types with a fused one bring it as a (non-template) function beside them.
template <class T> CORRAL_HOST_DEVICE T multiply_add(T a, T b, T c) { return a * b + c; }

/// c0 + c1 x + c2 x^2 + ..., by Horner's rule.
template <class T> CORRAL_HOST_DEVICE T polynomial(T, double c0) { return T(c0); }
template <class T, class... Higher> CORRAL_HOST_DEVICE T polynomial(T x, double c0, Higher... higher) {
  return multiply_add(polynomial(x, higher...), x, T(c0));
}

/// |x|, for the scalar phi(r).
template <class T> CORRAL_HOST_DEVICE T absolute(T x) { return x < T(0) ? -x : x; }

/// sin(pi x / 2) and cos(pi x / 2) for x in [-1/2, 1/2], where one follows from the other without cancellation: the
/// cosine is at least 0.7.
template <class T> struct QuarterTurn {
  CORRAL_HOST_DEVICE explicit QuarterTurn(T x) {
    using std::cos, std::sqrt;
    sine = cos(T(std::numbers::pi / 2) * (x - T(1)));
    cosine = sqrt(T(1) - sine * sine);
  }
  T sine, cosine;
};

} // namespace corral::kernels
