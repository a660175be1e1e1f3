#pragma once

#include <corral/host_device.hpp>

#include <array>

namespace corral::membrane {

/// Three components.
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

} // namespace corral::membrane
