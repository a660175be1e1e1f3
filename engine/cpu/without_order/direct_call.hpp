#pragma once

#include "engine/cpu/map_fields.hpp"
#include "engine/cpu/without_order/direct_stencils.hpp"
#include "engine/shared/requirements.hpp"

#include <corral/error.hpp>
#include <corral/interpolate.hpp>
#include <corral/spread.hpp>

#include <hwy/cache_control.h>

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace corral::cpu {

/// Terms that share staggering, wall signs and strides: one offset finds a stencil in all of their fields.
template <class T, class Term> struct DirectBlock {
  DirectSupport<T> support;
  std::vector<Term> terms; ///< 1 .. field_block

  /// True where all stencils are trilinear and points along x follow on each other.
  bool trilinear(const KernelWeights<T>& kernel) const {
    const auto& axis = support.field.axis;
    return kernel.linear && terms[0].field.stride[0] == 1 && !axis[0].thin && !axis[1].thin && !axis[2].thin;
  }

  PaddedLayout padded_layout() const {
    return {support.grid, support.field, support.staggering, terms[0].field.wall_sign};
  }
};

/// The blocks of a call without an order. Throws Error where a column or a field does not fit.
template <class T, class Term>
std::vector<DirectBlock<T, Term>> direct_blocks(const Grid& grid, const Positions<T>& positions,
                                                const KernelWeights<T>& kernel, std::span<const Term> terms) {
  shared::check_positions(positions);
  shared::require_resolved<T>(grid);
  std::vector<DirectBlock<T, Term>> blocks;
  for (const Term& term : terms) {
    const auto& field = term.field;
    shared::require_known(field.staggering);
    const DirectSupport<T> support(grid, field.staggering, kernel);
    shared::check_term(grid, support.field, "the positions hold", positions.size(), term.column, field);
    const auto fits = [&](const DirectBlock<T, Term>& block) {
      const auto& other = block.terms[0].field;
      return block.terms.size() < field_block && other.staggering == field.staggering &&
             other.wall_sign == field.wall_sign && other.stride == field.stride;
    };
    const auto block = std::find_if(blocks.begin(), blocks.end(), fits);
    if (block == blocks.end()) blocks.push_back({support, {term}});
    else block->terms.push_back(term);
  }
  shared::check_targets(grid, positions.size(), terms);
  return blocks;
}

/// Calls f(begin, n) for [begin, end) cut into batches of at most `capacity` particles.
template <class F> void for_each_slice(std::int64_t begin, std::int64_t end, int capacity, const F& f) {
  for (; begin < end; begin += capacity) f(begin, static_cast<int>(std::min<std::int64_t>(capacity, end - begin)));
}

/// Particles ahead of which memory is asked for: it lies anywhere, and comes later than the work on one takes.
inline constexpr int particles_ahead = 16;

/// Calls map(stencils, i, particle) for the particles [begin, end) that lie on the grid and that map.wants(stencils,
/// i), in order, and some time before map.expect(stencils, i); returns the counts of all. Map::needs_weights says
/// whether inner stencils have weights.
template <class T, class Term, class Map>
SortCounts for_each_stencil(const Positions<T>& positions, const KernelWeights<T>& kernel,
                            const DirectBlock<T, Term>& block, std::int64_t begin, std::int64_t end, const Map map) {
  DirectStencils<T> stencils(block.support, kernel, block.terms[0].field.stride, block.terms[0].field.wall_sign);
  for_each_slice(begin, end, stencils.capacity, [&](std::int64_t first, int n) {
    stencils.set(positions, first, n, Map::needs_weights);
    int wanted[DirectStencils<T>::capacity], count = 0;
    for (int i = 0; i < n; ++i) {
      wanted[count] = i;
      count += !stencils.skipped(i) && map.wants(stencils, i) ? 1 : 0;
    }
    for (int w = 0; w < std::min(count, particles_ahead); ++w) map.expect(stencils, wanted[w]);
    for (int w = 0; w < count; ++w) {
      if (w + particles_ahead < count) map.expect(stencils, wanted[w + particles_ahead]);
      map(stencils, wanted[w], first + wanted[w]);
    }
  });
  return stencils.counts();
}

/// The fields and columns of a block whose stencils are trilinear, F of them, where a loop finds them in registers.
template <class Value, class Point, int F> struct TrilinearTerms {
  static constexpr bool needs_weights = false;

  std::array<Column<Value>, F> column;
  std::array<Point*, F> field;
  std::array<std::int64_t, 4> row; ///< from a stencil's first point to its rows along x

  template <class Block> explicit TrilinearTerms(const Block& block) {
    for (std::size_t f = 0; f < F; ++f) {
      column[f] = block.terms[f].column;
      field[f] = block.terms[f].field.data;
    }
    const auto& stride = block.terms[0].field.stride;
    row = {0, stride[1], stride[2], stride[1] + stride[2]};
  }

  template <class T> void expect(const DirectStencils<T>& stencils, int i) const {
    for (std::size_t f = 0; f < F; ++f)
      for (const std::int64_t r : row) hwy::Prefetch(field[f] + stencils.offset(i) + r);
  }

  /// The products of the weights along y and z, row by row.
  template <class T> static std::array<T, 4> across(const DirectStencils<T>& stencils, int i) {
    const T y = stencils.u(1, i), z = stencils.u(2, i);
    return {(T(1) - z) * (T(1) - y), (T(1) - z) * y, z * (T(1) - y), z * y};
  }
};

/// Calls f(F), a constant, for the number of fields of a block.
template <class F> auto with_fields(std::size_t fields, const F& f) {
  static_assert(field_block == 4);
  if (fields == 1) return f(std::integral_constant<int, 1>{});
  if (fields == 2) return f(std::integral_constant<int, 2>{});
  if (fields == 3) return f(std::integral_constant<int, 3>{});
  return f(std::integral_constant<int, 4>{});
}

/// Without terms there is nothing to map, but the particles are counted all the same.
template <class T>
SortCounts count_places(const Grid& grid, const Positions<T>& positions, const KernelWeights<T>& kernel) {
  const DirectSupport<T> support(grid, Staggering::centre, kernel);
  DirectStencils<T> stencils(support, kernel, {}, {});
  for_each_slice(0, positions.size(), stencils.capacity,
                 [&](std::int64_t begin, int n) { stencils.set(positions, begin, n, false); });
  return stencils.counts();
}

inline SortCounts operator+(const SortCounts& a, const SortCounts& b) {
  return {a.inside + b.inside, a.outside + b.outside, a.not_finite + b.not_finite};
}

inline SortCounts total(const Array<SortCounts>& parts) {
  SortCounts sum;
  for (const SortCounts& part : parts) sum = sum + part;
  return sum;
}

[[noreturn]] inline void refuse_without_order(Method method, const std::string& others) {
  shared::require_known(method);
  throw Error("method " + std::string(name(method)) + " without an order (it maps sorted particles) take " + others +
              ", or sort the particles into a CellOrder");
}

} // namespace corral::cpu
