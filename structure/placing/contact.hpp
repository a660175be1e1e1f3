#pragma once

#include "geometry/distances/distance_table.hpp"
#include "geometry/distances/surface_tree.hpp"
#include "structure/surfaces/shapes.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace corral::structure {

/// A shape that others touch, made once for all that have it: points all over its surface, and the distances that
/// others' points are looked up in.
class TouchedShape {
public:
  /// Distances are known up to `beyond` [m] outside. The shape must outlive this.
  TouchedShape(const SurfaceShape& shape, double beyond);

  /// Points that lie near each other.
  struct Patch {
    geometry::Ball ball;
    std::int32_t begin, end; ///< of `points()`
  };
  std::span<const Patch> patches() const { return patches_; }
  const std::vector<geometry::Vector>& points() const { return points_; } ///< [m]
  std::span<const geometry::Vector> corners() const { return shape_.start; } ///< [m]
  const geometry::DistanceTable& distances() const { return distances_; }
  const geometry::SurfaceTree& tree() const { return tree_; }
  double radius() const { return radius_; } ///< about the origin [m]

private:
  void part(std::int32_t begin, std::int32_t end);

  const SurfaceShape& shape_;
  geometry::SurfaceTree tree_;
  geometry::DistanceTable distances_;
  std::vector<geometry::Vector> points_;
  std::vector<Patch> patches_;
  double radius_;
};

/// One of that shape.
struct Body {
  const TouchedShape* shape;
  geometry::Placement at;
  double size = 1; ///< of the shape's own

  double radius() const { return size * shape->radius(); } ///< about its position [m]
};

/// Where a body comes too near to something.
struct Contact {
  double depth = 0;          ///< by how much, at most [m]; 0 where it doesn't
  geometry::Vector away{};   ///< direction in which the body is to go, from the mean of all points that are too near
  geometry::Vector lever{};  ///< where that acts, from the body's position [m]
};

/// Of `a` with `b`, which is seen at `b_from_a` [m] from it.
Contact contact(const Body& a, const Body& b, const geometry::Vector& b_from_a, double gap);
/// Of a body with the plane at `end` [m] of an axis, which lies above it or below.
Contact contact(const Body& body, std::size_t axis, double end, bool above, double gap);

} // namespace corral::structure
