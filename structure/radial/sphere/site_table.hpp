#pragma once

#include "structure/radial/sphere/spiral.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>

#include <cstdint>

namespace corral::structure::radial {

/// A matrix as its product is formed: element (row, term) stands `row * row_step + term * term_step` from `first`.
struct Factor {
  const double* first;
  std::int64_t row_step, term_step;
};

/// Products are of so many columns that this divides them.
inline constexpr std::int64_t column_block = 4;
/// That many, or more, of at least `columns`.
constexpr std::int64_t padded_columns(std::int64_t columns) {
  return (columns + column_block - 1) / column_block * column_block;
}

/// y(row, c) += sum of a(row, term) x(term, c) over terms in order, x and y row by row without gaps, `columns` a multiple
/// of column_block. Every element is summed on its own, term after term: its bits depend on neither `rows` nor `columns`
/// nor on how terms are cut into calls, and are the same with AVX2 and AVX-512 (fused multiply-add); other processors
/// multiply and add. On the calling thread.
void add_product(std::int64_t rows, std::int64_t terms, std::int64_t columns, const Factor& a, const double* x,
                 double* y);

/// Numbers at the sites of a spiral, site by site, `columns` at each: a multiple of column_block.
struct SiteTable {
  void resize(std::int64_t sites, std::int64_t columns_of_each);
  double* at(std::int64_t site) { return values.data() + site * columns; }
  const double* at(std::int64_t site) const { return values.data() + site * columns; }

  std::int64_t columns = 0;
  Array<double> values;
};

/// The same in two parts, at a spiral's representatives alone. As values of a function: half the sum and half the
/// difference of site and partner. As weights of a sum over sites: sum and difference.
struct HalvedTable {
  void resize(std::int64_t representatives, std::int64_t columns_of_each);
  void zero();

  std::int64_t columns = 0;
  Array<double> even, odd;
};

/// Parts of a function's values.
void halve_values(Cpu, const Spiral&, const SiteTable& values, HalvedTable& halved);
/// Parts of weights.
void halve_weights(Cpu, const Spiral&, const SiteTable& weights, HalvedTable& halved);
/// Weights from their parts.
void join_weights(Cpu, const Spiral&, const HalvedTable& halved, SiteTable& weights);

} // namespace corral::structure::radial
