#include "structure/markers/marked_cells.hpp"

#include <algorithm>
#include <cstddef>

namespace corral::structure {

namespace {

constexpr std::int64_t near = 8;

} // namespace

MarkedCells::MarkedCells(std::int64_t cells_of_row, std::int64_t rows)
    : words_of_row_((cells_of_row + bits - 1) / bits), words_(static_cast<std::size_t>(words_of_row_ * rows)) {}

void MarkedCells::clear() {
  for (const fluid::RowPart& part : parts_) {
    Word* const row = words_.data() + part.row * words_of_row_;
    std::fill(row + part.begin / bits, row + (part.end + bits - 1) / bits, Word{});
  }
  parts_.clear();
}

void MarkedCells::mark(std::int64_t row, std::int64_t begin, std::int64_t end) {
  while (begin < end) {
    const std::int64_t bit = begin % bits, here = std::min(end - begin, bits - bit);
    words_[static_cast<std::size_t>(row * words_of_row_ + begin / bits)].marked |= ones(static_cast<int>(bit), static_cast<int>(here));
    begin += here;
  }
}

/// Runs of ones, with what lies between near ones.
void MarkedCells::find_parts() {
  parts_.clear();
  for (std::int64_t w = 0; w < std::ssize(words_); ++w) {
    std::uint64_t left = words_[static_cast<std::size_t>(w)].marked;
    while (left != 0) {
      const std::int64_t row = w / words_of_row_;
      const int first = std::countr_zero(left), count = std::countr_one(left >> first);
      const std::int64_t begin = w % words_of_row_ * bits + first, end = begin + count;
      if (!parts_.empty() && parts_.back().row == row && begin - parts_.back().end < near) {
        mark(row, parts_.back().end, begin);
        parts_.back().end = end;
      } else parts_.push_back({row, begin, end});
      left = first + count == bits ? 0 : left >> (first + count) << (first + count);
    }
  }
}

void MarkedCells::collect() {
  find_parts();
  first_.resize(parts_.size());
  cells_ = 0;
  std::int64_t last = -1;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const fluid::RowPart& part = parts_[k];
    first_[k] = static_cast<std::int32_t>(cells_);
    for (std::int64_t w = part.begin / bits; w <= (part.end - 1) / bits; ++w) {
      const std::int64_t word = part.row * words_of_row_ + w;
      if (word == last) continue; // which an earlier part begins
      last = word;
      words_[static_cast<std::size_t>(word)].before = static_cast<std::int32_t>(cells_ + std::max<std::int64_t>(0, w * bits - part.begin));
    }
    cells_ += part.end - part.begin;
  }
}

} // namespace corral::structure
