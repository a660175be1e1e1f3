#include "geometry/shapes/shapes.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace corral::geometry {

namespace {

constexpr double phi = std::numbers::phi;
constexpr std::array<Vector, 12> icosahedron{{{0, -1, -phi},
                                              {0, -1, phi},
                                              {0, 1, -phi},
                                              {0, 1, phi},
                                              {-phi, 0, -1},
                                              {phi, 0, -1},
                                              {-phi, 0, 1},
                                              {phi, 0, 1},
                                              {-1, -phi, 0},
                                              {-1, phi, 0},
                                              {1, -phi, 0},
                                              {1, phi, 0}}};
constexpr std::array<Triangle, 20> faces{{{0, 2, 5},  {0, 4, 2},  {0, 5, 10}, {0, 8, 4},  {0, 10, 8},
                                          {1, 3, 6},  {1, 6, 8},  {1, 7, 3},  {1, 8, 10}, {1, 10, 7},
                                          {2, 4, 9},  {2, 9, 11}, {2, 11, 5}, {3, 7, 11}, {3, 9, 6},
                                          {3, 11, 9}, {4, 6, 9},  {4, 8, 6},  {5, 7, 10}, {5, 11, 7}}};

/// Lattices of `n` steps along each edge of the icosahedron, whose points are numbered: its own, those within edges,
/// those within faces.
class Geodesic {
public:
  explicit Geodesic(std::int32_t n) : n_(n) {
    for (auto& row : edge_) row.fill(-1);
    std::int32_t edges = 0;
    for (const Triangle& f : faces)
      for (std::size_t c = 0; c < 3; ++c)
        if (f[c] < f[(c + 1) % 3])
          edge_[at(f[c])][at(f[(c + 1) % 3])] = edges++; // each runs upward in one of its faces
  }

  /// The lattice point of a face i steps towards its first corner from the opposite edge, j towards its second one.
  std::int32_t place(std::int32_t face, std::int32_t i, std::int32_t j) const {
    const std::array<std::int32_t, 3> steps{i, j, n_ - i - j};
    const Triangle& f = faces[at(face)];
    for (std::size_t c = 0; c < 3; ++c)
      if (steps[c] == n_) return f[c];
    for (std::size_t c = 0; c < 3; ++c)
      if (steps[c] == 0) return within_edge(f[(c + 1) % 3], f[(c + 2) % 3], steps[(c + 2) % 3]);
    // Rows of one step towards the first corner have n - 2 points within, and so on.
    return 12 + 30 * (n_ - 1) + face * (n_ - 1) * (n_ - 2) / 2 + (i - 1) * (2 * n_ - 2 - i) / 2 + j - 1;
  }

  /// By sines, as between two points alone: edges are cut into equal arcs.
  Vector position(std::int32_t face, std::int32_t i, std::int32_t j) const {
    const double step = std::atan(2.0) / n_; // an edge of the icosahedron is an arc of atan 2
    const Triangle& f = faces[at(face)];
    return direction(std::sin(i * step) * icosahedron[at(f[0])] + std::sin(j * step) * icosahedron[at(f[1])] +
                     std::sin((n_ - i - j) * step) * icosahedron[at(f[2])]);
  }

private:
  static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }
  std::int32_t within_edge(std::int32_t from, std::int32_t to, std::int32_t steps) const {
    if (from > to) return within_edge(to, from, n_ - steps);
    return 12 + edge_[at(from)][at(to)] * (n_ - 1) + steps - 1;
  }

  std::int32_t n_;
  std::array<std::array<std::int32_t, 12>, 12> edge_{};
};

int require_frequency(double frequency) {
  if (!(frequency >= 1 && frequency <= highest_frequency))
    throw Error("an icosphere of frequency " + std::to_string(static_cast<std::int64_t>(std::min(frequency, 1e15))) +
                " (1 to " + std::to_string(highest_frequency) + ", which has " +
                std::to_string(20 * highest_frequency * highest_frequency) + " triangles)");
  return static_cast<int>(frequency);
}

} // namespace

Surface icosphere(int frequency) {
  const std::int32_t n = require_frequency(frequency);
  const Geodesic geodesic(n);
  Surface sphere;
  sphere.points.resize(10 * n * n + 2);
  sphere.triangles.resize(20 * n * n);
  std::int64_t t = 0;
  for (std::int32_t face = 0; face < 20; ++face)
    for (std::int32_t i = 0; i <= n; ++i)
      for (std::int32_t j = 0; j <= n - i; ++j) {
        const std::int32_t here = geodesic.place(face, i, j);
        sphere.points[here] = geodesic.position(face, i, j); // of points of edges twice, the same up to round-off
        if (i + j == n) continue;
        const std::int32_t first = geodesic.place(face, i + 1, j), second = geodesic.place(face, i, j + 1);
        sphere.triangles[t++] = {first, second, here};
        if (i + j < n - 1) sphere.triangles[t++] = {first, geodesic.place(face, i + 1, j + 1), second};
      }
  return sphere;
}

int frequency_for_points(std::int64_t points) {
  int n = require_frequency(std::ceil(std::sqrt(std::max(0.0, static_cast<double>(points) - 2) / 10)) +
                            (points <= 2 ? 1 : 0));
  while (n > 1 && 10 * std::int64_t{n - 1} * (n - 1) + 2 >= points) --n; // what round-off added
  return n;
}

int frequency_for_edge(double edge, double area) {
  if (!(edge > 0) || !(area > 0) || !std::isfinite(edge) || !std::isfinite(area))
    throw Error("edges of " + std::to_string(edge) + " m on an area of " + std::to_string(area) +
                " m2 (both are above 0 and finite)");
  return require_frequency(std::ceil(std::sqrt(area / (5 * std::numbers::sqrt3)) / edge));
}

} // namespace corral::geometry
