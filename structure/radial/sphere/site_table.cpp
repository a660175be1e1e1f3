#include "structure/radial/sphere/site_table.hpp"

#include <corral/for_each.hpp>

#include <cassert>

namespace corral::structure::radial {

namespace {

/// Sets both parts at the representatives: `factor` times sum and difference of site and partner.
void halve(Cpu cpu, const Spiral& sites, const SiteTable& from, double factor, HalvedTable& to) {
  const std::int64_t columns = from.columns;
  assert(from.values.size() == sites.count() * columns);
  to.resize(sites.representatives(), columns);
  for_each(cpu, sites.pairs(), [&](std::int64_t i) {
    const double *here = from.at(i), *there = from.at(sites.partner(i));
    for (std::int64_t c = 0; c < columns; ++c) {
      to.even[i * columns + c] = factor * (here[c] + there[c]);
      to.odd[i * columns + c] = factor * (here[c] - there[c]);
    }
  });
}

} // namespace

void SiteTable::resize(std::int64_t sites, std::int64_t columns_of_each) {
  assert(columns_of_each % column_block == 0);
  columns = columns_of_each;
  values.resize(sites * columns);
}

void HalvedTable::resize(std::int64_t representatives, std::int64_t columns_of_each) {
  columns = columns_of_each;
  even.resize(representatives * columns);
  odd.resize(representatives * columns);
}

void HalvedTable::zero() {
  even.zero();
  odd.zero();
}

void halve_values(Cpu cpu, const Spiral& sites, const SiteTable& values, HalvedTable& halved) {
  halve(cpu, sites, values, 0.5, halved);
  if (sites.pairs() == sites.representatives()) return;
  const std::int64_t middle = sites.pairs(); // its value is even: no odd function has one there
  for (std::int64_t c = 0; c < halved.columns; ++c) {
    halved.even[middle * halved.columns + c] = values.at(middle)[c];
    halved.odd[middle * halved.columns + c] = 0;
  }
}

void halve_weights(Cpu cpu, const Spiral& sites, const SiteTable& weights, HalvedTable& halved) {
  halve(cpu, sites, weights, 1, halved);
  if (sites.pairs() == sites.representatives()) return;
  const std::int64_t middle = sites.pairs(); // first derivatives there are odd, values and second ones even
  for (std::int64_t c = 0; c < halved.columns; ++c)
    halved.even[middle * halved.columns + c] = halved.odd[middle * halved.columns + c] = weights.at(middle)[c];
}

void join_weights(Cpu cpu, const Spiral& sites, const HalvedTable& halved, SiteTable& weights) {
  const std::int64_t columns = halved.columns;
  weights.resize(sites.count(), columns);
  for_each(cpu, sites.representatives(), [&](std::int64_t i) {
    const bool alone = i == sites.partner(i);
    for (std::int64_t c = 0; c < columns; ++c) {
      const double even = halved.even[i * columns + c], odd = halved.odd[i * columns + c];
      weights.at(i)[c] = alone ? even : 0.5 * (even + odd);
      if (!alone) weights.at(sites.partner(i))[c] = 0.5 * (even - odd);
    }
  });
}

} // namespace corral::structure::radial
