#include "structure/markers/pulls_and_anchors.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace corral::structure {

void Pulls::hold(const Pull& pull, std::int64_t first, std::span<const std::array<double, 3>> x) {
  const auto axis = static_cast<std::size_t>(pull.axis);
  std::vector<std::size_t> along(x.size());
  std::iota(along.begin(), along.end(), std::size_t{0});
  std::stable_sort(along.begin(), along.end(), [&](std::size_t a, std::size_t b) { return x[a][axis] < x[b][axis]; });
  const auto count =
      static_cast<std::size_t>(std::max(1LL, std::llround(pull.share * static_cast<double>(x.size()))));
  const double each = pull.force / static_cast<double>(count);
  for (std::size_t i = 0; i < count && 2 * i + 1 < x.size(); ++i) {
    held_.push_back({first + static_cast<std::int64_t>(along[i]), pull.axis, -each, pull.ramp});
    held_.push_back({first + static_cast<std::int64_t>(along[x.size() - 1 - i]), pull.axis, each, pull.ramp});
  }
}

void Pulls::add(double time, const Points& force) const {
  for (const Held& h : held_) force[h.axis][h.point] += h.at(time);
}

double Pulls::power(double time, const ConstPoints& velocity) const {
  double power = 0;
  for (const Held& h : held_) power += h.at(time) * velocity[h.axis][h.point];
  return power;
}

std::array<double, 3> shift_at(const std::vector<ImmersedGroup::PathPoint>& path, double time) {
  ImmersedGroup::PathPoint before{0, {}};
  for (const ImmersedGroup::PathPoint& p : path) {
    if (time < p.time) {
      const double share = (time - before.time) / (p.time - before.time);
      std::array<double, 3> shift{};
      for (std::size_t d = 0; d < 3; ++d) shift[d] = before.shift[d] + share * (p.shift[d] - before.shift[d]);
      return shift;
    }
    before = p;
  }
  return before.shift;
}

void TetherAnchors::hold(Membranes& membranes, std::span<const std::array<double, 3>> x,
                   std::vector<const std::vector<ImmersedGroup::PathPoint>*> paths) {
  moving_ = moving_ || std::any_of(paths.begin(), paths.end(), [](const auto* path) { return path != nullptr; });
  kinds_.push_back({&membranes, {x.begin(), x.end()}, std::move(paths), {}});
  for (Array<double>& a : kinds_.back().now) a.resize(static_cast<std::int64_t>(x.size()));
}

void TetherAnchors::set(Cpu cpu, double time) {
  for (Kind& kind : kinds_) {
    const std::int64_t n = kind.membranes->markers_per_membrane();
    for (std::int64_t c = 0; c < kind.membranes->count(); ++c) {
      const auto* path = kind.paths[c];
      const std::array<double, 3> shift = path ? shift_at(*path, time) : std::array<double, 3>{};
      for (std::size_t d = 0; d < 3; ++d)
        for (std::int64_t i = c * n; i < (c + 1) * n; ++i)
          kind.now[d][i] = kind.start[i][d] + shift[d];
    }
    kind.membranes->set_anchors(cpu, {kind.now[0].data(), kind.now[1].data(), kind.now[2].data()});
  }
}

double TetherAnchors::work(const Membranes& membranes, const ConstPoints& forces, double from, double to) const {
  double work = 0;
  for (const Kind& kind : kinds_) {
    if (kind.membranes != &membranes) continue;
    const std::int64_t n = membranes.force_points_per_membrane();
    for (std::int64_t c = 0; c < membranes.count(); ++c) {
      const auto* path = kind.paths[c];
      if (!path) continue;
      const std::array<double, 3> begin = shift_at(*path, from), end = shift_at(*path, to);
      for (std::size_t d = 0; d < 3; ++d) {
        double force = 0;
        for (std::int64_t i = c * n; i < (c + 1) * n; ++i) force += forces[d][i];
        work += force * (end[d] - begin[d]);
      }
    }
  }
  return work;
}

} // namespace corral::structure
