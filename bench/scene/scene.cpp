#include "bench/scene/scene.hpp"

#include "bench/report.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>
#include <corral/kernels/shipped.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <thread>

namespace corral::bench {
namespace {

template <class K> constexpr int widest(const K& kernel) {
  if constexpr (kernels::Kernel<K>) return K::support;
  else return std::max(kernel.along.support, kernel.across.support);
}

} // namespace

template <class T, Execution E> KernelMaps<T> kernel_maps(std::string_view name) {
  KernelMaps<T> maps;
  std::shared_ptr<const void> kept; // the kernel, to which its weights refer
  std::optional<WeightsOn<E, T>> weights;
  const bool known = kernels::with_kernel(name, [&]<class K>(const K& shipped) {
    const auto kernel = std::make_shared<const K>(shipped);
    kept = kernel;
    maps.support = widest(*kernel);
    weights = WeightsOn<E, T>::of(*kernel);
  });
  if (!known) throw Error("no kernel '" + std::string(name) + "' (docs/kernels.md lists those that there are)");
  // What the public calls do with any kernel, compiled once for all 48.
  maps.spread = [kept, w = *weights](const CellOrder<T>& order, std::span<const Spread<T>> terms, Method method) {
    detail::spread<T>(E{}, order, w, terms, method);
  };
  maps.direct_spread = [kept, w = *weights](const Grid& grid, const Positions<T>& positions,
                                            std::span<const Spread<T>> terms, Method method) {
    detail::spread<T>(E{}, grid, positions, w, terms, method);
  };
  maps.direct_interpolate = [kept, w = *weights](const Grid& grid, const Positions<T>& positions,
                                                 std::span<const Interpolate<T>> terms, Method method) {
    detail::interpolate<T>(E{}, grid, positions, w, terms, method);
  };
  maps.interpolate = [kept, w = *weights](const CellOrder<T>& order, std::span<const Interpolate<T>> terms,
                                          Method method) { detail::interpolate<T>(E{}, order, w, terms, method); };
  return maps;
}

template KernelMaps<float> kernel_maps<float, Cpu>(std::string_view);
template KernelMaps<double> kernel_maps<double, Cpu>(std::string_view);
template KernelMaps<float> kernel_maps<float, Gpu>(std::string_view);
template KernelMaps<double> kernel_maps<double, Gpu>(std::string_view);

namespace {

/// Puts every twentieth particle into a neighbouring cell, along each axis in turn.
template <class T> void move_some(const Workload& work, Particles<T>& particles) {
  for (std::int64_t i = 0; i < particles.size(); i += 20) {
    const int d = static_cast<int>(i / 20 % 3);
    const T side = static_cast<T>(work.cells[d]) * static_cast<T>(spacing);
    T& x = particles.position.data(d)[i];
    x += static_cast<T>(spacing);
    if (x >= side) x -= side;
  }
}

std::int64_t points(const Workload& work) { return work.cells[0] * work.cells[1] * work.cells[2]; }

int source_fields(const Workload& work) {
  const bool wanted = std::any_of(work.calls.begin(), work.calls.end(),
                                  [](const Call& call) { return interpolates(call.task); });
  return wanted ? work.fields : 0;
}

/// Columns that a stream of six needs beside those of the particles.
template <class T> int spare_columns(const Particles<T>& particles) {
  return std::max(0, 3 - static_cast<int>(particles.value.arrays().size()));
}

template <class F> double seconds_of(F&& f) {
  const auto begin = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

template <class T> T read_here(const std::array<const T*, 6>& columns, std::int64_t n, int threads) {
  if (threads == 1) return read_columns(columns, 0, n);
  const std::int64_t share = (n + threads - 1) / threads;
  std::vector<T> sum(static_cast<std::size_t>(threads));
  for_each_chunk(Cpu{}, n, share, [&](std::int64_t begin, std::int64_t end) {
    sum[begin / share] = read_columns(columns, begin, end);
  });
  return std::accumulate(sum.begin(), sum.end(), T(0));
}

} // namespace

template <class T, Execution E>
Scene<T, E>::Scene(const Workload& work)
    : work_(work), grid_(periodic_grid(work.cells)), maps_(kernel_maps<T, E>(work.kernel)),
      plain_(plain_loop<T>(work.kernel)), order_(grid_, {work.offset, work.offset, work.offset}),
      mapped_(draw_particles<T>(work, work.particles)), results_(work.particles, work.fields, work.layout),
      fields_(points(work), work.fields, work.layout), source_(points(work), source_fields(work), work.layout),
      spare_(work.particles, spare_columns(mapped_), Layout::separate) {
  source_.fill_with_numbers();
  there_.emplace(There{Placed<T, E>(mapped_.position), Placed<T, E>(mapped_.value), Placed<T, E>(results_),
                       Placed<T, E>(fields_), Placed<T, E>(source_), Placed<T, E>(spare_)});
  for (Placed<T, E>* values : {&there_->position, &there_->value, &there_->results, &there_->source, &there_->spare})
    values->send();
  plain_size_ = std::min({work.particles, most_plain_particles,
                          particles_of(most_plain_additions<E>)});
  order_.sort(E{}, positions());
  if (reordered()) {
    drawn_ = draw_particles<T>(work, plain_size_);
    for (int d = 0; d < 3; ++d)
      order_.permute(E{}, Column<T>{there_->position.column(d).data, work.particles});
    for (int f = 0; f < work.fields; ++f)
      order_.permute(E{}, Column<T>{there_->value.column(f).data, work.particles, mapped_.value.stride()});
    order_.forget_permutation();
    there_->position.fetch();
    there_->value.fetch();
  }
  if (work.order == ParticleOrder::moved) {
    move_some(work, mapped_);
    there_->position.send();
    order_.sort(E{}, positions());
  }
}

template <class T, Execution E> double Scene<T, E>::additions_per_particle() const {
  return static_cast<double>(work_.fields) * maps_.support * maps_.support * maps_.support;
}

template <class T, Execution E> std::int64_t Scene<T, E>::particles_of(double additions) const {
  return static_cast<std::int64_t>(std::min(additions / additions_per_particle(), 1e18));
}

template <class T, Execution E> Positions<T> Scene<T, E>::positions() {
  Placed<T, E>& p = there_->position;
  return corral::positions<T>(p.column(0).data, p.column(1).data, p.column(2).data, work_.particles);
}

template <class T, Execution E> void Scene<T, E>::sort() {
  order_.sort(E{}, positions());
  if (work_.order == ParticleOrder::sorted) order_.forget_permutation(); // a stable sort moves none
}

template <class T, Execution E> void Scene<T, E>::run(const Call& call) {
  There& at = *there_;
  const auto spread = [&] {
    at.fields.clear();
    maps_.spread(order_, spread_terms(at.value, at.fields), call.method);
  };
  const auto interpolate = [&] { maps_.interpolate(order_, interpolate_terms(at.source, at.results), call.method); };
  const auto three_times = [](const auto& map) {
    for (int i = 0; i < 3; ++i) map();
  };
  switch (call.task) {
  case Task::spread: return spread();
  case Task::interpolate: return interpolate();
  case Task::sort: return sort();
  case Task::reorder:
    return order_.permute(E{}, Column<T>{at.results.column(0).data, work_.particles, results_.stride()});
  case Task::direct_spread:
    at.fields.clear();
    return maps_.direct_spread(grid_, positions(), spread_terms(at.value, at.fields), call.method);
  case Task::direct_interpolate:
    return maps_.direct_interpolate(grid_, positions(), interpolate_terms(at.source, at.results), call.method);
  case Task::sort_and_spread_3: sort(); return three_times(spread);
  case Task::sort_and_interpolate_3: sort(); return three_times(interpolate);
  }
}

template <class T, Execution E> void Scene<T, E>::prepare(Start start) {
  if (start == Start::cold) order_ = CellOrder<T>(grid_, {work_.offset, work_.offset, work_.offset});
  if (start == Start::rested) std::this_thread::sleep_for(std::chrono::duration<double>(rest));
}

template <class T, Execution E> double Scene<T, E>::time_plain(Task task) {
  Particles<T>& particles = plain_particles();
  const Positions<T> some = particles.positions(0, plain_size_);
  const double scale = static_cast<double>(work_.particles) / static_cast<double>(plain_size_);
  if (task == Task::interpolate)
    return scale * seconds_of([&] { plain_.interpolate(grid_, some, interpolate_terms(source_, results_)); });
  const double zeroing = seconds_of([&] { fields_.clear(); });
  return zeroing + scale * seconds_of([&] { plain_.spread(grid_, some, spread_terms(particles.value, fields_)); });
}

template <class T, Execution E> T Scene<T, E>::read_stream(int threads) {
  std::array<const T*, 6> columns{};
  std::size_t c = 0;
  const auto add = [&](const Placed<T, E>& placed, const Values<T>& values) {
    for (std::size_t a = 0; a < values.arrays().size(); ++a)
      if (c < columns.size()) columns[c++] = placed.array(a);
  };
  add(there_->position, mapped_.position);
  add(there_->value, mapped_.value);
  add(there_->spare, spare_);
  if constexpr (std::is_same_v<E, Cpu>) {
    return read_here(columns, work_.particles, threads);
  } else {
    if (!stream_sums_) stream_sums_ = device_memory<T>(stream_sums());
    read_columns_on_device(columns, work_.particles, stream_sums_->data());
    return 0;
  }
}

template class Scene<float, Cpu>;
template class Scene<double, Cpu>;
template class Scene<float, Gpu>;
template class Scene<double, Gpu>;

} // namespace corral::bench
