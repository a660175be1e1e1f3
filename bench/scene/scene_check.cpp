#include "bench/scene/scene.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace corral::bench {
namespace {

template <class T>
std::array<std::int64_t, 3> cell_of(Particles<T>& particles, std::int64_t i) {
  std::array<std::int64_t, 3> cell{};
  for (int d = 0; d < 3; ++d)
    cell[d] = static_cast<std::int64_t>(std::floor(static_cast<double>(particles.position.column(d)[i]) / spacing));
  return cell;
}

} // namespace

template <class T>
Neighbourhood::Neighbourhood(const Workload& work, Particles<T>& particles, std::int64_t most, int support)
    : work_(work), margin_(support / 2 + 2), whole_(particles.size() <= most) {
  work_.calls.clear();
  if (whole_) return;
  centre_ = cell_of(particles, particles.size() / 2);
  const auto held = [&] {
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < particles.size(); ++i) count += holds(particles, i) ? 1 : 0;
    return count;
  };
  reach_ = *std::max_element(work.cells.begin(), work.cells.end()) / 2;
  do reach_ = std::max(reach_ * 4 / 5, margin_ + 1);
  while (reach_ > margin_ + 1 && held() > most);
}

template <class T> Particles<T> Neighbourhood::within(Particles<T>& particles) const {
  std::vector<std::int64_t> held;
  for (std::int64_t i = 0; i < particles.size(); ++i)
    if (holds(particles, i)) held.push_back(i);
  const auto n = static_cast<std::int64_t>(held.size());
  Particles<T> part{Values<T>(n, 3, Layout::separate), Values<T>(n, work_.fields, work_.layout)};
  const auto copy = [&](Values<T>& from, Values<T>& to) {
    for (int f = 0; f < to.fields(); ++f)
      for (std::int64_t i = 0; i < n; ++i) to.column(f)[i] = from.column(f)[held[i]];
  };
  copy(particles.position, part.position);
  copy(particles.value, part.value);
  return part;
}

bool Neighbourhood::around(const std::array<std::int64_t, 3>& cell, std::int64_t reach) const {
  for (std::size_t d = 0; d < 3; ++d) {
    const std::int64_t n = work_.cells[d], apart = std::abs(cell[d] - centre_[d]);
    const bool all_along = 2 * reach_ + 1 >= n; // nothing is missing along this axis
    if (!all_along && std::min(apart, n - apart) > reach) return false;
  }
  return true;
}

template <class T> bool Neighbourhood::holds(Particles<T>& particles, std::int64_t i) const {
  return whole_ || around(cell_of(particles, i), reach_);
}

template Neighbourhood::Neighbourhood(const Workload&, Particles<float>&, std::int64_t, int);
template Neighbourhood::Neighbourhood(const Workload&, Particles<double>&, std::int64_t, int);
template Particles<float> Neighbourhood::within(Particles<float>&) const;
template Particles<double> Neighbourhood::within(Particles<double>&) const;

namespace {

std::int64_t cube(std::int64_t n) { return n * n * n; }

void require(const Workload& work, const Call& call, double difference, double allowed) {
  if (difference <= allowed) return;
  char figures[100];
  std::snprintf(figures, sizeof figures, "by %.2g of the largest value (round-off explains %.2g)", difference, allowed);
  throw Error(std::string(word(call.task)) + " with kernel " + work.kernel + " and method " +
              std::string(name(call.method)) + " differs from the plain loop " + figures);
}

} // namespace

/// The fields that spreads are compared with, and where.
template <class T, Execution E> struct Scene<T, E>::Expected {
  Values<T> fields;
  Neighbourhood where;
  std::int64_t terms; ///< at most so many numbers are added up at one point
};

template <class T, Execution E> void Scene<T, E>::check(const Call& call) {
  run(call);
  switch (call.task) {
  case Task::spread:
  case Task::direct_spread:
  case Task::sort_and_spread_3: return check_spread(call);
  case Task::interpolate:
  case Task::direct_interpolate:
  case Task::sort_and_interpolate_3: return check_interpolate(call);
  case Task::reorder: return check_reorder();
  case Task::sort: return; // whether an order is right is seen by the maps over it
  }
}

