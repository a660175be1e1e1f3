#include "structure/markers/pulls.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

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

} // namespace corral::structure
