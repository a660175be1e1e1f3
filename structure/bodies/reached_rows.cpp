#include "structure/bodies/reached_rows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace corral::structure {

namespace {

constexpr std::int64_t bits = 64, near = 8;

std::int64_t wrapped(std::int64_t i, std::int64_t cells) { return (i % cells + cells) % cells; }

/// Cells [begin, end) of a row that has them all.
void mark(std::uint64_t* row, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) row[i / bits] |= std::uint64_t{1} << (i % bits);
}

} // namespace

ReachedRows::ReachedRows(const Grid& grid)
    : grid_(grid), words_((grid.axis(0).cells + bits - 1) / bits),
      reached_(static_cast<std::size_t>(words_ * grid.axis(1).cells * grid.axis(2).cells)) {}

/// What lies beyond a side that is not periodic is inside, mirrored.
void ReachedRows::reach(const std::array<std::int64_t, 3>& low, const std::array<std::int64_t, 3>& end) {
  const std::int64_t nx = grid_.axis(0).cells, ny = grid_.axis(1).cells;
  for (std::int64_t k = low[2]; k < end[2]; ++k)
    for (std::int64_t j = low[1]; j < end[1]; ++j) {
      std::array<std::int64_t, 2> row{j, k};
      bool there = true;
      for (std::size_t e = 0; e < 2; ++e) {
        const Axis axis = grid_.axis(static_cast<int>(e) + 1);
        if (axis.periodic()) row[e] = wrapped(row[e], axis.cells);
        there = there && row[e] >= 0 && row[e] < axis.cells;
      }
      if (!there) continue;
      std::uint64_t* const of = reached_.data() + words_ * (row[0] + ny * row[1]);
      mark(of, std::max<std::int64_t>(low[0], 0), std::min(end[0], nx));
      if (grid_.axis(0).periodic()) mark(of, 0, std::min(end[0] - nx, nx));
    }
}

fluid::RowParts ReachedRows::find(const ConstPoints& x, std::int64_t n, int support) {
  std::fill(reached_.begin(), reached_.end(), 0);
  for (std::int64_t p = 0; p < n; ++p) {
    std::array<std::int64_t, 3> low{0, 0, 0}, end{1, 1, 1};
    for (int d = 0; d < 3; ++d) {
      const Axis axis = grid_.axis(d);
      if (axis.thin()) continue;
      const auto e = static_cast<std::size_t>(d);
      const double along = axis.index(x[e][p]) - 0.5;
      low[e] = static_cast<std::int64_t>(std::floor(support % 2 == 0 ? along : along + 0.5)) - (support - 1) / 2;
      if (d == 0 && axis.periodic()) low[0] = wrapped(low[0], axis.cells);
      end[e] = low[e] + support;
    }
    reach(low, end);
  }
  collect();
  return parts_;
}

/// Runs of ones, with what lies between near ones.
void ReachedRows::collect() {
  const std::int64_t rows = grid_.axis(1).cells * grid_.axis(2).cells;
  parts_.clear();
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t w = 0; w < words_; ++w) {
      std::uint64_t left = reached_[static_cast<std::size_t>(row * words_ + w)];
      while (left != 0) {
        const int first = std::countr_zero(left), count = std::countr_one(left >> first);
        const std::int64_t begin = w * bits + first, end = begin + count;
        if (!parts_.empty() && parts_.back().row == row && begin - parts_.back().end < near) parts_.back().end = end;
        else parts_.push_back({row, begin, end});
        left = first + count == bits ? 0 : left >> (first + count) << (first + count);
      }
    }
}

} // namespace corral::structure
