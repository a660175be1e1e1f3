#pragma once

#include "geometry/surface.hpp"
#include "geometry/vector.hpp"

#include <corral/execution.hpp>
#include <corral/host_device.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace corral::geometry {

/// Integrals over the volume that triangles enclose, each of which adds the tetrahedron that it makes with an origin
/// near them: exact for the polyhedron. Signs are such that outward triangles enclose a positive volume.
struct SolidSums {
  double volume = 0;              ///< [m3]
  Vector first{};                 ///< of x, y, z [m4]
  std::array<double, 6> second{}; ///< of xx, yy, zz, xy, xz, yz [m5]

  CORRAL_HOST_DEVICE void add(const Vector& a, const Vector& b, const Vector& c) {
    const double v = dot(a, cross(b, c)) / 6;
    const Vector s = a + b + c;
    volume += v;
    for (std::size_t i = 0; i < 3; ++i) first[i] += v / 4 * s[i];
    const auto product = [&](std::size_t i, std::size_t j) {
      return v / 20 * (s[i] * s[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j]);
    };
    second[0] += product(0, 0);
    second[1] += product(1, 1);
    second[2] += product(2, 2);
    second[3] += product(0, 1);
    second[4] += product(0, 2);
    second[5] += product(1, 2);
  }
  CORRAL_HOST_DEVICE void add(const SolidSums& other) {
    volume += other.volume;
    for (std::size_t i = 0; i < 3; ++i) first[i] += other.first[i];
    for (std::size_t i = 0; i < 6; ++i) second[i] += other.second[i];
  }
};

/// What a closed surface encloses.
struct Solid {
  double volume = 0; ///< [m3]; negative where the surface is inside out
  Vector centroid{}; ///< [m]
  std::array<double, 6>
      second_moments{}; ///< integrals of products of distances from the centroid, xx yy zz xy xz yz [m5]
};

/// From sums about `origin` [m]. The volume is not 0.
CORRAL_HOST_DEVICE inline Solid solid_of(const SolidSums& sums, const Vector& origin) {
  const double v = sums.volume;
  const Vector c = (1 / v) * sums.first;
  const std::array<double, 6>& s = sums.second;
  return {v,
          origin + c,
          {s[0] - v * c[0] * c[0], s[1] - v * c[1] * c[1], s[2] - v * c[2] * c[2], s[3] - v * c[0] * c[1],
           s[4] - v * c[0] * c[2], s[5] - v * c[1] * c[2]}};
}

/// Edges' lengths [m].
struct EdgeLengths {
  double shortest = 0, longest = 0, mean = 0;
};

/// All of these are sums in fixed order: the same bits for any number of threads. Triangles' points lie in `points`.
Solid solid(Cpu, std::span<const Vector> points, std::span<const Triangle> triangles);
double volume(Cpu, std::span<const Vector> points, std::span<const Triangle> triangles); ///< [m3]
double area(Cpu, std::span<const Vector> points, std::span<const Triangle> triangles);   ///< [m2]
/// Each edge counts once for every triangle that it belongs to. There is at least one triangle.
EdgeLengths edge_lengths(Cpu, std::span<const Vector> points, std::span<const Triangle> triangles);

} // namespace corral::geometry
