#pragma once

#include "run/state/registry.hpp"
#include "tests/catch.hpp"

#ifdef CORRAL_CUDA_ON_HOST
#include <cuda_on_host/configuration.hpp>
#endif

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

/// What runs hold and tell, compared: of the CPU and a device, and of a device whose threads go in other orders.
namespace corral::test {

using Rows = std::vector<std::vector<double>>;

inline double largest_of(const std::vector<double>& values) {
  double most = 0;
  for (const double v : values) most = std::max(most, std::abs(v));
  return most;
}

/// The largest difference, over the largest value; NaN, which is below no tolerance, where one is.
inline double apart(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = std::abs(a[i] - b[i]);
    if (std::isnan(d)) return d;
    difference = std::max(difference, d);
  }
  const double most = largest_of(a);
  return most > 0 ? difference / most : difference;
}

/// As many rows of as many values, which are apart by allowed(k, row, i) at the most: of value i of row k.
template <class F> void check_rows(const Rows& here, const Rows& there, F allowed) {
  REQUIRE(here.size() == there.size());
  for (std::size_t k = 0; k < here.size(); ++k) {
    INFO("row " << k);
    REQUIRE(here[k].size() == there[k].size());
    for (std::size_t i = 0; i < here[k].size(); ++i) {
      INFO("value " << i << ": " << here[k][i] << ", " << there[k][i]);
      CHECK(std::abs(here[k][i] - there[k][i]) <= allowed(k, here[k], i));
    }
  }
}

/// All real numbers that a run holds.
inline Rows numbers_of(const run::Registry& registry) {
  Rows all;
  for (const run::Entry& e : registry.entries())
    if (e.reals()) all.push_back(e.reals()->values());
    else if (e.real()) all.push_back({*e.real()});
  return all;
}

#ifdef CORRAL_CUDA_ON_HOST
/// The Rows that a run makes from its start on have the same bits in any order of threads, blocks and streams.
template <std::invocable F> void check_orders(F run) {
  const auto in = [&](cuda_on_host::Order order) -> Rows {
    cuda_on_host::Configuration configuration = cuda_on_host::configuration();
    configuration.order = order;
    configuration.search_structs = false; // padding of views holds anything
    const cuda_on_host::ScopedConfiguration scope(configuration);
    return run();
  };
  const auto bits = [](double v) { return std::bit_cast<std::uint64_t>(v); };
  const Rows forward = in(cuda_on_host::Order::forward);
  for (const auto order : {cuda_on_host::Order::reverse, cuda_on_host::Order::random}) {
    const Rows other = in(order);
    REQUIRE(other.size() == forward.size());
    for (std::size_t k = 0; k < forward.size(); ++k) {
      INFO("row " << k);
      CHECK(other[k] == forward[k]);
      CHECK(std::ranges::equal(other[k], forward[k], {}, bits, bits)); // zeros have signs
    }
  }
}
#endif

} // namespace corral::test
