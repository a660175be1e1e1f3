#pragma once

/// The calls of pulls_and_anchors.hpp, for either processor.

#include "structure/markers/pulls_and_anchors.hpp"
#include "structure/values.t.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace corral::structure {

template <Execution E>
void Pulls<E>::hold(const Pull& pull, std::int64_t first, std::span<const std::array<double, 3>> x) {
  const auto axis = static_cast<std::size_t>(pull.axis);
  std::vector<std::size_t> along(x.size());
  std::iota(along.begin(), along.end(), std::size_t{0});
  std::stable_sort(along.begin(), along.end(), [&](std::size_t a, std::size_t b) { return x[a][axis] < x[b][axis]; });
  const auto count =
      static_cast<std::size_t>(std::max(1LL, std::llround(pull.share * static_cast<double>(x.size()))));
  const double each = pull.force / static_cast<double>(count);
  std::vector<HeldPoint> held = held_.values();
  for (std::size_t i = 0; i < count && 2 * i + 1 < x.size(); ++i) {
    held.push_back({first + static_cast<std::int64_t>(along[i]), pull.axis, -each, pull.ramp});
    held.push_back({first + static_cast<std::int64_t>(along[x.size() - 1 - i]), pull.axis, each, pull.ramp});
  }
  std::stable_sort(held.begin(), held.end(), [](const HeldPoint& a, const HeldPoint& b) { return a.point < b.point; });
  held_.assign(held);
}

/// Whoever comes first at a point, which may be held more than once, adds all that stand behind it there.
template <Execution E> void Pulls<E>::add(E execution, double time, const Points& force) const {
  const HeldPoint* const held = held_.data();
  for_each(execution, held_.size(), [=, n = held_.size()] CORRAL_BODY(std::int64_t first) {
    const std::int64_t point = held[first].point;
    if (first > 0 && held[first - 1].point == point) return;
    for (std::int64_t k = first; k < n && held[k].point == point; ++k)
      force[static_cast<std::size_t>(held[k].axis)][point] += held[k].at(time);
  });
}

template <Execution E> double Pulls<E>::power(E execution, double time, const ConstPoints& velocity) const {
  const HeldPoint* const held = held_.data();
  return sum(execution, held_.size(), [=] CORRAL_BODY(std::int64_t k) {
    return held[k].at(time) * velocity[static_cast<std::size_t>(held[k].axis)][held[k].point];
  });
}

template <Execution E>
void TetherAnchors<E>::hold(Membranes<E>& membranes, std::span<const std::array<double, 3>> x,
                            std::vector<const std::vector<ImmersedGroup::PathPoint>*> paths) {
  moving_ = moving_ || std::any_of(paths.begin(), paths.end(), [](const auto* path) { return path != nullptr; });
  kinds_.push_back({&membranes, {x.begin(), x.end()}, std::move(paths), {}, {}});
  for (auto& a : kinds_.back().now) a.resize(x.size());
  for (auto& a : kinds_.back().there) a = Array<double>(memory_for<E>);
}

template <Execution E> void TetherAnchors<E>::set(E execution, double time) {
  for (Kind& kind : kinds_) {
    const auto n = static_cast<std::size_t>(kind.membranes->markers_per_membrane());
    for (std::size_t c = 0; c < static_cast<std::size_t>(kind.membranes->count()); ++c) {
      const auto* path = kind.paths[c];
      const std::array<double, 3> shift = path ? shift_at(*path, time) : std::array<double, 3>{};
      for (std::size_t d = 0; d < 3; ++d)
        for (std::size_t i = c * n; i < (c + 1) * n; ++i) kind.now[d][i] = kind.start[i][d] + shift[d];
    }
    ConstPoints now{kind.now[0].data(), kind.now[1].data(), kind.now[2].data()};
    if constexpr (!std::same_as<E, Cpu>)
      for (std::size_t d = 0; d < 3; ++d) {
        kind.there[d].assign(kind.now[d]);
        now[d] = kind.there[d].data();
      }
    kind.membranes->set_anchors(execution, now);
  }
}

template <Execution E>
double TetherAnchors<E>::work(E execution, const Membranes<E>& membranes, const ConstPoints& forces, double from,
                              double to) const {
  double work = 0;
  for (const Kind& kind : kinds_) {
    if (kind.membranes != &membranes) continue;
    const std::int64_t n = membranes.force_points_per_membrane();
    for (std::int64_t c = 0; c < membranes.count(); ++c) {
      const auto* path = kind.paths[static_cast<std::size_t>(c)];
      if (!path) continue;
      const std::array<double, 3> begin = shift_at(*path, from), end = shift_at(*path, to);
      for (std::size_t d = 0; d < 3; ++d) work += (end[d] - begin[d]) * values::total(execution, n, forces[d] + c * n);
    }
  }
  return work;
}

} // namespace corral::structure
