#pragma once

#include "structure/triangles/connectivity.hpp"
#include "tests/engine/cases.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

namespace corral::test {

using structure::cross;
using structure::dot;
using structure::Vector;
using structure::operator+;
using structure::operator-;
using structure::operator*;

inline constexpr double um = 1e-6;          ///< [m]
inline constexpr double radius = 3.91 * um; ///< of a red cell [m]
inline constexpr double shear = 2.5e-6;     ///< G_s [N/m]
inline constexpr double kappa = 2e-19;      ///< [J]

struct ClosedMesh {
  std::vector<Vector> points;
  std::vector<std::array<std::int32_t, 3>> triangles;

  void add(std::int64_t a, std::int64_t b, std::int64_t c) {
    triangles.push_back({static_cast<std::int32_t>(a), static_cast<std::int32_t>(b), static_cast<std::int32_t>(c)});
  }
  std::int64_t size() const { return static_cast<std::int64_t>(points.size()); }
};

inline double length(const Vector& a) { return std::sqrt(dot(a, a)); }

/// 10 4^level + 2 points on a sphere.
inline ClosedMesh sphere(int level, double R = radius) {
  const double g = std::numbers::phi;
  ClosedMesh mesh{{{-1, g, 0}, {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                   {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}},
                  {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                   {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                   {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}}};
  for (int l = 0; l < level; ++l) {
    std::map<std::pair<std::int32_t, std::int32_t>, std::int64_t> middles;
    const auto middle = [&](std::int32_t a, std::int32_t b) {
      const auto [found, fresh] = middles.try_emplace(std::minmax(a, b), mesh.size());
      const Vector sum = mesh.points[a] + mesh.points[b];
      if (fresh) mesh.points.push_back(0.5 * sum);
      return found->second;
    };
    for (const auto& [a, b, c] : std::exchange(mesh.triangles, {})) {
      const std::int64_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      mesh.add(a, ab, ca), mesh.add(b, bc, ab), mesh.add(c, ca, bc), mesh.add(ab, bc, ca);
    }
    for (Vector& x : mesh.points) x = (1 / length(x)) * x;
  }
  for (Vector& x : mesh.points) x = (R / length(x)) * x;
  return mesh;
}

/// The biconcave shape of a red cell (Evans and Fung 1972, as numerics use it), z = R0 (.105 + r^2 - .56 r^4) sin f.
inline ClosedMesh red_cell(int level) {
  ClosedMesh mesh = sphere(level);
  for (Vector& x : mesh.points) {
    const double r = (x[0] * x[0] + x[1] * x[1]) / (radius * radius);
    x[2] *= 0.105 + r - 0.56 * r * r;
  }
  return mesh;
}

/// [0, a] x [0, b] x [0, c].
inline ClosedMesh box(double a, double b, double c) {
  ClosedMesh mesh;
  for (int i = 0; i < 8; ++i) mesh.points.push_back({i & 1 ? a : 0, i & 2 ? b : 0, i & 4 ? c : 0});
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

/// A tube along z with a fan over each end: `around` points in each of rows + 1 rings `apart` from each other; every
/// second ring is turned by half a place where it is `staggered`.
inline ClosedMesh tube(double R, int around, int rows, double apart, bool staggered) {
  ClosedMesh mesh;
  for (int j = 0; j <= rows; ++j)
    for (int i = 0; i < around; ++i) {
      const double angle = 2 * std::numbers::pi * (i + (staggered && j % 2 == 1 ? 0.5 : 0)) / around;
      mesh.points.push_back({R * std::cos(angle), R * std::sin(angle), apart * j});
    }
  mesh.points.push_back({0, 0, 0});
  mesh.points.push_back({0, 0, apart * rows});
  const int low = around * (rows + 1), high = low + 1;
  for (int i = 0; i < around; ++i) {
    const int next = (i + 1) % around, top = around * rows;
    mesh.add(low, next, i);
    mesh.add(high, top + i, top + next);
    for (int j = 0; j < rows; ++j) {
      const int at = around * j, above = at + around;
      const bool turned = staggered && j % 2 == 1; // the ring above is behind
      mesh.add(at + i, at + next, turned ? above + next : above + i);
      mesh.add(turned ? at + i : at + next, above + next, above + i);
    }
  }
  return mesh;
}

/// Markers, or forces, of membranes behind each other.
struct Placed {
  std::array<std::vector<double>, 3> x;

  explicit Placed(std::size_t points) { x.fill(std::vector<double>(points, 0.0)); }
  explicit Placed(std::span<const Vector> points, std::size_t copies = 1) : Placed(points.size() * copies) {
    for (std::size_t i = 0; i < size(); ++i) set(i, points[i % points.size()]);
  }
  std::size_t size() const { return x[0].size(); }
  Vector operator[](std::size_t i) const { return {x[0][i], x[1][i], x[2][i]}; }
  void set(std::size_t i, const Vector& v) {
    for (std::size_t d = 0; d < 3; ++d) x[d][i] = v[d];
  }
  structure::ConstPoints view() const { return {x[0].data(), x[1].data(), x[2].data()}; }
  structure::Points writable() { return {x[0].data(), x[1].data(), x[2].data()}; }
};

/// Each point moved by up to `amount` along each axis, on top of a stretch that is no symmetry of anything.
inline std::vector<Vector> deformed(std::vector<Vector> points, double amount, std::uint64_t seed) {
  Random random(seed);
  for (Vector& x : points) {
    x = {1.15 * x[0] + 0.1 * x[1], 0.9 * x[1] - 0.05 * x[2], 1.05 * x[2] + 0.08 * x[0]};
    for (double& component : x) component += random.uniform(-amount, amount);
  }
  return points;
}

} // namespace corral::test
