#pragma once

#include "geometry/files/formats.hpp"
#include "geometry/soundness/point_index.hpp"

#include <cstdint>
#include <string>

namespace corral::geometry {

/// Collects what a reader finds, with the place of each: a line or a byte. Throws Error where it becomes too much.
class SurfaceBuilder {
public:
  /// `unit` [m] is what one of the file is; coordinates are multiplied by it.
  SurfaceBuilder(const FileBytes& file, double unit, bool binary);

  /// Room for what a file announces; the caller has compared the numbers with the file's size.
  void expect(std::int64_t points, std::int64_t triangles);
  void add_point(const Vector& x, std::int64_t place);
  /// For files whose triangles repeat their points: the number of a point, which is added where it is new.
  std::int32_t point(const Vector& x, std::int64_t place);

  /// A polygon, corner by corner, is cut into a fan of triangles from its first corner.
  void begin_polygon(std::int64_t place);
  void corner(std::int64_t point); ///< throws Error where it is no point
  void end_polygon();              ///< throws Error where it had less than three corners

  std::int64_t points() const { return file_.surface.points.size(); }
  std::int64_t polygons() const { return polygons_; } ///< begun so far
  SurfaceFile take() { return std::move(file_); }

private:
  [[noreturn]] void refuse(std::int64_t place, const std::string& why) const;
  void add_triangle(const Triangle& t);

  SurfaceFile file_;
  PointIndex index_;
  std::int64_t polygons_ = 0, place_ = 0, corners_ = 0, highest_ = 0;
  std::int32_t first_ = 0, previous_ = 0;
};

} // namespace corral::geometry
