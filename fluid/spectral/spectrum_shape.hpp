#pragma once

#include <cstdint>

namespace corral::fluid::spectral {

/// How a real field and its half spectrum lie in memory. The field is seen as `planes` planes of `rows` rows of `nx`
/// values along x. Of its transform along x the modes 0 to nx/2 are kept, which determine the rest, in blocks of eight:
/// the number of mode 8 b + l of a row is the l-th of eight real parts and of the eight imaginary ones behind them. In a
/// plane the rows of block 0 follow each other, then those of block 1. So transforms along rows and planes find eight
/// lines side by side. Places beyond the last mode hold zeros.
struct SpectrumShape {
  static constexpr std::int64_t lanes = 8;
  static constexpr std::int64_t complex_size = 2 * lanes; ///< doubles of one place: a complex number of eight lines

  std::int64_t nx = 1, rows = 1, planes = 1;

  std::int64_t modes() const { return nx / 2 + 1; }
  std::int64_t blocks() const { return (modes() + lanes - 1) / lanes; }
  /// Columns along the planes' axis, eight lines each: block by block, row by row.
  std::int64_t columns() const { return blocks() * rows; }
  /// From plane to plane, in doubles: an odd number of places, so that the places of a column fall on all sets of a cache.
  std::int64_t plane_stride() const { return complex_size * (columns() | 1); }
  std::int64_t size() const { return plane_stride() * planes; }
};

} // namespace corral::fluid::spectral
