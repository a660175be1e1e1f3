#pragma once

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

} // namespace corral::fluid::spectral
