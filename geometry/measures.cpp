#include "geometry/measures.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace corral::geometry {

// A far origin would cost digits.
Solid solid(Cpu cpu, std::span<const Vector> points, std::span<const Triangle> triangles) {
  if (triangles.empty()) return {};
  const Vector origin = points[triangles[0][0]];
  const auto add = [&](std::int64_t i, SolidSums& sums) {
    const auto [a, b, c] = corners(points, triangles[i]);
    sums.add(a - origin, b - origin, c - origin);
  };
  const auto combine = [](SolidSums& a, const SolidSums& b) { a.add(b); };
  return solid_of(accumulate(cpu, static_cast<std::int64_t>(triangles.size()), SolidSums{}, add, combine), origin);
}

double volume(Cpu cpu, std::span<const Vector> points, std::span<const Triangle> triangles) {
  if (triangles.empty()) return 0;
  const Vector origin = points[triangles[0][0]];
  return sum(cpu, static_cast<std::int64_t>(triangles.size()), [&](std::int64_t i) {
    const auto [a, b, c] = corners(points, triangles[i]);
    return dot(a - origin, cross(b - origin, c - origin)) / 6;
  });
}

double area(Cpu cpu, std::span<const Vector> points, std::span<const Triangle> triangles) {
  return sum(cpu, static_cast<std::int64_t>(triangles.size()), [&](std::int64_t i) {
    const auto [a, b, c] = corners(points, triangles[i]);
    return length(cross(b - a, c - a)) / 2;
  });
}

EdgeLengths edge_lengths(Cpu cpu, std::span<const Vector> points, std::span<const Triangle> triangles) {
  const auto count = static_cast<std::int64_t>(triangles.size());
  const auto combine = [](EdgeLengths& a, const EdgeLengths& b) {
    a.shortest = std::min(a.shortest, b.shortest);
    a.longest = std::max(a.longest, b.longest);
    a.mean += b.mean;
  };
  const auto add = [&](std::int64_t i, EdgeLengths& sums) {
    const auto [a, b, c] = corners(points, triangles[i]);
    for (const double l : {length(b - a), length(c - b), length(a - c)}) combine(sums, {l, l, l});
  };
  EdgeLengths all = accumulate(cpu, count, EdgeLengths{std::numeric_limits<double>::infinity(), 0, 0}, add, combine);
  all.mean /= 3 * static_cast<double>(count);
  return all;
}

} // namespace corral::geometry
