#pragma once

#include "fluid/row_part.hpp"

#include <bit>
#include <cstdint>
#include <vector>

namespace corral::structure {

/// Cells of rows, marked by a bit each, and the parts of rows that these make. What stands between two parts of a row that are nearer
/// than eight cells, as many doubles as come from memory at once, belongs to them; what lies inside large bodies does not.
class MarkedCells {
public:
  static constexpr std::int64_t bits = 64;

  /// Of 64 cells of a row.
  struct Word {
    std::uint64_t marked = 0; ///< bit b of word w for cell 64 w + b
    std::int32_t before = 0;  ///< cells of parts before those of the word, once these are collected
  };
  /// Where cells of parts stand if all of these stand side by side; good until the next `clear`.
  struct Places {
    std::int64_t words; ///< of a row
    const Word* word;

    std::int32_t operator()(std::int64_t row, std::int64_t x) const {
      const Word& w = word[row * words + x / bits];
      return w.before + std::popcount(w.marked & ((std::uint64_t{1} << (x % bits)) - 1));
    }
  };

  MarkedCells(std::int64_t cells_of_row, std::int64_t rows);

  /// Begins anew: takes away the parts that were collected.
  void clear();
  /// Cells [begin, end) of a row.
  void mark(std::int64_t row, std::int64_t begin, std::int64_t end);
  /// Bits [begin, begin + n) of a word, n at least 1: for those who mark words of a row themselves.
  static constexpr std::uint64_t ones(int begin, int n) { return (~std::uint64_t{0} >> (bits - n)) << begin; }
  Word* words() { return words_.data(); }
  std::int64_t words_of_row() const { return words_of_row_; }

  void collect();
  // Good until the next `clear`.
  fluid::RowParts parts() const { return parts_; }
  const std::int32_t* first() const { return first_.data(); } ///< of each part, how many cells there are before it
  std::int64_t cells() const { return cells_; }               ///< of all parts
  Places places() const { return {words_of_row_, words_.data()}; }

private:
  void find_parts();

  std::int64_t words_of_row_, cells_ = 0;
  std::vector<Word> words_; ///< [row][word]
  std::vector<fluid::RowPart> parts_;
  std::vector<std::int32_t> first_;
};

} // namespace corral::structure
