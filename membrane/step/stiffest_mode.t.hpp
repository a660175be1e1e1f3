#pragma once

/// The search of stiffest_mode.hpp, for either processor.

#include "membrane/step/mobility.t.hpp"
#include "membrane/step/stiffest_mode.hpp"
#include "run/random.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace corral::membrane {

using namespace structure;

namespace stiffest_mode {

inline constexpr int most_iterations = 16;
inline constexpr double good_enough = 0.03; ///< error of what is found, over it
inline constexpr double moved_by = 1e-5;    ///< of the box's shortest cell, for differences of forces

template <Execution E> void divide(E execution, std::int64_t n, double* v, double by) {
  for_each(execution, n, [=] CORRAL_BODY(std::int64_t i) { v[i] /= by; });
}

/// The next vector of Lanczos's from w, q and the one before.
template <Execution E>
void go_on(E execution, std::int64_t n, const double* w, double along, double back, double* q, double* before) {
  for_each(execution, n, [=] CORRAL_BODY(std::int64_t i) {
    const double next = w[i] - along * q[i] - back * before[i];
    before[i] = q[i], q[i] = next;
  });
}

template <Execution E> void set_random(E execution, std::int64_t n, const run::Random& random, int component, double* to) {
  for_each(execution, n, [=] CORRAL_BODY(std::int64_t i) {
    to[i] = random.uniform(run::Purpose::velocity, component, static_cast<std::uint64_t>(i)) - 0.5;
  });
}

/// to = (rest - f)/by
template <Execution E>
void set_difference(E execution, std::int64_t n, const double* rest, const double* f, double by, double* to) {
  for_each(execution, n, [=] CORRAL_BODY(std::int64_t i) { to[i] = (rest[i] - f[i]) / by; });
}

} // namespace stiffest_mode

template <Execution E>
StiffestMode<E>::StiffestMode(std::deque<Population<E>>& populations, MarkerMaps& maps, Fluid<E>& fluid, const Grid& grid,
                           std::function<void()> find_forces)
    : populations_(populations), mobility_(populations, maps, fluid), find_forces_(std::move(find_forces)) {
  moved_by_ = stiffest_mode::moved_by * std::min({grid.axis(0).spacing, grid.axis(1).spacing, grid.axis(2).spacing});
}

template <Execution E> double StiffestMode<E>::find(E execution) {
  if (mobility_.size() == 0) return 0;
  begin(execution);
  const TopOfTridiagonal top = iterate(execution);
  mobility_.put_forces(execution, kept_);
  return std::max(top.value + top.error, 0.0);
}

template <Execution E> TopOfTridiagonal StiffestMode<E>::iterate(E execution) {
  set_random(execution, direction_);
  apply_mobility(execution, direction_, velocity_);
  double norm = std::sqrt(mobility_.product(execution, direction_, velocity_));
  const std::int64_t size = mobility_.size();
  std::vector<double> diagonal, beside;
  TopOfTridiagonal top;
  while (norm > 0 && static_cast<int>(diagonal.size()) < stiffest_mode::most_iterations) {
    for (std::size_t d = 0; d < 3; ++d) {
      stiffest_mode::divide(execution, size, direction_[d].data(), norm);
      stiffest_mode::divide(execution, size, velocity_[d].data(), norm);
    }
    apply_stiffness(execution, velocity_, change_);
    const double along = mobility_.product(execution, change_, velocity_), back = beside.empty() ? 0 : beside.back();
    for (std::size_t d = 0; d < 3; ++d) {
      stiffest_mode::go_on(execution, size, change_[d].data(), along, back, direction_[d].data(), last_[d].data());
    }
    apply_mobility(execution, direction_, velocity_);
    norm = std::sqrt(std::max(mobility_.product(execution, direction_, velocity_), 0.0));
    diagonal.push_back(along), beside.push_back(norm);
    top = top_of_tridiagonal(diagonal, beside);
    if (top.error <= stiffest_mode::good_enough * top.value) break;
  }
  return top;
}

/// Keeps the forces of the last step, which files show; then membranes are midway where they are, and sorted there.
template <Execution E> void StiffestMode<E>::begin(E execution) {
  for (auto* vectors : {&kept_, &rest_, &direction_, &last_, &change_, &velocity_})
    for (Array<double>& component : *vectors) component.resize(mobility_.size(), 0.0);
  for (Array<double>& before : last_) before.zero();
  for (Population<E>& p : populations_) {
    p.move_midway(execution, 0);
    p.sort_midway(execution);
  }
  mobility_.get_forces(execution, kept_);
  find_forces_at(execution, last_, 0);
  mobility_.get_forces(execution, rest_);
}

template <Execution E> void StiffestMode<E>::set_random(E execution, MarkerVectors& f) const {
  const run::Random random(1);
  for (int d = 0; d < 3; ++d) {
    stiffest_mode::set_random(execution, mobility_.size(), random, d, f[d].data());
  }
}

template <Execution E> void StiffestMode<E>::apply_mobility(E execution, const MarkerVectors& force, MarkerVectors& velocity) {
  mobility_.apply(execution, force, velocity, [&](const VectorField& field) { mobility_.fluid().respond(execution, field); });
}

template <Execution E> void StiffestMode<E>::find_forces_at(E execution, const MarkerVectors& shift, double by) {
  mobility_.each([&](Population<E>& p, std::int64_t first) { p.place_midway(execution, points_from(shift, first), by); });
  find_forces_();
}

template <Execution E> void StiffestMode<E>::apply_stiffness(E execution, const MarkerVectors& shift, MarkerVectors& force) {
  double most = 0;
  for (const Array<double>& s : shift) most = values::largest(execution, mobility_.size(), most, s.data());
  const double by = moved_by_ / most;
  find_forces_at(execution, shift, by);
  mobility_.each([&](const Population<E>& p, std::int64_t first) {
    for (std::size_t d = 0; d < 3; ++d)
      stiffest_mode::set_difference(execution, p.points(), rest_[d].data() + first, p.forces()[d], by, force[d].data() + first);
  });
}

} // namespace corral::membrane
