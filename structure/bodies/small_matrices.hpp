#pragma once

#include "geometry/vector.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <utility>

namespace corral::structure {

/// A symmetric 3x3 matrix: xx yy zz xy xz yz.
using SymmetricMatrix = std::array<double, 6>;

namespace small_matrices_detail {
inline constexpr std::array<std::array<std::size_t, 3>, 3> place{{{0, 3, 4}, {3, 1, 5}, {4, 5, 2}}};
} // namespace small_matrices_detail

inline geometry::Vector times(const SymmetricMatrix& m, const geometry::Vector& x) {
  return {m[0] * x[0] + m[3] * x[1] + m[4] * x[2], m[3] * x[0] + m[1] * x[1] + m[5] * x[2],
          m[4] * x[0] + m[5] * x[1] + m[2] * x[2]};
}

/// R m R^T: what m is in the frame that R turns its own into.
inline SymmetricMatrix turned(const SymmetricMatrix& m, const geometry::Rotation& by) {
  const auto& r = by.rows();
  std::array<geometry::Vector, 3> mr;
  for (std::size_t i = 0; i < 3; ++i) mr[i] = times(m, r[i]);
  return {geometry::dot(r[0], mr[0]), geometry::dot(r[1], mr[1]), geometry::dot(r[2], mr[2]),
          geometry::dot(r[0], mr[1]), geometry::dot(r[0], mr[2]), geometry::dot(r[1], mr[2])};
}

/// Moments of inertia per density, integral of |x|^2 - x x, of what has these second moments, integral of x x [m5].
inline SymmetricMatrix inertia_of(const std::array<double, 6>& second) {
  const double trace = second[0] + second[1] + second[2];
  return {trace - second[0], trace - second[1], trace - second[2], -second[3], -second[4], -second[5]};
}

/// m in the axes in which it is diagonal.
struct PrincipalAxes {
  geometry::Vector moments{}; ///< ascending
  geometry::Rotation axes;    ///< turns x, y and z into the axis of each
};

/// By Jacobi's rotations, to round-off.
inline PrincipalAxes principal_axes(SymmetricMatrix m) {
  constexpr std::array<std::array<std::size_t, 3>, 3> planes{{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}}}; // and the axis of each
  geometry::Rotation axes;
  const auto turn = [&](std::size_t axis, double angle) {
    geometry::Vector about{};
    about[axis] = 1;
    const geometry::Rotation by = geometry::Rotation::about(about, angle);
    m = turned(m, by.inverse());
    axes = axes * by;
  };
  const double size = std::max({std::abs(m[0]), std::abs(m[1]), std::abs(m[2])});
  for (int sweep = 0; sweep < 50; ++sweep) {
    if (std::max({std::abs(m[3]), std::abs(m[4]), std::abs(m[5])}) <= 1e-16 * size) break;
    for (const auto& [p, q, axis] : planes) {
      double angle = 0.5 * std::atan2(2 * m[small_matrices_detail::place[p][q]], m[p] - m[q]);
      if (std::abs(angle) > std::numbers::pi / 4) angle -= std::copysign(std::numbers::pi / 2, angle);
      turn(axis, angle);
    }
  }
  for (const std::size_t axis : {2u, 0u, 2u}) // a quarter of a turn changes the other two
    if (m[(axis + 1) % 3] > m[(axis + 2) % 3]) turn(axis, std::numbers::pi / 2);
  return {{m[0], m[1], m[2]}, axes};
}

/// A system of N equations: rows of its matrix.
template <std::size_t N> using Matrix = std::array<std::array<double, N>, N>;

/// Makes `b` the solution of a x = b, by Gauss with pivots; false where a pivot is below `tiny` times the largest entry.
template <std::size_t N> bool solve(Matrix<N> a, std::array<double, N>& b, double tiny = 1e-14) {
  std::array<double, N> scale{};
  for (std::size_t i = 0; i < N; ++i) { // equations may have different units
    for (const double v : a[i]) scale[i] = std::max(scale[i], std::abs(v));
    if (!(scale[i] > 0)) return false;
    for (double& v : a[i]) v /= scale[i];
    b[i] /= scale[i];
  }
  for (std::size_t k = 0; k < N; ++k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < N; ++i)
      if (std::abs(a[i][k]) > std::abs(a[best][k])) best = i;
    std::swap(a[k], a[best]), std::swap(b[k], b[best]);
    if (!(std::abs(a[k][k]) > tiny)) return false;
    for (std::size_t i = k + 1; i < N; ++i) {
      const double f = a[i][k] / a[k][k];
      if (f == 0) continue;
      for (std::size_t j = k; j < N; ++j) a[i][j] -= f * a[k][j];
      b[i] -= f * b[k];
    }
  }
  for (std::size_t k = N; k-- > 0;) {
    for (std::size_t j = k + 1; j < N; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return true;
}

} // namespace corral::structure
