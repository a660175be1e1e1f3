#pragma once

#include <corral/views.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace corral::shared {

/// Fields of one staggering that are mapped in one go.
inline constexpr int field_block = 4;

/// Cuts the terms of a map into blocks that share a staggering and the signs at walls, and so their stencils: indices
/// into `terms`, each in one block, at most `field_block` a block.
template <class Term> std::vector<std::vector<std::size_t>> field_blocks(std::span<const Term> terms) {
  std::vector<std::vector<std::size_t>> blocks;
  std::vector<bool> placed(terms.size(), false);
  for (std::size_t first = 0; first < terms.size(); ++first) {
    if (placed[first]) continue;
    const auto& field = terms[first].field;
    std::vector<std::size_t>& block = blocks.emplace_back();
    for (std::size_t t = first; t < terms.size() && block.size() < field_block; ++t) {
      const auto& other = terms[t].field;
      if (placed[t] || other.staggering != field.staggering || other.wall_sign != field.wall_sign) continue;
      placed[t] = true;
      block.push_back(t);
    }
  }
  return blocks;
}

} // namespace corral::shared
