#pragma once

#include "fluid/planes.hpp"

#include <corral/array.hpp>
#include <corral/grid.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

/// Fields of a grid whose planes across z ranks share, with memory for all of them on each rank. Where planes are not shared, all are this
/// process's own, and calls that send something do nothing.
namespace corral::fluid {

inline std::int64_t points_of_plane(const Grid& grid, Staggering points) { return grid.points(points, 0) * grid.points(points, 1); }
/// Planes of points that are more than those of cells.
inline std::int64_t planes_beyond(const Grid& grid, Staggering points) { return grid.points(points, 2) - grid.axis(2).cells; }

/// Values in its own planes: `count` of them from `first` on.
struct OwnRange {
  std::int64_t first, count;
};
/// Points on a cut are those of the rank above it.
inline OwnRange own_points(const Grid& grid, const Planes& planes, Staggering points) {
  if (!planes.shared()) return {0, grid.points(points)};
  const std::int64_t plane = points_of_plane(grid, points), beyond = planes.end() == planes.count() ? planes_beyond(grid, points) : 0;
  return {plane * planes.begin(), plane * (planes.end() - planes.begin() + beyond)};
}
/// Rows along x of these points.
inline OwnRange rows_of(const Grid& grid, Staggering points, const OwnRange& range) {
  const std::int64_t nx = grid.points(points, 0);
  return {range.first / nx, range.count / nx};
}
inline OwnRange own_cells(const Grid& grid, const Planes& planes) { return own_points(grid, planes, Staggering::centre); }
inline OwnRange own_faces(const Grid& grid, const Planes& planes, int d) { return own_points(grid, planes, face(d)); }

/// Planes of points that it asks for; all where planes are not shared.
inline std::vector<distributed::Piece> planes_asked(const Grid& grid, const Planes& planes, const distributed::PiecesOfRanks& asked, Staggering points) {
  const distributed::Piece all{0, grid.points(points, 2)};
  if (!planes.shared()) return {all};
  std::vector<distributed::Piece> there;
  for (const distributed::Piece& piece : planes.mine(asked)) there.push_back(distributed::common(piece, all));
  return there;
}
/// Values in these.
inline std::vector<OwnRange> points_asked(const Grid& grid, const Planes& planes, const distributed::PiecesOfRanks& asked, Staggering points) {
  std::vector<OwnRange> ranges;
  const std::int64_t plane = points_of_plane(grid, points);
  for (const distributed::Piece& piece : planes_asked(grid, planes, asked, points)) ranges.push_back({plane * piece.begin, plane * piece.size()});
  return ranges;
}

/// Its own planes and `width` beside them.
inline std::vector<distributed::Piece> planes_around(const Grid& grid, const Planes& planes, Staggering points, std::int64_t width) {
  return planes_asked(grid, planes, planes.shared() ? planes.around(width) : distributed::PiecesOfRanks{}, points);
}
/// Values in these.
inline std::vector<OwnRange> points_around(const Grid& grid, const Planes& planes, Staggering points, std::int64_t width) {
  return points_asked(grid, planes, planes.shared() ? planes.around(width) : distributed::PiecesOfRanks{}, points);
}

inline distributed::FieldOfPlanes plane_by_plane(const Grid& grid, Staggering points, std::span<double> values) {
  return {values, points_of_plane(grid, points)};
}

/// Those beside its own get their owners' values.
inline void fill_beside(const Grid& grid, const Planes& planes, Staggering points, double* values, std::int64_t width = 1) {
  planes.fill(values, points_of_plane(grid, points), width);
}

/// All ranks get the values of all planes, which each has found of its own.
inline void complete(const Grid& grid, const Planes& planes, Staggering points, Array<double>& values) {
  planes.complete(values.data(), points_of_plane(grid, points), planes_beyond(grid, points));
}
inline void complete_cells(const Grid& grid, const Planes& planes, Array<double>& values) { complete(grid, planes, Staggering::centre, values); }
inline void complete_faces(const Grid& grid, const Planes& planes, std::array<Array<double>, 3>& values) {
  for (int d = 0; d < 3; ++d) complete(grid, planes, face(d), values[static_cast<std::size_t>(d)]);
}

/// Each rank gets those of the planes that it asks for.
inline void deliver(const Grid& grid, const Planes& planes, const distributed::PiecesOfRanks& asked, Staggering points, Array<double>& values) {
  planes.deliver(asked, values.data(), points_of_plane(grid, points), planes_beyond(grid, points));
}
inline void deliver_cells(const Grid& grid, const Planes& planes, const distributed::PiecesOfRanks& asked, Array<double>& values) {
  deliver(grid, planes, asked, Staggering::centre, values);
}
inline void deliver_faces(const Grid& grid, const Planes& planes, const distributed::PiecesOfRanks& asked, std::array<Array<double>, 3>& values) {
  for (int d = 0; d < 3; ++d) deliver(grid, planes, asked, face(d), values[static_cast<std::size_t>(d)]);
}

} // namespace corral::fluid
