#pragma once

#include <corral/host_device.hpp>

#include <array>
#include <cmath>

namespace corral::geometry {

/// A point [m] or a direction, x y z.
using Vector = std::array<double, 3>;

CORRAL_HOST_DEVICE constexpr Vector operator+(const Vector& a, const Vector& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
CORRAL_HOST_DEVICE constexpr Vector operator-(const Vector& a, const Vector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
CORRAL_HOST_DEVICE constexpr Vector operator*(double s, const Vector& a) { return {s * a[0], s * a[1], s * a[2]}; }

CORRAL_HOST_DEVICE constexpr double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
CORRAL_HOST_DEVICE constexpr Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
CORRAL_HOST_DEVICE inline double length(const Vector& a) { return std::sqrt(dot(a, a)); }
/// Of length 1; a is not 0.
CORRAL_HOST_DEVICE inline Vector direction(const Vector& a) { return (1 / length(a)) * a; }

} // namespace corral::geometry
