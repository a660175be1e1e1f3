#include "geometry/soundness/faults.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace corral::geometry {

namespace {

std::string digits(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::general, 6).ptr};
}

} // namespace

std::string SurfaceNames::position(std::int64_t point) const {
  const Vector x = (1 / (origin_ == nullptr ? 1 : origin_->unit)) * surface_.points[point];
  return "(" + digits(x[0]) + ", " + digits(x[1]) + ", " + digits(x[2]) + ")";
}

std::string SurfaceNames::short_name(std::int64_t point) const {
  return origin_ == nullptr || origin_->numbered ? number(point) : position(point);
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

namespace {

// What more of a kind are called.
constexpr std::array<std::string_view, fault_kinds> plural{"sizes",
                                                           "coordinates",
                                                           "repeated points",
                                                           "unused points",
                                                           "corners that are no points",
                                                           "triangles that repeat a corner",
                                                           "triangles without area",
                                                           "repeated triangles",
                                                           "open edges",
                                                           "crowded edges",
                                                           "neighbours turned round",
                                                           "touching points",
                                                           "separate surfaces",
                                                           "surfaces inside out",
                                                           "surfaces without volume",
                                                           "pairs at least that cross"};

} // namespace

bool Faults::none() const {
  return std::all_of(counts_.begin(), counts_.end(), [](std::int64_t n) { return n == 0; });
}

bool Faults::only(FaultKind kind) const {
  Faults others = *this;
  others.counts_[static_cast<std::size_t>(kind)] = 0;
  return count(kind) > 0 && others.none();
}

std::string Faults::text() const {
  std::string all;
  for (std::size_t kind = 0; kind < fault_kinds; ++kind) {
    for (const std::string& line : lines_[kind]) all += (all.empty() ? "" : "\n") + line;
    if (const std::int64_t more = counts_[kind] - most_of_a_kind; more > 0)
      all += "\nand " + std::to_string(more) + " more " + std::string(plural[kind]);
  }
  return all;
}

std::string SurfaceOrigin::place(std::int64_t at) const {
  return file + (binary ? ":byte " : ":") + std::to_string(at) + ": ";
}

} // namespace corral::geometry
