#pragma once

#include <cstdint>
#include <span>

namespace corral::fluid {

/// Cells [begin, end) of the row y + ny z along x.
struct RowPart {
  std::int64_t row, begin, end;
  bool operator==(const RowPart&) const = default;
};
/// In ascending order of rows, and of cells in a row; no two of them share a cell.
using RowParts = std::span<const RowPart>;

/// A vector field in the middles of cells, kept in parts of rows alone: cell by cell, the components of each side by side.
template <class T> struct BandView {
  static constexpr int lanes = 4; ///< values of a cell: its components, and one that nobody needs

  RowParts parts;
  const std::int32_t* first; ///< of each part, how many cells there are before it
  T* values;                 ///< [cell][lanes]

  T* of(std::size_t part) const { return values + lanes * std::int64_t{first[part]}; } ///< its first cell's
};
using BandField = BandView<double>;
using ConstBandField = BandView<const double>;

inline ConstBandField as_const(const BandField& band) { return {band.parts, band.first, band.values}; }

} // namespace corral::fluid
