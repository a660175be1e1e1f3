#pragma once

#include "tests/engine/compare_with_reference.hpp"

/// What every map of a case must show beyond agreeing with the reference.
namespace corral::test {

template <class T> bool keeps_totals(const MapCase<T>& c) {
  for (int d = 0; d < 3; ++d) {
    const Axis& axis = c.grid.axis(d);
    if (axis.thin() && !on_face(c.staggering, d)) continue;
    const bool minus = c.wall_sign[d] == Sign::minus;
    for (const Boundary b : {axis.low, axis.high})
      if (b == Boundary::open || (b == Boundary::wall && minus)) return false;
  }
  return true;
}

/// <spread q, f> = <q, interpolate f>, measured against the sum of all |q| |f| with weight 1.
template <class T>
void require_adjoint(const reference::KernelOf<T>& kernel, const MapCase<T>& c, const Mapped<T>& m) {
  double on_grid = 0, on_particles = 0, absolute = 0;
  for (std::size_t i = 0; i < m.spread.values.size(); ++i) {
    if (m.spread.values[i] != 0) on_grid += double{m.spread.values[i]} * double{m.field.values[i]};
  }
  std::int64_t terms = 0;
  for (std::int64_t i = 0; i < c.particles.size(); ++i) {
    if (m.interpolated[i] != T(untouched)) on_particles += double{m.value[i]} * double{m.interpolated[i]};
    reference::for_each_point(c.grid, kernel, c.particles.positions(), i, m.field.view, [&](const T& f, T) {
      absolute += std::abs(double{m.value[i]} * double{f});
      ++terms;
    });
  }
  CHECK(excess(on_grid, on_particles, round_off<T>(terms) * absolute) <= 1);
}

/// What is spread arrives; a field of ones is read as ones.
template <class T, class Kernel>
void require_totals_and_constants(const Kernel& kernel, const MapCase<T>& c, const Mapped<T>& m) {
  CellOrder<T> order(c.grid, c.offset);
  run_sort(order, c.particles.positions());
  const std::vector<T> one(m.value.size(), T(1));
  std::vector<T> read(m.value.size(), T(1));
  OwnedField<T> total(c.grid, c.staggering, c.wall_sign, 1), ones(c.grid, c.staggering, c.wall_sign, 1, T(1));
  run_spread(order, kernel, {Spread<T>{Column<const T>{one.data(), order.size()}, total.view}}, c.method);
  run_interpolate(order, kernel, {Interpolate<T>{ones.view, Column<T>{read.data(), order.size()}}},
                  reading_method(c.method));

  double sum = 0, worst = 0;
  for (const T v : total.values) sum += double{v};
  const auto inside = static_cast<double>(m.counts.inside);
  CHECK(excess(sum, inside, round_off<T>(m.counts.inside + index_terms(c.grid)) * inside) <= 1);
  const std::int64_t widest = KernelWeights<T>::of(kernel).widest(), points = widest * widest * widest;
  for (const T v : read) worst = std::max(worst, excess(double{v}, 1.0, round_off<T>(points)));
  CHECK(worst <= 1);
}

} // namespace corral::test
