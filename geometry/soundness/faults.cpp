#include "geometry/soundness/faults.hpp"

#include "geometry/soundness/weld.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
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

namespace {

bool in_range(const Vector& x) {
  return std::all_of(x.begin(), x.end(), [](double v) { return std::abs(v) <= largest_coordinate; });
}

void look_at_points(const Surface& surface, const SurfaceNames& names, Faults& faults) {
  for (std::int64_t p = 0; p < surface.points.size(); ++p)
    if (!in_range(surface.points[p]))
      faults.add(FaultKind::coordinate, names.place_of_point(p), [&] {
        return "vertex " + names.number(p) + " lies at " + names.position(p) +
               " (coordinates are finite, and at most 1e60 m)";
      });
}

// By sines, so that neither the size of a triangle nor where it lies matters.
bool has_area(const Vector& a, const Vector& b, const Vector& c) {
  const Vector u = b - a, v = c - b, w = a - c;
  const double longest =
      std::max({std::hypot(u[0], u[1], u[2]), std::hypot(v[0], v[1], v[2]), std::hypot(w[0], w[1], w[2])});
  if (!(longest > 0)) return false;
  const auto over_longest = [=](const Vector& x) { return Vector{x[0] / longest, x[1] / longest, x[2] / longest}; };
  return length(cross(over_longest(u), over_longest(v))) > 1e-12; // what round-off makes of collinear points
}

// Marks triangles that no edge can be found of.
void look_at_triangles(const Surface& surface, const SurfaceNames& names, Faults& faults, Array<std::uint8_t>& marks) {
  const std::int64_t points = surface.points.size();
  for (std::int64_t i = 0; i < surface.triangles.size(); ++i) {
    const Triangle& t = surface.triangles[i];
    const auto* const outside = std::find_if(t.begin(), t.end(), [=](std::int32_t p) { return p < 0 || p >= points; });
    if (outside != t.end()) {
      faults.add(FaultKind::index, names.place_of_triangle(i), [&] {
        return SurfaceNames::triangle(i) + " has vertex " + std::to_string(*outside) + " as a corner (there are " +
               std::to_string(points) + ", numbered from 0)";
      });
      marks[i] = 1;
    } else if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) {
      faults.add(FaultKind::repeated_corner, names.place_of_triangle(i), [&] {
        return SurfaceNames::triangle(i) + " has " + names.point(t[0] == t[1] ? t[0] : t[2]) +
               " twice (corners are three different vertices) leave it out";
      });
      marks[i] = 1;
    } else {
      const auto [a, b, c] = corners(surface.points.span(), t);
      if (in_range(a) && in_range(b) && in_range(c) && !has_area(a, b, c))
        faults.add(FaultKind::no_area, names.place_of_triangle(i), [&] {
          return SurfaceNames::triangle(i) + " has no area (its corners " + names.position(t[0]) + ", " +
                 names.position(t[1]) + ", " + names.position(t[2]) + " lie on a line)";
        });
    }
  }
}

void look_for_unused_and_repeated_points(const Surface& surface, const SurfaceNames& names, Faults& faults) {
  Array<std::uint8_t> used(surface.points.size(), 0);
  for (const Triangle& t : surface.triangles)
    for (const std::int32_t p : t)
      if (p >= 0 && p < used.size()) used[p] = 1;
  PointIndex index;
  const bool indices_are_right = faults.count(FaultKind::index) == 0;
  for (std::int32_t p = 0; p < static_cast<std::int32_t>(used.size()); ++p) {
    if (used[p] == 0 && indices_are_right)
      faults.add(FaultKind::unused_point, names.place_of_point(p),
                 [&] { return names.point(p) + " belongs to no triangle (leave it out)"; });
    if (used[p] == 0 || !in_range(surface.points[p])) continue;
    if (const std::int32_t first = index.first(surface.points.span(), p); first != p)
      faults.add(FaultKind::repeated_point, names.place_of_point(p), [&] {
        return "vertex " + names.number(p) + " lies where vertex " + names.number(first) +
               " does (triangles that meet at a point have one vertex there) join them";
      });
  }
}

} // namespace

Faults find_faults(const Surface& surface, Components components, const SurfaceOrigin* origin) {
  const SurfaceNames names(surface, origin);
  Faults faults;
  const std::int64_t count = surface.triangles.size();
  if (count == 0 || count > most_triangles || surface.points.size() > most_points) {
    faults.add(FaultKind::size, names.place_of_whole(), [&] {
      return "a surface of " + std::to_string(count) + " triangles and " + std::to_string(surface.points.size()) +
             " vertices (there are 4 to " + std::to_string(most_triangles) + " triangles, and at most " +
             std::to_string(most_points) + " vertices)";
    });
    return faults;
  }
  Array<std::uint8_t> marks(count, 0);
  look_at_points(surface, names, faults);
  look_at_triangles(surface, names, faults, marks);
  look_for_unused_and_repeated_points(surface, names, faults);
  if (faults.count(FaultKind::index) == 0) look_at_joints(surface, components, names, marks, faults);
  if (faults.none() || faults.only(FaultKind::inside_out)) look_for_crossings(surface, names, faults);
  return faults;
}

} // namespace corral::geometry
