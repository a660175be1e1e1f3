#pragma once

#include "engine/cpu/padded_field.hpp"
#include "engine/shared/field_blocks.hpp"
#include "engine/shared/field_support.hpp"

#include <corral/kernel_weights.hpp>

#include <span>
#include <utility>
#include <vector>

namespace corral::cpu {

using shared::field_block;

/// The terms of a map that share a staggering: their stencils are computed once. Each has a padded field in the
/// order's scratch memory, in which no stencil meets a boundary.
template <class T> struct FieldBlock {
  PaddedLayout layout;
  shared::FieldSupport support;
  std::vector<std::size_t> terms; ///< indices into the call's terms, at most field_block of them
  std::vector<T*> padded;         ///< each term's padded field, once laid: the first point of group (0, 0, 0)'s stencil

  std::array<std::int64_t, 3> stride() const { return {layout.stride(0), layout.stride(1), layout.stride(2)}; }
};

/// One call of spread or interpolate as its method sees it. Term is Spread<T> or Interpolate<T>.
template <class T, class Term> struct MapCall {
  Cpu cpu;
  typename CellOrder<T>::Data& order;
  const KernelWeights<T>& kernel;
  std::span<const Term> terms;
  std::vector<FieldBlock<T>> blocks;
  Array<T>& padded; ///< all padded fields

  /// Rows of groups along x.
  std::int64_t rows() const { return order.groups[1].count * order.groups[2].count; }

  /// Checks the terms and sorts them into blocks. Throws Error where a column or a field does not fit the order.
  MapCall(Cpu c, typename CellOrder<T>::Data& o, const KernelWeights<T>& k, std::span<const Term> t)
      : cpu(c), order(o), kernel(k), terms(t), padded(o.padded) {
    order.require(shared::Residence::host);
    for (const Term& term : terms) shared::check_term<T>(order, term.column, term.field, kernel);
    shared::check_targets(order.grid, order.size, terms);
    for (std::vector<std::size_t>& block : shared::field_blocks(terms)) {
      const auto& field = terms[block[0]].field;
      const auto support = shared::FieldSupport::of<T>(order, field.staggering, kernel);
      blocks.push_back({PaddedLayout(order.grid, support, field.staggering, field.wall_sign), support,
                        std::move(block), {}});
    }
  }

  /// Lays the padded fields, not yet set, one behind the other; returns the first one's memory.
  T* lay_padded_fields() {
    constexpr std::int64_t between = 16; // so that fields don't start at the same place in a page
    std::int64_t total = 0;
    for (const FieldBlock<T>& block : blocks)
      total += static_cast<std::int64_t>(block.terms.size()) * (block.layout.size() + between);
    padded.resize(total);
    T* next = padded.data();
    for (FieldBlock<T>& block : blocks)
      for (std::size_t f = 0; f < block.terms.size(); ++f) {
        block.padded.push_back(next);
        next += block.layout.size() + between;
      }
    return padded.data();
  }
};

/// Adds to a point that nobody else writes meanwhile.
struct PlainAdd {
  template <class T> void operator()(T& point, T gain) const { point += gain; }
};

} // namespace corral::cpu
