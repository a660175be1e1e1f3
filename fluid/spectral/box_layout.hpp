#pragma once

#include "fluid/domain.hpp"

#include <corral/array.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace corral::fluid::spectral {

/// How a real field and its half spectrum lie in memory. The field is seen as `planes` planes of `rows` rows of `nx`
/// values along x. Of its transform along x the modes 0 to nx/2 are kept, which determine the rest.
///
/// A plane of the spectrum is a row of places, each of them eight real parts and the eight imaginary parts: modes 8 b
/// to 8 b + 7 of a row, block by block and in a block row by row. So transforms along rows and planes find eight lines
/// side by side. Where one mode would be left for a block of its own, as for all even lengths that are multiples of 16,
/// a place holds eight rows of it instead, behind the blocks. Places beyond the last mode or row hold zeros.
struct SpectrumShape {
  static constexpr std::int64_t lanes = 8;
  static constexpr std::int64_t place_size = 2 * lanes; ///< in doubles

  std::int64_t nx = 1, rows = 1, planes = 1;

  std::int64_t modes() const { return nx / 2 + 1; }
  bool has_lone_mode() const { return modes() % lanes == 1; }
  std::int64_t blocks() const { return has_lone_mode() ? modes() / lanes : (modes() + lanes - 1) / lanes; }
  /// Places of a plane. Each is in one column along the planes' axis.
  std::int64_t columns() const { return blocks() * rows + (has_lone_mode() ? (rows + lanes - 1) / lanes : 0); }
  /// From plane to plane, in doubles: an odd number of places, so that those of a column fall on all sets of a cache.
  std::int64_t plane_stride() const { return place_size * (columns() | 1); }
  std::int64_t size() const { return plane_stride() * planes; }
  /// Where the real part of mode k of a row stands in a plane; the imaginary one is `lanes` further on.
  std::int64_t place_of(std::int64_t k, std::int64_t row) const {
    const bool lone = has_lone_mode() && k == modes() - 1;
    return lone ? place_size * (blocks() * rows + row / lanes) + row % lanes
                : place_size * (k / lanes * rows + row) + k % lanes;
  }
};

/// How a box is seen by transforms: rows run along x; planes are those that transforms do whole. Where the box wraps,
/// planes stand along z and columns are transformed, too; between walls planes stand along y and columns are solved.
/// Where ranks share the box each has some planes of it, a slab; planes are numbered as in its grid, whose first ones may be ghosts.
struct BoxLayout {
  /// Throws Error for a domain that Fourier solves don't serve.
  explicit BoxLayout(const Domain&);

  Grid grid; ///< the domain's
  const distributed::SharedGrid* shared; ///< null where one process has all
  CellBox own; ///< cells of the grid that are this rank's
  bool walled;
  bool low_wall, high_wall; ///< whether they are in the grid
  SpectrumShape shape;      ///< of the whole

  int row_axis() const { return walled ? 2 : 1; }
  int plane_axis() const { return walled ? 1 : 2; }
  double spacing(int d) const { return grid.axis(d).spacing; }
  /// Modes of the whole transform, which multiplies by them.
  double transform_factor() const;
  /// This rank's planes.
  std::int64_t begin_plane() const { return own.begin[static_cast<std::size_t>(plane_axis())]; }
  std::int64_t end_plane() const { return own.end[static_cast<std::size_t>(plane_axis())]; }
  /// The first plane on which component d is not given: faces on the low wall are.
  std::int64_t first_plane(int d) const { return begin_plane() + (low_wall && d == 1 ? 1 : 0); }
  /// Whether a layer of cells along y lies beside a wall.
  bool beside_low_wall(std::int64_t j) const { return low_wall && j == 0; }
  bool beside_high_wall(std::int64_t j) const { return high_wall && j == grid.axis(1).cells - 1; }
  /// The cell before i along an axis, and the one behind it. Between walls, and in a slab, there may be none in the grid.
  std::int64_t back(int d, std::int64_t i) const { return i == 0 && grid.axis(d).periodic() ? grid.axis(d).cells - 1 : i - 1; }
  std::int64_t on(int d, std::int64_t i) const { return i == grid.axis(d).cells - 1 && grid.axis(d).periodic() ? 0 : i + 1; }
  std::int64_t j(std::int64_t plane, std::int64_t row) const { return walled ? plane : row; }
  std::int64_t k(std::int64_t plane, std::int64_t row) const { return walled ? row : plane; }
  /// Where the row of component d at (j, k) begins, and that of cells, which lie as component 0 does.
  std::int64_t begin(int d, std::int64_t j, std::int64_t k) const {
    return grid.axis(0).cells * (j + grid.points(face(d), 1) * k);
  }
  /// Calls f(where the row begins) for rows of component d that stand on walls.
  template <class F> void each_row_on_walls(int d, F f) const {
    if (!walled || d != 1) return;
    for (std::int64_t k = 0; k < grid.axis(2).cells; ++k) {
      if (low_wall) f(begin(d, 0, k));
      if (high_wall) f(begin(d, grid.axis(1).cells, k));
    }
  }
};

/// An array of `size` zeros, on huge pages where the system has them. Columns reach a page per plane: through small
/// pages that takes twice as long.
Array<double> large_array(std::int64_t size);

} // namespace corral::fluid::spectral
