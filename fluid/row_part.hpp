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

} // namespace corral::fluid
