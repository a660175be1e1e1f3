#pragma once

#include "geometry/files/readers.hpp"
#include "geometry/mesh.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

namespace corral::geometry {

/// What becomes of a surface that is inside out.
enum class InsideOut : std::uint8_t { refuse, turn_round };

struct ReadOptions {
  double unit = 1; ///< what one of the file is [m], above 0
  Components components = Components::one;
  InsideOut inside_out = InsideOut::turn_round;
};

/// The triangle of a surface that is least high for its length.
struct Thinnest {
  std::int64_t triangle = 0;
  double height = 0;   ///< the least one, over the longest edge [-]; .87 of an equilateral triangle
  std::string place{}; ///< "FILE:LINE: " or "FILE:byte PLACE: "; the file's beginning where points were joined
};

/// A sound surface of a file, and what was done to make it one.
struct MeshOfFile {
  Mesh mesh;
  bool turned_round = false;          ///< it was inside out
  std::int64_t joined_points = 0;     ///< of open edges of an STL file, within 1e-6 of the box around the surface
  std::int64_t dropped_triangles = 0; ///< that lost a corner thereby
  Thinnest thinnest{};
};

/// Reads OFF, OBJ, STL or PLY, which are told apart by what the file holds. Throws Error, with everything that is wrong, a
/// line each, which begins with "FILE:LINE: " or "FILE:byte PLACE: ".
MeshOfFile read_mesh(const std::filesystem::path& file, const ReadOptions& options = {});

/// The same of bytes in memory; `name` is what messages call the file.
MeshOfFile mesh_of(const FileBytes& file, const ReadOptions& options = {});

/// What a file holds, sound or not: `find_faults` of the two says.
SurfaceFile surface_of(const FileBytes& file, double unit = 1);

/// OFF, with as many digits as bring back the same numbers. Throws Error where the file cannot be written.
void write_off(const std::filesystem::path& file, const Surface& surface);

} // namespace corral::geometry
