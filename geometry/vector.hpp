#pragma once

#include <corral/host_device.hpp>

#include <array>
#include <cmath>
#include <span>

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

/// A rotation about the origin.
class Rotation {
public:
  Rotation() : rows_{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}} {} ///< leaves everything where it is

  /// By the quaternion w + x i + y j + z k, given as w, x, y, z and of any length but 0. Throws Error for that, and
  /// where a number is not finite.
  static Rotation from_quaternion(const std::array<double, 4>& q);
  /// By `angle` [rad] about an axis of any length but 0, counterclockwise where the axis points at the eye.
  static Rotation about(const Vector& axis, double angle);

  Vector operator()(const Vector& x) const { return {dot(rows_[0], x), dot(rows_[1], x), dot(rows_[2], x)}; }
  /// The rotation that takes this one back.
  Rotation inverse() const;
  /// The rotation by `second` and then by `first`, as of matrices.
  friend Rotation operator*(const Rotation& first, const Rotation& second);

  const std::array<Vector, 3>& rows() const { return rows_; } ///< of its matrix

private:
  std::array<Vector, 3> rows_;
};

/// One of all rotations, each as likely as any other where the three numbers are uniform in [0, 1) and independent
/// (Shoemake 1992, Uniform random rotations).
Rotation random_rotation(double u1, double u2, double u3);

/// What moves points: all of them are turned about the origin; changed in size from there; shifted.
void rotate(std::span<Vector> points, const Rotation& by);
void scale(std::span<Vector> points, double factor);
void shift(std::span<Vector> points, const Vector& by);

} // namespace corral::geometry
