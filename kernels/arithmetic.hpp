#pragma once

#include <corral/host_device.hpp>

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

} // namespace corral::kernels
