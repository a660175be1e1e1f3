#pragma once

#include "structure/radial/sphere/products.hpp"
#include "structure/radial/sphere/spiral.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>

#include <cstdint>

namespace corral::structure::radial {

/// Numbers at the sites of a spiral, site by site, `columns` at each: a multiple of column_block.
struct SiteTable {
  void resize(std::int64_t sites, std::int64_t columns_of_each);
  double* at(std::int64_t site) { return values.data() + site * columns; }
  const double* at(std::int64_t site) const { return values.data() + site * columns; }
  std::int64_t bytes() const { return values.bytes(); }

  std::int64_t columns = 0;
  Array<double> values;
};

/// The same in two parts, at a spiral's representatives alone. As values of a function: half the sum and half the
/// difference of site and partner. As weights of a sum over sites: sum and difference.
struct HalvedTable {
  void resize(std::int64_t representatives, std::int64_t columns_of_each);
  void zero();
  std::int64_t bytes() const { return even.bytes() + odd.bytes(); }

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
