#pragma once

#include "stokes/direct_sum.hpp"
#include "stokes/sum_plan.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace corral::test {

using stokes::all_sums;
using stokes::Box;
using stokes::Sum;
using stokes::SumPlan;
using stokes::Task;

using Point = std::array<double, 3>;
using Strength = std::array<double, stokes::most_strengths>;

/// Numbers in [0, 1), the same on every machine.
class Numbers {
public:
  explicit Numbers(std::uint64_t seed) : state_(seed * 2 + 1) {}
  double operator()() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) * 0x1p-53;
  }

private:
  std::uint64_t state_;
};

inline std::vector<Strength> strengths(std::size_t n, Numbers& next) {
  std::vector<Strength> all(n);
  for (Strength& s : all)
    for (double& x : s) x = 2 * next() - 1;
  return all;
}

inline std::vector<Point> uniform(std::size_t n, const stokes::Box& box, Numbers& next) {
  std::vector<Point> all(n);
  for (Point& x : all)
    for (std::size_t d = 0; d < 3; ++d) x[d] = box.origin[d] + box.edge[d] * next();
  return all;
}

inline stokes::Task task_of(stokes::Sum sum, std::size_t n, const stokes::Box& box, double tolerance, bool all = true) {
  const auto points = static_cast<std::int64_t>(n);
  return {.sum = sum, .all_results = all, .box = box, .tolerance = tolerance, .sources = points, .targets = points};
}

inline Positions<double> positions_of(const std::vector<Point>& points) {
  return positions(points.empty() ? nullptr : points[0].data(), static_cast<std::int64_t>(points.size()));
}

/// What a plan makes of it: target behind target, as DirectSum has it.
inline std::vector<double> by_plan(stokes::SumPlan& plan, const std::vector<Point>& sources,
                                   const std::vector<Strength>& strength, const std::vector<Point>& targets) {
  const stokes::Sum sum = plan.task().sum;
  const bool all = plan.task().all_results;
  const auto out = static_cast<std::int64_t>(stokes::columns(sum, all));
  const auto n = static_cast<std::int64_t>(sources.size()), m = static_cast<std::int64_t>(targets.size());
  std::vector<double> results(static_cast<std::size_t>(out * m), -7);
  stokes::Sources from{positions_of(sources)};
  for (std::size_t c = 0; c < stokes::most_strengths; ++c)
    from.strength[c] = {strength.empty() ? nullptr : strength[0].data() + c, n, stokes::most_strengths};
  stokes::Targets to;
  to.at = positions_of(targets);
  for (const stokes::Result r : stokes::each_result)
    for (int c = 0; c < stokes::result_columns(sum, r); ++c) {
      if (!all && r != stokes::Result::velocity) continue;
      const Column<double> column{results.data() + stokes::first_column(sum, r) + c, m, out};
      (r == stokes::Result::velocity   ? to.velocity[static_cast<std::size_t>(c)]
       : r == stokes::Result::pressure ? to.pressure
                                       : to.gradient[static_cast<std::size_t>(c)]) = column;
    }
  plan(Cpu{}, from, to);
  return results;
}

/// The root mean square over targets of the difference, by result, in the units of a plan's tolerance.
inline std::array<double, 3> errors(const stokes::Task& task, const std::vector<Strength>& strength,
                                    const std::vector<double>& got, const std::vector<long double>& right) {
  double Q = 0;
  for (const Strength& s : strength) {
    const double first = s[0] * s[0] + (task.sum == stokes::Sum::laplace ? 0 : s[1] * s[1] + s[2] * s[2]);
    Q += first * (task.sum == stokes::Sum::stresslet ? s[3] * s[3] + s[4] * s[4] + s[5] * s[5] : 1);
  }
  const auto out = static_cast<std::size_t>(stokes::columns(task.sum, task.all_results)), targets = got.size() / out;
  std::array<double, 3> all{};
  for (const stokes::Result r : stokes::each_result) {
    if (!task.all_results && r != stokes::Result::velocity) continue;
    double square = 0;
    for (std::size_t t = 0; t < targets; ++t)
      for (int c = 0; c < stokes::result_columns(task.sum, r); ++c) {
        const std::size_t at = t * out + static_cast<std::size_t>(stokes::first_column(task.sum, r) + c);
        const double off = static_cast<double>(got[at] - right[at]);
        square += off * off;
      }
    all[static_cast<std::size_t>(r)] = std::sqrt(square / static_cast<double>(targets) / Q) *
                                       std::pow(std::cbrt(task.box.volume()), stokes::decay(task.sum, r));
  }
  return all;
}

} // namespace corral::test
