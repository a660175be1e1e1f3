#pragma once

#include "geometry/mesh.hpp"
#include "geometry/vector.hpp"

#include <corral/array.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

namespace corral::geometry {

using TriangleCorners = std::array<Vector, 3>; ///< [m]

/// Squared distances [m2]. Triangles and segments may have shrunk to a segment or a point.
double distance2_to_triangle(const Vector& x, const TriangleCorners& t);
double distance2_of_segments(const Vector& a0, const Vector& a1, const Vector& b0, const Vector& b1);

/// The point of a triangle that is nearest to x [m].
Vector nearest_on_triangle(const Vector& x, const TriangleCorners& t);

/// Whether a segment goes through a triangle, other than in its plane.
bool goes_through(const Vector& from, const Vector& to, const TriangleCorners& t);

/// Whether two triangles come nearer than `gap` [m] or cross; with a gap of 0, whether they cross.
bool come_nearer(const TriangleCorners& s, const TriangleCorners& t, double gap);

/// A ball that points lie in.
struct Ball {
  Vector centre{};   ///< [m]
  double radius = 0; ///< [m]
};

/// About the centre of the box around the points, of which there is at least one: at most sqrt(3) times as large as the
/// smallest one, and that one for what mirrors itself in three planes.
Ball bounding_ball(std::span<const Vector> points);

/// Where a shape stands: its points are turned about the origin, then shifted.
struct Placement {
  Rotation rotation;
  Vector position{}; ///< [m]

  Vector operator()(const Vector& x) const { return rotation(x) + position; }
};

/// A tree of balls over the triangles of a shape, in whose frame it is asked. Built once, it serves all places where
/// the shape stands.
class SurfaceTree {
public:
  explicit SurfaceTree(const Mesh& mesh);

  /// Distance to the surface [m], from inside or outside; `limit` where it is no less than that.
  double distance(const Vector& x, double limit = std::numeric_limits<double>::infinity()) const;
  /// How often the surface goes around a point outward: 1 inside, 0 outside. On the surface either.
  int windings(const Vector& x) const;
  bool inside(const Vector& x) const { return windings(x) > 0; }

  const Ball& bound() const { return nodes_[0].ball; }

  /// Whether two shapes that stand somewhere come nearer than `gap` [m] (0 or more) or overlap, one within the other
  /// included. Each is a single surface. Where space is periodic, the caller asks for each image.
  friend bool nearer_than(double gap, const SurfaceTree& a, const Placement& at_a, const SurfaceTree& b,
                          const Placement& at_b);

private:
  // Node i's first child is node i + 1. A leaf has one triangle.
  struct Node {
    Ball ball;
    std::int32_t second = 0;    // child; 0 in a leaf
    std::int32_t triangle = -1; // of a leaf, in corners_
  };

  void build(std::span<std::int32_t> triangles, std::span<const TriangleCorners> corners);
  std::optional<int> crossings(const Vector& x, const Vector& along) const;
  bool touches(double gap, const SurfaceTree& other, const Placement& at) const;

  Array<Node> nodes_;
  Array<TriangleCorners> corners_; // of the leaves, in their order
};

bool nearer_than(double gap, const SurfaceTree& a, const Placement& at_a, const SurfaceTree& b, const Placement& at_b);

/// The same as SurfaceTree::windings by the solid angles of all triangles, up to round-off a whole number where the
/// surface is closed: slower, and as sound as arithmetic is.
double solid_angle_windings(std::span<const TriangleCorners> triangles, const Vector& x);

} // namespace corral::geometry
