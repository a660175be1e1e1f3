#pragma once

#include "engine/cpu/cell_method.hpp"
#include "engine/cpu/padded_field.hpp"
#include "engine/cpu/row_plan.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

namespace corral::cpu {

/// The terms of a map that share a staggering: their stencils are computed once.
template <class T> struct StaggeringBlock {
  PaddedLayout layout;
  shared::FieldSupport support;
  std::unique_ptr<CellMethod<T>> method;
  std::vector<std::size_t> terms;   ///< indices into the call's terms, at most field_block of them
  std::vector<std::int64_t> offset; ///< where each term's padded field begins in the scratch memory
};

/// Sorts the terms into blocks and lays their padded fields out one behind the other. Returns the values needed.
template <class T, class Term>
std::int64_t make_blocks(const typename CellOrder<T>::Data& order, const KernelWeights<T>& kernel,
                         std::span<const Term> terms, std::vector<StaggeringBlock<T>>& blocks) {
  std::int64_t total = 0;
  std::vector<bool> placed(terms.size(), false);
  for (std::size_t t = 0; t < terms.size(); ++t) {
    if (placed[t]) continue;
    const auto& first = terms[t].field;
    const auto support = shared::FieldSupport::of<T>(order, first.staggering, kernel.support);
    PaddedLayout layout(order.grid, support, first.staggering, first.wall_sign);
    auto method = cell_method<T>(kernel, support, {layout.stride(0), layout.stride(1), layout.stride(2)});
    StaggeringBlock<T> block{layout, support, std::move(method), {}, {}};
    for (std::size_t s = t; s < terms.size() && block.terms.size() < field_block; ++s) {
      const auto& field = terms[s].field;
      if (placed[s] || field.staggering != first.staggering || field.wall_sign != first.wall_sign) continue;
      placed[s] = true;
      block.terms.push_back(s);
      block.offset.push_back(total);
      total += layout.size() + 16; // so that fields don't start at the same place in a page
    }
    blocks.push_back(std::move(block));
  }
  return total;
}

/// A column in cell order for a piece of the particles: the caller's memory where it streams, else a copy.
template <class T> class PieceBuffer {
public:
  static constexpr std::int64_t size = 1024; ///< particles of a piece

  template <class V> bool streams(const typename CellOrder<T>::Data& order, const Column<V>& c) const {
    return order.identity && c.stride == 1;
  }
  T* copy(std::size_t slot) { return values_.data() + static_cast<std::int64_t>(slot) * size; }

private:
  Array<T> values_{field_block * size};
};

/// Calls f(cell, first padded point of block b's stencil ..., begin, end) for the pieces of every group in the rows.
template <class T, class F>
void for_each_piece(const typename CellOrder<T>::Data& order, std::int64_t row_begin, std::int64_t row_end, F f) {
  const std::int64_t gx = order.groups[0].count, gy = order.groups[1].count;
  for (std::int64_t row = row_begin; row < row_end; ++row)
    for (std::int64_t i = 0; i < gx; ++i) {
      const std::int64_t begin = order.begin[row * gx + i], end = order.begin[row * gx + i + 1];
      for (std::int64_t p = begin; p < end; p += PieceBuffer<T>::size)
        f(i, row % gy, row / gy, p, std::min(end, p + PieceBuffer<T>::size));
    }
}

} // namespace corral::cpu