/// Particles of the fullest group of the order.
template <class T, Execution E> std::int64_t Scene<T, E>::fullest_group() {
  Array<std::int32_t> count(grid_.cells(), 0);
  const double shift = work_.offset == Offset::half ? 0.5 : 0;
  std::int32_t most = 0;
  for (std::int64_t i = 0; i < mapped_.size(); ++i) {
    std::int64_t group = 0;
    for (int d = 2; d >= 0; --d) {
      const std::int64_t n = work_.cells[d];
      const double x = static_cast<double>(mapped_.position.column(d)[i]) / spacing - shift;
      group = group * n + (static_cast<std::int64_t>(std::floor(x)) + n) % n;
    }
    most = std::max(most, ++count[group]);
  }
  return most;
}

template <class T, Execution E> void Scene<T, E>::expect_spread() {
  Neighbourhood where(work_, mapped_, particles_of(2 * most_plain_additions<E>), maps_.support);
  const std::int64_t terms = std::min(work_.particles, fullest_group() * cube(maps_.support + 1));
  expected_ = std::make_shared<Expected>(
      Expected{Values<T>(fields_.size(), work_.fields, work_.layout), std::move(where), terms});
  if (expected_->where.whole()) {
    plain_.spread(grid_, mapped_.positions(), spread_terms(mapped_.value, expected_->fields));
  } else {
    Particles<T> some = expected_->where.within(mapped_);
    plain_.spread(grid_, some.positions(), spread_terms(some.value, expected_->fields));
  }
}

template <class T, Execution E> void Scene<T, E>::check_spread(const Call& call) {
  if (!expected_) expect_spread();
  there_->fields.fetch();
  Comparison comparison;
  const auto& n = work_.cells;
  std::int64_t i = 0;
  for (std::int64_t z = 0; z < n[2]; ++z)
    for (std::int64_t y = 0; y < n[1]; ++y)
      for (std::int64_t x = 0; x < n[0]; ++x, ++i)
        if (expected_->where.complete({x, y, z}))
          for (int f = 0; f < work_.fields; ++f) comparison.add(fields_.column(f)[i], expected_->fields.column(f)[i]);
  const std::int64_t cells = *std::max_element(n.begin(), n.end());
  require(work_, call, comparison.relative(), round_off<T>(cells, expected_->terms));
}

template <class T, Execution E> void Scene<T, E>::check_interpolate(const Call& call) {
  there_->results.fetch();
  const double all = static_cast<double>(work_.particles) * additions_per_particle();
  const auto one_in = static_cast<std::int64_t>(std::ceil(all / (2 * most_plain_additions<E>)));
  const std::int64_t chunk = one_in > 1 ? 1 << 10 : 1 << 16; // particles compared at once
  Values<T> expected(std::min(chunk, work_.particles), work_.fields, work_.layout);
  Comparison comparison;
  for (std::int64_t first = 0; first < work_.particles; first += chunk * std::max<std::int64_t>(one_in, 1)) {
    const std::int64_t n = std::min(chunk, work_.particles - first);
    plain_.interpolate(grid_, mapped_.positions(first, n), interpolate_terms(source_, expected));
    for (int f = 0; f < work_.fields; ++f)
      for (std::int64_t i = 0; i < n; ++i) comparison.add(results_.column(f)[first + i], expected.column(f)[i]);
  }
  const std::int64_t cells = *std::max_element(work_.cells.begin(), work_.cells.end());
  require(work_, call, comparison.relative(), round_off<T>(cells, cube(maps_.support)));
}

template <class T, Execution E> void Scene<T, E>::check_reorder() {
  const Column<T> drawn = mapped_.value.column(0), column = results_.column(0);
  for (std::int64_t i = 0; i < drawn.size; ++i) column[i] = drawn[i];
  there_->results.send();
  order_.permute(E{}, Column<T>{there_->results.column(0).data, column.size, column.stride});
  there_->results.fetch();
  const auto compare = [&](const CellOrder<T>& order) {
    for (std::int64_t i = 0; i < drawn.size; ++i)
      if (column[i] != drawn[order.source(i)])
        throw Error("reorder put a wrong value at place " + std::to_string(i) + " of " + std::to_string(drawn.size));
  };
  if constexpr (std::is_same_v<E, Cpu>) {
    compare(order_);
  } else { // an order on a device does not tell its permutation; the same sort on the CPU has the same
    CellOrder<T> same(grid_, {work_.offset, work_.offset, work_.offset});
    same.sort(Cpu{}, mapped_.positions());
    compare(same);
  }
}

template class Scene<float, Cpu>;
template class Scene<double, Cpu>;
template class Scene<float, Gpu>;
template class Scene<double, Gpu>;

} // namespace corral::bench
