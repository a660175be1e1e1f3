#pragma once

#include "geometry/surface.hpp"

#include <cmath>
#include <cstdint>
#include <initializer_list>

namespace corral::test {

inline geometry::Surface surface_of(std::initializer_list<geometry::Vector> points,
                                    std::initializer_list<geometry::Triangle> triangles) {
  geometry::Surface s;
  s.points.assign({points.begin(), points.size()});
  s.triangles.assign({triangles.begin(), triangles.size()});
  return s;
}

/// The corner of a cube of edge 1: volume 1/6, area (3 + sqrt 3)/2, centroid (1/4, 1/4, 1/4).
inline geometry::Surface tetrahedron() {
  return surface_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}});
}

/// [0, 1]^3; point number x + 2 y + 4 z.
inline geometry::Surface cube() {
  return surface_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}},
                    {{0, 2, 3},
                     {0, 3, 1},
                     {4, 5, 7},
                     {4, 7, 6},
                     {0, 1, 5},
                     {0, 5, 4},
                     {2, 6, 7},
                     {2, 7, 3},
                     {0, 4, 6},
                     {0, 6, 2},
                     {1, 3, 7},
                     {1, 7, 5}});
}

/// Both as one surface, whose second part's points stand behind those of the first.
inline geometry::Surface together(geometry::Surface a, const geometry::Surface& b,
                                  const geometry::Vector& shift_of_b = {}) {
  const auto before = static_cast<std::int32_t>(a.points.size());
  for (const geometry::Vector& x : b.points)
    a.points.resize(a.points.size() + 1, {x[0] + shift_of_b[0], x[1] + shift_of_b[1], x[2] + shift_of_b[2]});
  for (const geometry::Triangle& t : b.triangles)
    a.triangles.resize(a.triangles.size() + 1, {t[0] + before, t[1] + before, t[2] + before});
  return a;
}

inline void add(geometry::Surface& s, const geometry::Triangle& t) { s.triangles.resize(s.triangles.size() + 1, t); }
inline void add(geometry::Surface& s, const geometry::Vector& x) { s.points.resize(s.points.size() + 1, x); }

} // namespace corral::test
