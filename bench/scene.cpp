#include "bench/scene.hpp"

#include "bench/machine.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <array>
#include <numeric>

namespace corral::bench {

namespace {

template <class T>
FieldView<T> view(const Workload& work, Values<T>& fields, int f) {
  const std::int64_t s = fields.stride();
  return {fields.data(f), staggering(work.points, f), {s, s * work.cells[0], s * work.cells[0] * work.cells[1]}};
}

/// Puts every twentieth particle into a neighbouring cell, along each axis in turn.
template <class T> void move_some(const Workload& work, Particles<T>& particles) {
  for (std::int64_t i = 0; i < particles.size(); i += 20) {
    const int d = static_cast<int>(i / 20 % 3);
    const T side = static_cast<T>(work.cells[static_cast<std::size_t>(d)]) * static_cast<T>(spacing);
    T& x = particles.position.data(d)[i];
    x += static_cast<T>(spacing);
    if (x >= side) x -= side;
  }
}

std::int64_t points(const Workload& work) { return work.cells[0] * work.cells[1] * work.cells[2]; }

} // namespace

template <class T>
Scene<T>::Scene(const Workload& work)
    : work_(work), grid_(periodic_grid(work.cells)), maps_(kernel_maps<T>(work.kernel)),
      plain_(plain_loop<T>(work.kernel)), order_(grid_, {work.offset, work.offset, work.offset}),
      mapped_(draw_particles<T>(work, work.particles)), results_(work.particles, work.fields, work.layout),
      fields_(points(work), work.fields, work.layout), source_(points(work), work.fields, work.layout) {
  source_.fill_with_numbers();
  order_.sort(Cpu{}, mapped_.positions());
  if (reordered()) {
    drawn_ = draw_particles<T>(work, std::min(work.particles, most_plain_particles));
    for (int d = 0; d < 3; ++d) order_.permute(Cpu{}, mapped_.position.data(d), work.particles, 1);
    for (int f = 0; f < work.fields; ++f)
      order_.permute(Cpu{}, mapped_.value.data(f), work.particles, mapped_.value.stride());
    order_.forget_permutation();
  }
  if (work.order == ParticleOrder::moved) {
    move_some(work, mapped_);
    order_.sort(Cpu{}, mapped_.positions());
  }
  for (auto c = mapped_.value.arrays().size(); c < 3; ++c) spare_.emplace_back(work.particles, T(1));
}

template <class T> double Scene<T>::particles_per_plain_particle() const {
  return static_cast<double>(work_.particles) / static_cast<double>(reordered() ? drawn_.size() : mapped_.size());
}

template <class T>
std::vector<Spread<T>> Scene<T>::spread_terms(Values<T>& columns, Values<T>& fields) {
  std::vector<Spread<T>> terms;
  for (int f = 0; f < work_.fields; ++f) terms.push_back({columns.column(f), view(work_, fields, f)});
  return terms;
}

template <class T>
std::vector<Interpolate<T>> Scene<T>::interpolate_terms(std::int64_t first, std::int64_t n, Values<T>& columns) {
  std::vector<Interpolate<T>> terms;
  for (int f = 0; f < work_.fields; ++f) {
    const Column<T> all = columns.column(f);
    terms.push_back({view(work_, source_, f), {all.data + first * all.stride, n, all.stride}});
  }
  return terms;
}

template <class T> void Scene<T>::sort() {
  order_.sort(Cpu{}, mapped_.positions());
  if (work_.order == ParticleOrder::sorted) order_.forget_permutation(); // a stable sort moves none
}

template <class T> void Scene<T>::zero_fields() {
  for (Array<T>& field : fields_.arrays())
    for_each_chunk(Cpu{}, field.size(), 1 << 16, [&](std::int64_t begin, std::int64_t end) {
      std::fill(field.begin() + begin, field.begin() + end, T(0));
    });
}

template <class T> void Scene<T>::run(const Call& call) {
  const auto spread = [&] {
    zero_fields();
    maps_.spread(order_, spread_terms(mapped_.value, fields_), call.method);
  };
  const auto interpolate = [&] {
    maps_.interpolate(order_, interpolate_terms(0, work_.particles, results_), call.method);
  };
  const auto three_times = [](const auto& map) {
    for (int i = 0; i < 3; ++i) map();
  };
  switch (call.task) {
  case Task::spread: return spread();
  case Task::interpolate: return interpolate();
  case Task::sort: return sort();
  case Task::reorder: return order_.permute(Cpu{}, results_.data(0), work_.particles, results_.stride());
  case Task::direct_spread:
    zero_fields();
    return maps_.direct_spread(grid_, mapped_.positions(), spread_terms(mapped_.value, fields_), call.method);
  case Task::direct_interpolate:
    return maps_.direct_interpolate(grid_, mapped_.positions(), interpolate_terms(0, work_.particles, results_),
                                    call.method);
  case Task::sort_and_spread_3: sort(); return three_times(spread);
  case Task::sort_and_interpolate_3: sort(); return three_times(interpolate);
  }
}

template <class T> void Scene<T>::run_plain(Task task) {
  Particles<T>& particles = plain_particles();
  if (task == Task::spread) {
    zero_fields();
    plain_.spread(grid_, particles.positions(), spread_terms(particles.value, fields_));
  } else {
    plain_.interpolate(grid_, particles.positions(), interpolate_terms(0, particles.size(), results_));
  }
}

template <class T> T Scene<T>::read_stream(int threads) const {
  std::array<const T*, 6> columns{};
  std::size_t c = 0;
  auto add = [&](const std::vector<Array<T>>& arrays) {
    for (const Array<T>& array : arrays)
      if (c < columns.size()) columns[c++] = array.data();
  };
  add(mapped_.position.arrays());
  add(mapped_.value.arrays());
  add(spare_);
  if (threads == 1) return read_columns(columns, 0, work_.particles);
  const std::int64_t share = (work_.particles + threads - 1) / threads;
  std::vector<T> sum(static_cast<std::size_t>(threads));
  for_each_chunk(Cpu{}, work_.particles, share, [&](std::int64_t begin, std::int64_t end) {
    sum[static_cast<std::size_t>(begin / share)] = read_columns(columns, begin, end);
  });
  return std::accumulate(sum.begin(), sum.end(), T(0));
}

template class Scene<float>;
template class Scene<double>;

} // namespace corral::bench
