#include "geometry/soundness/names.hpp"

#include <charconv>

namespace corral::geometry {

namespace {

std::string number(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::general, 6).ptr};
}

} // namespace

std::string SurfaceNames::position(std::int64_t point) const {
  const Vector x = (1 / (origin_ == nullptr ? 1 : origin_->unit)) * surface_.points[point];
  return "(" + number(x[0]) + ", " + number(x[1]) + ", " + number(x[2]) + ")";
}

std::string SurfaceNames::short_name(std::int64_t point) const {
  return origin_ == nullptr || origin_->numbered ? std::to_string(point) : position(point);
}

std::string SurfaceNames::place_of_point(std::int64_t point) const {
  return origin_ == nullptr ? "" : origin_->place(origin_->points[point]);
}

std::string SurfaceNames::place_of_triangle(std::int64_t triangle) const {
  return origin_ == nullptr ? "" : origin_->place(origin_->triangles[triangle]);
}

std::string SurfaceNames::place_of_whole() const {
  return origin_ == nullptr ? "" : origin_->place(origin_->binary ? 0 : 1);
}

} // namespace corral::geometry
