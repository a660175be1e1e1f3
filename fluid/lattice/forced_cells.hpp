#pragma once

#include "fluid/lattice/block.hpp"
#include "fluid/row_part.hpp"

#include <corral/array.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace corral::fluid::lattice {

/// Those whose turn it is in a step.
enum class Turn : std::uint8_t { all, forced, others };

/// In which cells a force field may act in a step.
class ForcedCells {
public:
  /// In these parts of as many rows, which stay where they are; null: anywhere.
  void set(const RowParts* parts, std::int64_t rows) {
    anywhere_ = parts == nullptr;
    if (anywhere_) return;
    parts_ = *parts;
    first_.resize(rows + 1);
    std::int64_t part = 0;
    for (std::int64_t row = 0; row <= rows; ++row) {
      while (part < std::ssize(parts_) && parts_[static_cast<std::size_t>(part)].row < row) ++part;
      first_[row] = part;
    }
  }

  bool at(std::int64_t row, std::int64_t x) const {
    if (anywhere_) return true;
    const RowParts own = of(row);
    return std::any_of(own.begin(), own.end(), [=](const RowPart& part) { return part.begin <= x && x < part.end; });
  }
  bool any_in(std::int64_t row, std::int64_t end) const { return anywhere_ || first_[row] < first_[end]; } ///< rows [row, end)
  static bool has_turn(Turn turn, bool forced) { return turn == Turn::all || (turn == Turn::forced) == forced; }

  /// Calls f(x, n, forced) for the cells of [begin, end) of a row whose turn it is, in blocks where forces may act and such where
  /// none does.
  template <class F> void for_each_block(Turn turn, std::int64_t row, std::int64_t begin, std::int64_t end, const F& f) const {
    const auto blocks = [&](std::int64_t from, std::int64_t to, bool forced) {
      if (has_turn(turn, forced))
        for (std::int64_t x = from; x < to; x += block_cells) f(x, static_cast<int>(std::min<std::int64_t>(block_cells, to - x)), forced);
    };
    if (anywhere_) return blocks(begin, end, true);
    for (const RowPart& part : of(row)) {
      const std::int64_t first = std::clamp(part.begin, begin, end), last = std::clamp(part.end, begin, end);
      blocks(begin, first, false);
      blocks(first, last, true);
      begin = last;
    }
    blocks(begin, end, false);
  }

private:
  RowParts of(std::int64_t row) const {
    return parts_.subspan(static_cast<std::size_t>(first_[row]), static_cast<std::size_t>(first_[row + 1] - first_[row]));
  }

  RowParts parts_;
  bool anywhere_ = true;
  Array<std::int64_t> first_; ///< part of each row, and of all at the end
};

} // namespace corral::fluid::lattice
