#pragma once

#include "mppic/gas/conservative.hpp"
#include "run/state/registry.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace corral::test {

/// The greatest difference over the greatest value.
inline double apart(const Array<double>& a, const Array<double>& b) {
  const std::vector<double> here = a.values(), there = b.values();
  if (here.size() != there.size()) return INFINITY;
  double difference = 0, largest = 0;
  for (std::size_t i = 0; i < here.size(); ++i) {
    if (std::isnan(here[i]) || std::isnan(there[i])) return NAN;
    difference = std::max(difference, std::abs(here[i] - there[i]));
    largest = std::max(largest, std::abs(here[i]));
  }
  return difference > 0 ? difference / largest : 0;
}

inline constexpr double tolerance = 1e-9; ///< of the largest value: round-off, through some divisions by what is left over

inline bool near(double a, double b, double scale) { return std::abs(a - b) <= tolerance * std::abs(scale); }

inline void check_same(const fluid::FaceArrays& a, const fluid::FaceArrays& b, const char* what) {
  for (std::size_t d = 0; d < 3; ++d) {
    INFO(what << " " << d);
    CHECK(apart(a[d], b[d]) <= tolerance);
  }
}

/// Fields, columns, ids and numbers; values within a share of the largest.
inline void check_same_state(const run::Registry& here, const run::Registry& there, double share = tolerance) {
  auto b = there.entries().begin();
  for (const run::Entry& a : here.entries()) {
    INFO(a.full_name());
    REQUIRE(b->full_name() == a.full_name());
    if (a.reals()) CHECK(apart(*a.reals(), *b->reals()) <= share);
    if (a.ids()) CHECK(a.ids()->values() == b->ids()->values());
    if (a.integers()) CHECK(a.integers()->values() == b->integers()->values());
    if (a.counter()) CHECK(*a.counter() == *b->counter());
    ++b;
  }
}

inline void check_same_books(const mppic::GasBooks& here, const mppic::GasBooks& there) {
  using B = mppic::GasBooks;
  for (const auto term : {&B::before, &B::after, &B::sides, &B::viscosity, &B::drift, &B::pressure, &B::walls})
    for (std::size_t d = 0; d < 3; ++d) CHECK(near((here.*term)[d], (there.*term)[d], here.carried));
  CHECK(near(here.largest_drift, there.largest_drift, 1));
}

} // namespace corral::test
