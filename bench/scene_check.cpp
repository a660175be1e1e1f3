#include "bench/scene.hpp"
#include "bench/verify.hpp"

#include <corral/error.hpp>

#include <cstdio>

namespace corral::bench {

namespace {

std::int64_t cube(std::int64_t n) { return n * n * n; }

/// Particles of the fullest group.
template <class T> std::int64_t fullest(const CellOrder<T>& order) {
  std::int64_t most = 0;
  const auto n = order.groups();
  for (std::int64_t g = 0; g < n[0] * n[1] * n[2]; ++g)
    most = std::max(most, order.group_begin(g + 1) - order.group_begin(g));
  return most;
}

void require(const Workload& work, const Call& call, double difference, double allowed) {
  if (difference <= allowed) return;
  char figures[100];
  std::snprintf(figures, sizeof figures, "by %.2g of the largest value (round-off explains %.2g)", difference, allowed);
  throw Error(std::string(word(call.task)) + " with kernel " + work.kernel + " and method " +
              std::string(name(call.method)) + " differs from the plain loop " + figures);
}

} // namespace

template <class T> void Scene<T>::check(const Call& call) {
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

template <class T> void Scene<T>::check_spread(const Call& call) {
  if (expected_.size() == 0) {
    expected_ = Values<T>(fields_.size(), work_.fields, work_.layout);
    plain_.spread(grid_, mapped_.positions(), spread_terms(mapped_.value, expected_));
  }
  Comparison comparison;
  for (int f = 0; f < work_.fields; ++f) {
    const Column<T> values = fields_.column(f), expected = expected_.column(f);
    for (std::int64_t i = 0; i < values.size; ++i) comparison.add(values[i], expected[i]);
  }
  const std::int64_t cells = *std::max_element(work_.cells.begin(), work_.cells.end());
  const std::int64_t terms = std::min(work_.particles, fullest(order_) * cube(maps_.support + 1));
  require(work_, call, comparison.relative(), round_off<T>(cells, terms));
}

template <class T> void Scene<T>::check_interpolate(const Call& call) {
  constexpr std::int64_t chunk = 1 << 16; // particles compared at once
  Values<T> expected(std::min(chunk, work_.particles), work_.fields, work_.layout);
  Comparison comparison;
  for (std::int64_t first = 0; first < work_.particles; first += chunk) {
    const std::int64_t n = std::min(chunk, work_.particles - first);
    plain_.interpolate(grid_, mapped_.positions(first, n), interpolate_terms(0, n, expected));
    for (int f = 0; f < work_.fields; ++f)
      for (std::int64_t i = 0; i < n; ++i) comparison.add(results_.column(f)[first + i], expected.column(f)[i]);
  }
  const std::int64_t cells = *std::max_element(work_.cells.begin(), work_.cells.end());
  require(work_, call, comparison.relative(), round_off<T>(cells, cube(maps_.support)));
}

template <class T> void Scene<T>::check_reorder() {
  const Column<T> drawn = mapped_.value.column(0), column = results_.column(0);
  for (std::int64_t i = 0; i < drawn.size; ++i) column[i] = drawn[i];
  order_.permute(Cpu{}, column.data, column.size, column.stride);
  for (std::int64_t i = 0; i < drawn.size; ++i)
    if (column[i] != drawn[order_.source(i)])
      throw Error("reorder put a wrong value at place " + std::to_string(i) + " of " + std::to_string(drawn.size));
}

template class Scene<float>;
template class Scene<double>;

} // namespace corral::bench
