#pragma once

#include "engine/reference/reference.hpp"
#include "tests/catch.hpp"
#include "tests/engine/backend.hpp"
#include "tests/engine/cases.hpp"
#include "tests/tolerance.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace corral::test {

/// One spread and one interpolation to make.
template <class T> struct MapCase {
  Grid grid;
  Particles<T> particles;
  Staggering staggering;
  std::array<Sign, 3> wall_sign;
  std::array<Offset, 3> offset;
  std::int64_t column_stride = 1, field_step = 1;
  bool identity = false; ///< reorder the particles first
  Method method = Method::automatic;
  bool without_order = false; ///< through the calls that take positions
};

/// What the engine made of a case.
template <class T> struct Mapped {
  SortCounts counts;
  std::vector<T> value;        ///< the column that was spread, in the order of the case's particles
  OwnedField<T> spread;        ///< started at 0
  OwnedField<T> field;         ///< the field that was interpolated
  std::vector<T> interpolated; ///< started at `untouched`
};
inline constexpr double untouched = -77.0;

/// A column of every `stride`-th value of its memory; the memory between holds `untouched`.
template <class T> std::vector<T> spaced(const std::vector<T>& values, std::int64_t stride) {
  std::vector<T> memory(values.size() * static_cast<std::size_t>(stride), T(untouched));
  for (std::size_t i = 0; i < values.size(); ++i) memory[i * static_cast<std::size_t>(stride)] = values[i];
  return memory;
}

/// |a - b| in units of what it may be: 1 is the limit. NaN on both sides counts as equal, on one side as wrong.
inline double excess(double a, double b, double allowed) {
  if (std::isnan(a) && std::isnan(b)) return 0;
  const double difference = std::abs(a - b);
  if (difference == 0) return 0;
  return difference < HUGE_VAL ? difference / allowed : HUGE_VAL;
}

/// The sums of absolute terms, each with a weight of 1, and the numbers of terms, for a spread. A weight is a
/// difference of numbers about 1, so what a term may err by doesn't shrink with the weight.
template <class T> struct SpreadTerms {
  OwnedField<T> absolute, count;

  SpreadTerms(const reference::AnyKernel<T>& kernel, const MapCase<T>& c, const std::vector<T>& value)
      : absolute(c.grid, c.staggering, {Sign::plus, Sign::plus, Sign::plus}, c.field_step),
        count(c.grid, c.staggering, {Sign::plus, Sign::plus, Sign::plus}, c.field_step) {
    for (std::int64_t i = 0; i < c.particles.size(); ++i) {
      const T q = std::abs(value[i]);
      reference::for_each_point(c.grid, kernel, c.particles.positions(), i, absolute.view,
                                [&](T& point, T) { point += q; });
      reference::for_each_point(c.grid, kernel, c.particles.positions(), i, count.view,
                                [&](T& point, T) { point += T(1); });
    }
  }
};

/// An index of up to N cells carries the rounding of N, not of its fraction: so many terms more are allowed for.
inline std::int64_t index_terms(const Grid& grid) {
  return 3 * std::max({grid.axis(0).cells, grid.axis(1).cells, grid.axis(2).cells});
}

template <class T>
void require_same_spread(const reference::KernelOf<T>& kernel, const MapCase<T>& c, const std::vector<T>& value,
                         const OwnedField<T>& spread) {
  OwnedField<T> expected(c.grid, c.staggering, c.wall_sign, c.field_step);
  reference::spread(c.grid, kernel, c.particles.positions(), Column<const T>{value.data(), c.particles.size()},
                    expected.view);
  const SpreadTerms<T> terms(kernel, c, value);
  double worst = 0;
  for (std::size_t i = 0; i < expected.values.size(); ++i)
    worst = std::max(worst, excess(double{spread.values[i]}, double{expected.values[i]},
                                   round_off<T>(std::int64_t(terms.count.values[i]) + index_terms(c.grid)) *
                                       double{terms.absolute.values[i]}));
  CHECK(worst <= 1);
}

template <class T>
void require_same_interpolation(const reference::KernelOf<T>& kernel, const MapCase<T>& c, const OwnedField<T>& field,
                                const std::vector<T>& interpolated) {
  std::vector<T> expected(interpolated.size(), T(untouched));
  reference::interpolate(c.grid, kernel, c.particles.positions(), FieldView<const T>(field.view),
                         Column<T>{expected.data(), c.particles.size()});
  double worst = 0;
  for (std::int64_t i = 0; i < c.particles.size(); ++i) {
    double absolute = 0;
    std::int64_t terms = 0;
    reference::for_each_point(c.grid, kernel, c.particles.positions(), i, field.view, [&](T& point, T) {
      absolute += std::abs(double{point});
      ++terms;
    });
    worst = std::max(worst, excess(double{interpolated[i]}, double{expected[i]},
                                   round_off<T>(terms + index_terms(c.grid)) * absolute));
  }
  CHECK(worst <= 1);
}

/// Spreads a random column and interpolates a random field, and requires of both what the reference gives.
template <class T, class Kernel>
Mapped<T> compare_with_reference(const Kernel& kernel, MapCase<T>& c, Random& random) {
  CellOrder<T> order(c.grid, c.offset);
  const SortCounts counts = run_sort(order, c.particles.positions());
  const std::int64_t n = c.particles.size();
  if (c.identity)
    run_reorder(order, Column<T>{c.particles.x.data(), n}, Column<T>{c.particles.y.data(), n},
                Column<T>{c.particles.z.data(), n});

  Mapped<T> m{counts, random_column<T>(n, random),
              OwnedField<T>(c.grid, c.staggering, c.wall_sign, c.field_step),
              random_field<T>(c.grid, c.staggering, c.wall_sign, c.field_step, random), {}};
  std::vector<T> q = spaced(m.value, c.column_stride), out(q.size(), T(untouched));
  const Spread<T> term{Column<const T>{q.data(), n, c.column_stride}, m.spread.view};
  const Interpolate<T> read{m.field.view, Column<T>{out.data(), n, c.column_stride}};
  if (c.without_order) {
    const Positions<T> at = c.particles.positions();
    for (const SortCounts& seen : {run_spread(c.grid, at, kernel, term, c.method),
                                   run_interpolate(c.grid, at, kernel, read, reading_method(c.method))}) {
      CHECK(seen.inside == counts.inside);
      CHECK(seen.outside == counts.outside);
      CHECK(seen.not_finite == counts.not_finite);
    }
  } else {
    run_spread(order, kernel, {term}, c.method);
    run_interpolate(order, kernel, {read}, reading_method(c.method));
  }
  for (std::size_t i = 0; i < out.size(); ++i)
    if (i % static_cast<std::size_t>(c.column_stride) == 0) m.interpolated.push_back(out[i]);
    else if (out[i] != T(untouched)) FAIL("memory between a column's values was written");

  require_same_spread(kernel, c, m.value, m.spread);
  require_same_interpolation(kernel, c, m.field, m.interpolated);
  return m;
}

} // namespace corral::test
