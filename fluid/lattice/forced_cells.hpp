#pragma once

#include "fluid/lattice/block.hpp"
#include "fluid/row_part.hpp"

#include <corral/array.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

namespace corral::fluid::lattice {

/// Those whose turn it is in a step.
enum class Turn : std::uint8_t { all, forced, others };

/// The part of a row of so many cells widened to whole vectors of them.
inline RowPart in_vectors(const RowPart& part, std::int64_t cells) {
  const std::int64_t end = (part.end + vector_cells - 1) / vector_cells * vector_cells;
  return {part.row, part.begin / vector_cells * vector_cells, std::min(end, cells)};
}

/// In which cells a force field may act in a step: whole vectors of them, of which some may have no force.
class ForcedCells {
public:
  /// In these parts of as many rows of so many cells, which stay where they are while somebody asks for them; null: anywhere.
  void set(const RowParts* parts, std::int64_t rows, std::int64_t cells) {
    anywhere_ = parts == nullptr;
    if (anywhere_) return;
    parts_.clear();
    first_asked_.clear();
    asked_ = *parts;
    for (std::size_t k = 0; k < asked_.size(); ++k) {
      const RowPart whole = in_vectors(asked_[k], cells);
      if (!parts_.empty() && parts_.back().row == whole.row && parts_.back().end >= whole.begin) parts_.back().end = whole.end;
      else parts_.push_back(whole), first_asked_.push_back(k);
    }
    first_asked_.push_back(asked_.size());
    first_.resize(rows + 1);
    std::int64_t part = 0;
    for (std::int64_t row = 0; row <= rows; ++row) {
      while (part < std::ssize(parts_) && parts_[static_cast<std::size_t>(part)].row < row) ++part;
      first_[row] = part;
    }
  }

  bool anywhere() const { return anywhere_; }
  bool at(std::int64_t row, std::int64_t x) const {
    if (anywhere_) return true;
    const RowParts own = of(row);
    return std::any_of(own.begin(), own.end(), [=](const RowPart& part) { return part.begin <= x && x < part.end; });
  }
  /// Calls f(x, n) for the cells of [begin, end) of a row in which forces may act, stretch by stretch.
  template <class F> void for_each_stretch(std::int64_t row, std::int64_t begin, std::int64_t end, const F& f) const {
    if (anywhere_) return f(begin, static_cast<int>(end - begin));
    for (const RowPart& part : of(row)) {
      const std::int64_t first = std::max(part.begin, begin), last = std::min(part.end, end);
      if (first < last) f(first, static_cast<int>(last - first));
    }
  }
  /// The same of the cells that were asked for: f(x, n, number of their part).
  template <class F> CORRAL_INLINED void for_each_asked(std::int64_t row, std::int64_t begin, std::int64_t end, const F& f) const {
    for (std::int64_t whole = first_[row]; whole < first_[row + 1]; ++whole) {
      if (parts_[static_cast<std::size_t>(whole)].end <= begin) continue;
      if (parts_[static_cast<std::size_t>(whole)].begin >= end) return;
      for (std::size_t k = first_asked_[static_cast<std::size_t>(whole)]; k < first_asked_[static_cast<std::size_t>(whole) + 1]; ++k) {
        const std::int64_t first = std::max(asked_[k].begin, begin), last = std::min(asked_[k].end, end);
        if (first < last) f(first, static_cast<int>(last - first), k);
      }
    }
  }
  bool any_in(std::int64_t row, std::int64_t end) const { return anywhere_ || first_[row] < first_[end]; } ///< rows [row, end)
  static bool has_turn(Turn turn, bool forced) { return turn == Turn::all || (turn == Turn::forced) == forced; }

  /// Calls f(x, n, forced) for the cells of [begin, end) of a row whose turn it is, in blocks where forces may act and such where
  /// none does. Where all have their turn, blocks are as long as they can be: forces may act in a part of one alone.
  template <class F> void for_each_block(Turn turn, std::int64_t row, std::int64_t begin, std::int64_t end, const F& f) const {
    const auto blocks = [&](std::int64_t from, std::int64_t to, bool forced) {
      if (has_turn(turn, forced))
        for (std::int64_t x = from; x < to; x += block_cells) f(x, static_cast<int>(std::min<std::int64_t>(block_cells, to - x)), forced);
    };
    if (anywhere_) return blocks(begin, end, true);
    if (turn == Turn::all) {
      const RowParts own = of(row);
      auto part = own.begin();
      for (std::int64_t x = begin; x < end; x += block_cells) {
        const std::int64_t n = std::min<std::int64_t>(block_cells, end - x);
        while (part != own.end() && part->end <= x) ++part;
        f(x, static_cast<int>(n), part != own.end() && part->begin < x + n);
      }
      return;
    }
    for (const RowPart& part : of(row)) {
      const std::int64_t first = std::clamp(part.begin, begin, end), last = std::clamp(part.end, begin, end);
      blocks(begin, first, false);
      blocks(first, last, true);
      begin = last;
    }
    blocks(begin, end, false);
  }

  /// Of a row; none where forces act anywhere.
  CORRAL_INLINED RowParts of(std::int64_t row) const {
    if (anywhere_) return {};
    return {parts_.data() + first_[row], parts_.data() + first_[row + 1]};
  }

private:
  RowParts asked_;             ///< by whoever sets them, where they lie
  std::vector<RowPart> parts_; ///< in whole vectors
  std::vector<std::size_t> first_asked_; ///< of each of these, and the number of all at the end
  bool anywhere_ = true;
  Array<std::int64_t> first_; ///< part of each row, and of all at the end
};

} // namespace corral::fluid::lattice
