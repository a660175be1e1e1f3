#include "bench/scene/scene.hpp"

#include <algorithm>
#include <cmath>

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

} // namespace corral::bench
