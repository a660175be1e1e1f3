#include "geometry/files/read_mesh.hpp"

#include "geometry/files/readers.hpp"
#include "geometry/soundness/faults.hpp"
#include "geometry/soundness/weld.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

namespace corral::geometry {

namespace {

constexpr double weld_tolerance = 1e-6; // of the box: far below what is meant, above what float leaves of it

/// Joins open edges of an STL file where that makes the surface sound, and says what is then wrong with it: nothing, or
/// that it is inside out.
void join_open_edges(SurfaceFile& file, const ReadOptions& options, Faults& faults, MeshOfFile& result) {
  const double tolerance = weld_tolerance * box_size(file.surface);
  if (file.origin.numbered || faults.count(FaultKind::open_edge) == 0 || faults.count(FaultKind::coordinate) > 0 ||
      !(tolerance > 0))
    return;
  Welded welded = weld_open_edges(file.surface, tolerance);
  // The places of its parts are others now, but what is still told names none of them.
  const Faults left = find_faults(welded.surface, options.components, &file.origin);
  if (!left.none() && !left.only(FaultKind::inside_out)) return;
  faults = left;
  result.joined_points = welded.joined_points;
  result.dropped_triangles = file.surface.triangles.size() - welded.surface.triangles.size();
  file.surface = std::move(welded.surface);
}

Thinnest thinnest_of(const Surface& surface) {
  Thinnest found{.height = 1};
  for (std::int64_t t = 0; t < surface.triangles.size(); ++t) {
    const auto [a, b, c] = corners(surface.points.span(), surface.triangles[t]);
    const Vector u = b - a, v = c - b, w = a - c;
    const double longest = std::max({length(u), length(v), length(w)});
    const double height = length(cross((1 / longest) * u, (1 / longest) * v)); // twice the area over the longest edge's square
    if (height < found.height) found = {t, height};
  }
  return found;
}

} // namespace

SurfaceFile surface_of(const FileBytes& file, double unit) {
  if (!(unit > 0) || !std::isfinite(unit))
    throw Error(file.name + ":1: a unit of " + std::to_string(unit) + " m (it is above 0 and finite)");
  TextReader text(file);
  if (!text.next_line()) text.refuse("the file is empty (a surface in OFF, OBJ, STL or PLY is expected)");
  if (is_binary_stl(file)) return read_stl(file, unit);
  const std::string_view word = text.word();
  if (word == "ply") return read_ply(file, unit);
  if (is_obj(file)) return read_obj(file, unit);
  if (word.ends_with("OFF") || word.starts_with('#')) return read_off(file, unit);
  return read_stl(file, unit);
}

MeshOfFile mesh_of(const FileBytes& file, const ReadOptions& options) {
  SurfaceFile read = surface_of(file, options.unit);
  Faults faults = find_faults(read.surface, options.components, &read.origin);
  MeshOfFile result;
  join_open_edges(read, options, faults, result);
  result.turned_round = faults.only(FaultKind::inside_out) && options.inside_out == InsideOut::turn_round;
  if (result.turned_round) turn_round(read.surface);
  else if (!faults.none()) throw Error(faults.text());
  result.thinnest = thinnest_of(read.surface);
  const SurfaceNames names(read.surface, &read.origin);
  result.thinnest.place = result.joined_points > 0 ? names.place_of_whole() : names.place_of_triangle(result.thinnest.triangle);
  result.mesh = Mesh::of_sound(std::move(read.surface));
  return result;
}

MeshOfFile read_mesh(const std::filesystem::path& file, const ReadOptions& options) {
  const Array<char> bytes = read_bytes(file);
  return mesh_of({file.string(), {bytes.data(), static_cast<std::size_t>(bytes.size())}}, options);
}

} // namespace corral::geometry
