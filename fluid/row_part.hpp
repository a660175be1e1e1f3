#pragma once

#include <cstdint>
#include <span>

namespace corral::fluid {

/// Cells [begin, end) of the row y + ny z along x.
struct RowPart {
  std::int64_t row, begin, end;
};
/// Of different rows, in ascending order.
using RowParts = std::span<const RowPart>;

} // namespace corral::fluid
