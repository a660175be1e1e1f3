#include "geometry/vector.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <cmath>
#include <cstdint>
#include <numbers>

namespace corral::geometry {

namespace {

template <class F> void for_all(std::span<Vector> points, F change) {
  Vector* const x = points.data();
  for_each(Cpu{}, static_cast<std::int64_t>(points.size()), [=](std::int64_t i) { x[i] = change(x[i]); });
}

} // namespace

Rotation Rotation::from_quaternion(const std::array<double, 4>& q) {
  const double size = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
  if (!(size > 0) || !std::isfinite(size))
    throw Error("a quaternion of length " + std::to_string(size) + " (a rotation has one of finite length, not 0)");
  const double w = q[0] / size, x = q[1] / size, y = q[2] / size, z = q[3] / size;
  Rotation r;
  r.rows_ = {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
              {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
              {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
  return r;
}

Rotation Rotation::about(const Vector& axis, double angle) {
  const double size = std::hypot(axis[0], axis[1], axis[2]);
  if (!(size > 0) || !std::isfinite(size) || !std::isfinite(angle))
    throw Error("an axis of length " + std::to_string(size) + " and an angle of " + std::to_string(angle) +
                " rad (both are finite, and the axis is not 0)");
  const double s = std::sin(angle / 2);
  return from_quaternion({std::cos(angle / 2), s * (axis[0] / size), s * (axis[1] / size), s * (axis[2] / size)});
}

Rotation Rotation::inverse() const {
  Rotation r;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) r.rows_[i][j] = rows_[j][i];
  return r;
}

Rotation operator*(const Rotation& first, const Rotation& second) {
  const Rotation columns = second.inverse(); // its rows are the columns of `second`
  Rotation r;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) r.rows_[i][j] = dot(first.rows_[i], columns.rows_[j]);
  return r;
}

Rotation random_rotation(double u1, double u2, double u3) {
  const double a = std::sqrt(1 - u1), b = std::sqrt(u1);
  const double t2 = 2 * std::numbers::pi * u2, t3 = 2 * std::numbers::pi * u3;
  return Rotation::from_quaternion({a * std::sin(t2), a * std::cos(t2), b * std::sin(t3), b * std::cos(t3)});
}

void rotate(std::span<Vector> points, const Rotation& by) {
  for_all(points, [=](const Vector& x) { return by(x); });
}

void scale(std::span<Vector> points, double factor) {
  for_all(points, [=](const Vector& x) { return factor * x; });
}

void shift(std::span<Vector> points, const Vector& by) {
  for_all(points, [=](const Vector& x) { return x + by; });
}

} // namespace corral::geometry
