#pragma once

#include "geometry/surface.hpp"

#include <corral/array.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace corral::geometry {

/// What may be wrong with a surface, in the order in which it is told: what others may follow from goes first.
enum class FaultKind : std::uint8_t {
  size,               ///< no triangles, or too many
  coordinate,         ///< not finite, or beyond largest_coordinate
  repeated_point,     ///< two points of the same coordinates
  unused_point,       ///< a point of no triangle
  index,              ///< a corner that is no point
  repeated_corner,    ///< a triangle with a point twice
  no_area,            ///< a triangle whose corners lie on a line
  repeated_triangle,  ///< two triangles of the same three points
  open_edge,          ///< an edge of one triangle
  crowded_edge,       ///< an edge of three or more triangles
  orientation,        ///< two neighbours of which one is turned round
  touching_point,     ///< a point where parts of the surface touch that share no edge there
  several_components, ///< separate surfaces where one is asked for
  inside_out,         ///< a negative volume
  no_volume,          ///< no volume but round-off
  crossing            ///< two triangles of which one goes through the other
};
inline constexpr std::size_t fault_kinds = 16;

/// All that is wrong with a surface.
class Faults {
public:
  static constexpr std::int64_t most_of_a_kind = 10; ///< that are told; all are counted

  bool none() const;
  bool only(FaultKind kind) const; ///< some of this kind, and none of any other
  std::int64_t count(FaultKind kind) const { return counts_[static_cast<std::size_t>(kind)]; }
  /// A line for each, those of a kind together, with a line for how many more there are.
  std::string text() const;

  /// `place` says where it is, and ends in ": " unless it is empty. `text` makes "problem (why) suggestion", and is not
  /// called where enough are told.
  template <class Text> void add(FaultKind kind, const std::string& place, Text&& text) {
    if (++counts_[static_cast<std::size_t>(kind)] <= most_of_a_kind)
      lines_[static_cast<std::size_t>(kind)].push_back(place + text());
  }

private:
  std::array<std::int64_t, fault_kinds> counts_{};
  std::array<std::vector<std::string>, fault_kinds> lines_;
};

/// Where a surface's points and triangles stand in a file, for those who say what is wrong with them.
struct SurfaceOrigin {
  std::string file;
  bool binary = false;         ///< places are bytes from the beginning; otherwise lines, from 1 on
  bool numbered = true;        ///< the file's points have numbers, in the order of those in the surface
  std::int64_t first = 0;      ///< the number of the file's first point
  double unit = 1;             ///< what one of the file is [m]
  Array<std::uint32_t> points; ///< place of each: no file is read that has more bytes than this counts
  Array<std::uint32_t> triangles;

  std::string place(std::int64_t at) const; ///< "FILE:LINE: " or "FILE:byte PLACE: "
};

/// How messages call what a surface is made of, and say where it stands.
class SurfaceNames {
public:
  /// `origin` may be null: a surface of no file. Both outlive this.
  SurfaceNames(const Surface& surface, const SurfaceOrigin* origin) : surface_(surface), origin_(origin) {}

  std::string position(std::int64_t point) const; ///< "(0, 0.5, 1)", in the file's unit
  /// "vertex 5"; "vertex (0, 0.5, 1)" where the file does not number them.
  std::string point(std::int64_t point) const { return "vertex " + short_name(point); }
  /// "vertices 5 and 7".
  std::string points(std::int64_t a, std::int64_t b) const {
    return "vertices " + short_name(a) + " and " + short_name(b);
  }
  std::string short_name(std::int64_t point) const; ///< "5" or "(0, 0.5, 1)"
  std::string number(std::int64_t point) const { return std::to_string(point + first()); }
  std::int64_t first() const { return origin_ == nullptr ? 0 : origin_->first; } ///< what the file calls the first point
  static std::string triangle(std::int64_t t) { return "triangle " + std::to_string(t); }

  /// "FILE:LINE: " and the like; "" without a file.
  std::string place_of_point(std::int64_t point) const;
  std::string place_of_triangle(std::int64_t triangle) const;
  std::string place_of_whole() const; ///< the file's beginning

private:
  const Surface& surface_;
  const SurfaceOrigin* origin_;
};

/// Everything that keeps a surface from being a closed one, oriented outward, whose points have one ring each; `origin`
/// says where it was read, and may be null. Faults that only follow from others are not told: edges are looked at where
/// all corners are points, without triangles that repeat a corner or another triangle; touching points, components and
/// the volume where all edges are sound;
/// triangles that cross in what is closed and has a volume.
Faults find_faults(const Surface& surface, Components components, const SurfaceOrigin* origin = nullptr);

/// Adds to `faults` pairs of triangles that cross: an edge of one goes through the inside of the other, or of several at
/// their common border, by more than what single precision leaves of the coordinates. Triangles that touch, in common
/// points or others, do not cross. The surface is closed, corners are points, coordinates in range. Looks on until
/// `enough` are found, and no longer than so many pairs of triangles take that lie close together: what is entangled
/// beyond that is not told apart.
void look_for_crossings(const Surface& surface, const SurfaceNames& names, Faults& faults, std::int64_t enough = 1000);

/// Adds to `faults` what is wrong with how triangles meet, of those without a mark (one per triangle); all of their
/// corners are points. Marks those that repeat another one.
void look_at_joints(const Surface& surface, Components components, const SurfaceNames& names,
                    Array<std::uint8_t>& marks, Faults& faults);

} // namespace corral::geometry
