#pragma once

#include "geometry/vector.hpp"

#include <corral/array.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace corral::geometry {

/// Places of three points. Seen from outside, they stand counterclockwise.
using Triangle = std::array<std::int32_t, 3>;

inline std::array<Vector, 3> corners(std::span<const Vector> points, const Triangle& t) {
  return {points[t[0]], points[t[1]], points[t[2]]};
}

/// Any triangles, as a file may hold them. Nothing is promised: `find_faults` says what is wrong with them.
struct Surface {
  Array<Vector> points; ///< [m]
  Array<Triangle> triangles;
};

/// What a surface may hold. Corners are counted in 32 bits: 3 most_triangles is less than 2^31.
inline constexpr std::int64_t most_triangles = 50'000'000;
inline constexpr std::int64_t most_points = 3 * most_triangles;
/// Farther from the origin no point may be [m]: fifth powers, which second moments are, stay finite.
inline constexpr double largest_coordinate = 1e60;

/// How many separate surfaces there may be.
enum class Components : std::uint8_t { one, any };

/// Turns every triangle round: what was outside is inside.
inline void turn_round(Surface& surface) {
  for (Triangle& t : surface.triangles) std::swap(t[1], t[2]);
}

} // namespace corral::geometry
