#pragma once

#include "geometry/surface.hpp"
#include "geometry/vector.hpp"

#include <corral/array.hpp>

#include <cstdint>
#include <span>

namespace corral::geometry {

/// Finds points of equal coordinates among those that it was shown: a hash table of their places, with open addressing.
/// 0 and -0 are equal.
class PointIndex {
public:
  PointIndex() : places_(64, none) {}

  /// The first of points[0..place] that was shown and equals points[place], which is finite; from then on `place`
  /// itself counts as shown. `points` are the same in every call, up to those that were added.
  std::int32_t first(std::span<const Vector> points, std::int32_t place);

private:
  static constexpr std::int32_t none = -1;
  std::int64_t slot_of(std::span<const Vector> points, const Vector& x) const;

  Array<std::int32_t> places_; // a power of two, at most half of them in use
  std::int64_t used_ = 0;
};

/// A surface some of whose points were joined.
struct Welded {
  Surface surface;
  Array<std::int32_t> points, triangles; ///< places in the surface that it was made from
  std::int64_t joined_points = 0;        ///< that it has less
};

/// Joins points of open edges that lie within `tolerance` [m] of each other, in their order: each one to the nearest of
/// those before it that were not joined themselves. Triangles that lose a corner thereby are left out. The corners of
/// all triangles are points, coordinates are finite.
Welded weld_open_edges(const Surface& surface, double tolerance);

/// The longest side of the box around the points [m]; 0 where there are none.
double box_size(const Surface& surface);

} // namespace corral::geometry
