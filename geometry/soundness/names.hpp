#pragma once

#include "geometry/soundness/faults.hpp"
#include "geometry/surface.hpp"

#include <cstdint>
#include <string>

namespace corral::geometry {

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
  static std::string triangle(std::int64_t t) { return "triangle " + std::to_string(t); }

  /// "FILE:LINE: " and the like; "" without a file.
  std::string place_of_point(std::int64_t point) const;
  std::string place_of_triangle(std::int64_t triangle) const;
  std::string place_of_whole() const; ///< the file's beginning

private:
  const Surface& surface_;
  const SurfaceOrigin* origin_;
};

} // namespace corral::geometry
