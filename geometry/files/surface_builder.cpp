#include "geometry/files/surface_builder.hpp"

#include <corral/error.hpp>

#include <algorithm>

namespace corral::geometry {

SurfaceBuilder::SurfaceBuilder(const FileBytes& file, double unit, bool binary) {
  file_.origin.file = file.name;
  file_.origin.unit = unit;
  file_.origin.binary = binary;
}

void SurfaceBuilder::refuse(std::int64_t place, const std::string& why) const {
  throw Error(file_.origin.place(place) + why);
}

void SurfaceBuilder::expect(std::int64_t points, std::int64_t triangles) {
  const auto make_room = [](auto& array, std::int64_t size) {
    array.resize(size);
    array.resize(0);
  };
  make_room(file_.surface.points, points);
  make_room(file_.origin.points, points);
  make_room(file_.surface.triangles, triangles);
  make_room(file_.origin.triangles, triangles);
}

void SurfaceBuilder::add_point(const Vector& x, std::int64_t place) {
  const std::int64_t count = points();
  if (count >= most_points) refuse(place, "more than " + std::to_string(most_points) + " vertices (that is the limit)");
  file_.surface.points.resize(count + 1, file_.origin.unit * x);
  file_.origin.points.resize(count + 1, static_cast<std::uint32_t>(place));
}

std::int32_t SurfaceBuilder::point(const Vector& x, std::int64_t place) {
  add_point(x, place);
  const auto last = static_cast<std::int32_t>(points() - 1);
  const std::int32_t first = index_.first(file_.surface.points.span(), last);
  if (first != last) {
    file_.surface.points.resize(last);
    file_.origin.points.resize(last);
  }
  file_.origin.numbered = false;
  return first;
}

void SurfaceBuilder::begin_polygon(std::int64_t place) {
  ++polygons_;
  place_ = place;
  corners_ = 0;
}

void SurfaceBuilder::corner(std::int64_t point) {
  if (point < 0 || point >= points())
    refuse(place_, "face " + std::to_string(polygons_ - 1) + " has vertex " + std::to_string(point) +
                       " as a corner (there are " + std::to_string(points()) + ", numbered from 0)");
  const auto p = static_cast<std::int32_t>(point);
  if (++corners_ == 1) first_ = p;
  if (corners_ >= 3) add_triangle({first_, previous_, p});
  previous_ = p;
}

void SurfaceBuilder::end_polygon() {
  if (corners_ < 3)
    refuse(place_, "face " + std::to_string(polygons_ - 1) + " has " + std::to_string(corners_) +
                       " corners (a polygon has three or more)");
}

void SurfaceBuilder::add_triangle(const Triangle& t) {
  const std::int64_t count = file_.surface.triangles.size();
  if (count >= most_triangles)
    refuse(place_, "more than " + std::to_string(most_triangles) + " triangles (that is the limit)");
  // Two triangles at each edge, three edges to a triangle: few points join few. Without this bound a polygon of points
  // with short numbers could ask for a triangle with each of its bytes.
  constexpr std::int64_t always_allowed = 100'000;
  highest_ = std::max({highest_, std::int64_t{t[0]}, std::int64_t{t[1]}, std::int64_t{t[2]}});
  if (count >= always_allowed && 3 * count >= highest_ * (highest_ + 1))
    refuse(place_, "more than " + std::to_string(count) + " triangles of the first " + std::to_string(highest_ + 1) +
                       " vertices (two meet at an edge, so that these can join no more)");
  file_.surface.triangles.resize(count + 1, t);
  file_.origin.triangles.resize(count + 1, static_cast<std::uint32_t>(place_));
}

} // namespace corral::geometry
