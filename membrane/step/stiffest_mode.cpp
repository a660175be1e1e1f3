#include "membrane/step/stiffest_mode.hpp"

#include "run/random.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace corral::membrane {

using namespace structure;

namespace {

constexpr int most_iterations = 16;
constexpr double good_enough = 0.03; ///< error of what is found, over it
constexpr double moved_by = 1e-5;    ///< of the box's shortest cell, for differences of forces

} // namespace

/// By bisection: x is above all eigenvalues where all pivots of the matrix less x are negative.
TopOfTridiagonal top_of_tridiagonal(const std::vector<double>& diagonal, const std::vector<double>& beside) {
  const std::size_t n = diagonal.size();
  double low = diagonal[0], high = diagonal[0];
  for (std::size_t i = 0; i < n; ++i) {
    const double reach = (i > 0 ? std::abs(beside[i - 1]) : 0) + (i + 1 < n ? std::abs(beside[i]) : 0);
    low = std::max(low, diagonal[i]), high = std::max(high, diagonal[i] + reach);
  }
  for (int halvings = 0; halvings < 60; ++halvings) {
    const double x = 0.5 * (low + high);
    double pivot = diagonal[0] - x;
    for (std::size_t i = 1; i < n && pivot < 0; ++i) pivot = diagonal[i] - x - beside[i - 1] * beside[i - 1] / pivot;
    (pivot < 0 ? high : low) = x;
  }
  // The last component of the eigenvector is what leads out of the matrix.
  double before = 0, now = 1, square = 1;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const double next = ((high - diagonal[i]) * now - (i > 0 ? beside[i - 1] * before : 0)) / beside[i];
    before = std::exchange(now, next);
    square += now * now;
  }
  return {high, std::abs(beside[n - 1] * now) / std::sqrt(square)};
}

StiffestMode::StiffestMode(std::deque<Population>& populations, MarkerMaps& maps, Fluid& fluid, const Grid& grid,
                           std::function<void()> find_forces)
    : populations_(populations), mobility_(populations, maps, fluid), find_forces_(std::move(find_forces)) {
  moved_by_ = moved_by * std::min({grid.axis(0).spacing, grid.axis(1).spacing, grid.axis(2).spacing});
}

double StiffestMode::find(Cpu cpu) {
  if (mobility_.size() == 0) return 0;
  begin();
  const TopOfTridiagonal top = iterate(cpu);
  mobility_.put_forces(kept_);
  return std::max(top.value + top.error, 0.0);
}

TopOfTridiagonal StiffestMode::iterate(Cpu cpu) {
  set_random(direction_);
  apply_mobility(cpu, direction_, velocity_);
  double norm = std::sqrt(mobility_.product(direction_, velocity_));
  const std::int64_t size = mobility_.size();
  std::vector<double> diagonal, beside;
  TopOfTridiagonal top;
  while (norm > 0 && static_cast<int>(diagonal.size()) < most_iterations) {
    for (std::size_t d = 0; d < 3; ++d) {
      double *q = direction_[d].data(), *v = velocity_[d].data();
      for_each(cpu, size, [=](std::int64_t i) { q[i] /= norm, v[i] /= norm; });
    }
    apply_stiffness(cpu, velocity_, change_);
    const double along = mobility_.product(change_, velocity_), back = beside.empty() ? 0 : beside.back();
    for (std::size_t d = 0; d < 3; ++d) {
      double *q = direction_[d].data(), *before = last_[d].data();
      const double* w = change_[d].data();
      for_each(cpu, size, [=](std::int64_t i) {
        const double next = w[i] - along * q[i] - back * before[i];
        before[i] = q[i], q[i] = next;
      });
    }
    apply_mobility(cpu, direction_, velocity_);
    norm = std::sqrt(std::max(mobility_.product(direction_, velocity_), 0.0));
    diagonal.push_back(along), beside.push_back(norm);
    top = top_of_tridiagonal(diagonal, beside);
    if (top.error <= good_enough * top.value) break;
  }
  return top;
}

/// Keeps the forces of the last step, which files show; then membranes are midway where they are, and sorted there.
void StiffestMode::begin() {
  for (auto* vectors : {&kept_, &rest_, &direction_, &last_, &change_, &velocity_})
    for (Array<double>& component : *vectors) component.resize(mobility_.size(), 0.0);
  for (Array<double>& before : last_) before.zero();
  for (Population& p : populations_) {
    p.move_midway(Cpu{}, 0);
    p.sort_midway(Cpu{});
  }
  mobility_.get_forces(kept_);
  find_forces_at(Cpu{}, last_, 0);
  mobility_.get_forces(rest_);
}

void StiffestMode::set_random(MarkerVectors& f) const {
  const run::Random random(1);
  for (int d = 0; d < 3; ++d) {
    double* const to = f[d].data();
    for_each(Cpu{}, mobility_.size(), [=](std::int64_t i) {
      to[i] = random.uniform(run::Purpose::velocity, d, static_cast<std::uint64_t>(i)) - 0.5;
    });
  }
}

void StiffestMode::apply_mobility(Cpu cpu, const MarkerVectors& force, MarkerVectors& velocity) {
  mobility_.apply(cpu, force, velocity, [&](const VectorField& field) { mobility_.fluid().respond(cpu, field); });
}

void StiffestMode::find_forces_at(Cpu cpu, const MarkerVectors& shift, double by) {
  mobility_.each([&](Population& p, std::int64_t first) { p.place_midway(cpu, points_from(shift, first), by); });
  find_forces_();
}

void StiffestMode::apply_stiffness(Cpu cpu, const MarkerVectors& shift, MarkerVectors& force) {
  double most = 0;
  for (const Array<double>& s : shift)
    most = maximum(cpu, mobility_.size(), most, [x = s.data()](std::int64_t i) { return std::abs(x[i]); });
  const double by = moved_by_ / most;
  find_forces_at(cpu, shift, by);
  mobility_.each([&](const Population& p, std::int64_t first) {
    for (std::size_t d = 0; d < 3; ++d) {
      const double *f = p.forces()[d], *f0 = rest_[d].data() + first;
      double* const to = force[d].data() + first;
      for_each(cpu, p.points(), [=](std::int64_t i) { to[i] = (f0[i] - f[i]) / by; });
    }
  });
}

} // namespace corral::membrane
