#include "bench/stokes/measure_stokes.hpp"

#include "bench/duration.hpp"
#include "bench/measure.hpp"
#include "bench/stokes/peak.hpp"
#include "stokes/direct_sum.hpp"
#include "stokes/near/screening.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace corral::bench {
namespace {

constexpr std::int64_t cells = 100; // of `spacing`: a box of 1 m

Particles<double> drawn(int strengths, std::int64_t n) {
  Workload work;
  work.cells = {cells, cells, cells};
  work.fields = strengths;
  Particles<double> points = draw_particles<double>(work, n);
  for (int f = 0; f < strengths; ++f) {
    const Column<double> strength = points.value.column(f);
    for_each(Cpu{}, n, [=](std::int64_t i) { strength[i] -= 1; });
  }
  return points;
}

/// Medians of the last `count` calls.
stokes::SumSeconds medians(const std::vector<stokes::SumSeconds>& calls, std::size_t count) {
  const auto of = [&](double stokes::SumSeconds::*part) {
    std::vector<double> values;
    for (std::size_t i = calls.size() - count; i < calls.size(); ++i) values.push_back(calls[i].*part);
    return median(values);
  };
  using S = stokes::SumSeconds;
  return {.sort = of(&S::sort), .spread = of(&S::spread), .transform = of(&S::transform), .interpolate = of(&S::interpolate),
          .near = of(&S::near)};
}

stokes::SumSeconds scaled(stokes::SumSeconds s, double by) {
  for (double* part : {&s.sort, &s.spread, &s.transform, &s.interpolate, &s.near}) *part *= by;
  return s;
}

StokesRow row_of(const stokes::SumPlan& plan, const SumTiming& timing) {
  StokesRow row{.task = plan.task(), .parameters = plan.parameters(), .timing = timing};
  const stokes::Parameters& p = row.parameters;
  row.expected = stokes::expect(row.task, p);
  const auto n = static_cast<double>(row.task.sources);
  row.pairs = n * n * 4 * std::numbers::pi / 3 * std::pow(p.cut_off, 3) / row.task.box.volume();
  row.candidates = stokes::amounts(row.task, p).pair;
  row.operations = near_operations(stokes::Screening(p.xi * p.cut_off, stokes::pair_error(row.task)).degree());
  return row;
}

} // namespace

StokesPoints::StokesPoints(stokes::Sum sum, bool all_results, std::int64_t points)
    : sum_(sum), all_(all_results), points_(drawn(stokes::strength_columns(sum), points)),
      results_(points, stokes::columns(sum, all_results), Layout::separate) {}

stokes::Task StokesPoints::task(stokes::Sum sum, bool all_results, std::int64_t points, double tolerance) {
  return {.sum = sum, .all_results = all_results, .box = {.edge = {cells * spacing, cells * spacing, cells * spacing}},
          .tolerance = tolerance, .sources = points, .targets = points};
}

void StokesPoints::run(stokes::SumPlan& plan) {
  stokes::Sources sources{.at = points_.positions()};
  stokes::Targets targets{.at = points_.positions()};
  for (int s = 0; s < stokes::strength_columns(sum_); ++s)
    sources.strength[static_cast<std::size_t>(s)] = points_.value.column(s);
  for (const stokes::Result r : stokes::each_result)
    for (int c = 0; c < stokes::result_columns(sum_, r) && (all_ || r == stokes::Result::velocity); ++c) {
      const Column<double> column = results_.column(stokes::first_column(sum_, r) + c);
      if (r == stokes::Result::velocity) targets.velocity[static_cast<std::size_t>(c)] = column;
      if (r == stokes::Result::pressure) targets.pressure = column;
      if (r == stokes::Result::gradient) targets.gradient[static_cast<std::size_t>(c)] = column;
    }
  plan(Cpu{}, sources, targets);
}

StokesPoints::Direct StokesPoints::direct(std::int64_t targets) {
  std::vector<std::array<double, 3>> at(static_cast<std::size_t>(points_.size()));
  std::vector<std::array<double, stokes::most_strengths>> strengths(at.size());
  for (std::size_t i = 0; i < at.size(); ++i) {
    for (int d = 0; d < 3; ++d) at[i][static_cast<std::size_t>(d)] = points_.position.data(d)[i];
    for (int s = 0; s < stokes::strength_columns(sum_); ++s)
      strengths[i][static_cast<std::size_t>(s)] = points_.value.data(s)[i];
  }
  const stokes::DirectSum sum{.sum = sum_, .box = task(1).box};
  const auto some = std::span(at).first(static_cast<std::size_t>(std::min(targets, points_.size())));
  Direct direct{};
  std::vector<double> once, with; // a small difference of large numbers: medians of both, in turn
  for (int round = 0; round < 3; ++round) {
    once.push_back(duration_of(1, [&] { sum(at, strengths, {}); }).counted);
    with.push_back(duration_of(1, [&] { direct.velocities = sum(at, strengths, some); }).counted);
  }
  const double of_targets = std::max(0.0, median(with) - median(once));
  direct.seconds = median(once) + of_targets * static_cast<double>(at.size()) / static_cast<double>(some.size());
  return direct;
}

double StokesPoints::error(const Direct& direct) {
  const auto columns = static_cast<std::size_t>(stokes::columns(sum_, false));
  double off = 0, size = 0, strengths = 0;
  for (std::size_t k = 0; k < direct.velocities.size(); ++k) {
    const auto right = static_cast<double>(direct.velocities[k]);
    const double found = results_.column(static_cast<int>(k % columns))[static_cast<std::int64_t>(k / columns)];
    off += (found - right) * (found - right);
    size += right * right;
  }
  for (int s = 0; s < stokes::strength_columns(sum_); ++s) {
    const Column<double> strength = points_.value.column(s);
    for (std::int64_t i = 0; i < points_.size(); ++i) strengths += strength[i] * strength[i];
  }
  const double targets = static_cast<double>(direct.velocities.size()) / static_cast<double>(columns);
  const double unit = std::sqrt(strengths) / std::pow(std::cbrt(task(1).box.volume()), stokes::decay(sum_, stokes::Result::velocity));
  return std::sqrt(off / targets) / std::max(unit, std::sqrt(size / targets));
}

std::vector<SumTiming> time_sum(stokes::SumPlan& plan, StokesPoints& points, const std::vector<int>& threads, int repeats) {
  std::vector<Timed> timed;
  std::vector<std::vector<stokes::SumSeconds>> parts(threads.size());
  double operations = 0; // of a thread
  for (std::size_t t = 0; t < threads.size(); ++t) {
    const int n = threads[t];
    timed.push_back({[&, n, t] {
      const Duration duration = duration_of(n, [&] { points.run(plan); });
      // The clock also ran where another program had the processor: on average in each part as long as it took.
      parts[t].push_back(scaled(plan.seconds(), duration.counted / duration.clock));
      return duration.counted;
    }});
    timed.push_back({[&, n] {
      return duration_of(n, [&] {
               for_each_chunk(Cpu{}, n, 1, [&](std::int64_t begin, std::int64_t) {
                 const double done = multiply_add_at_peak();
                 if (begin == 0) operations = done;
               });
             }).counted;
    }});
  }
  for (Timed& t : timed) t.lengthy = 1e9; // the first call makes memory: it never counts
  time_in_turn(timed, repeats);
  std::vector<SumTiming> timings;
  for (std::size_t t = 0; t < threads.size(); ++t)
    timings.push_back({.threads = threads[t], .parts = medians(parts[t], timed[2 * t].seconds.size()),
                       .seconds = median(timed[2 * t].seconds),
                       .peak = threads[t] * operations / median(timed[2 * t + 1].seconds)});
  return timings;
}

double near_operations(int degree) {
  // stokes/near/near_loops-inl.hpp, a multiply-add being two; what compares, selects or moves bits is not counted.
  constexpr int distance = 3 + 5;              // r, r^2
  constexpr int screened = 3 + 3 + 3 + 4;      // square root, argument; 1/r; y; exponent
  constexpr int radial = 1 + 1 + 2 + 2 + 1;    // 1/r^2, B, psi_0, psi_1, Hasimoto's
  constexpr int pair = 5 + 1 + 3 * (2 + 2);    // along, b, three velocities
  return distance + screened + 2 * 2 * degree + radial + pair;
}

std::vector<StokesRow> measure_stokes(const StokesWork& work, int repeats, const std::function<void(const StokesRow&)>& tell) {
  StokesPoints points(stokes::Sum::stokeslet, false, work.points);
  std::optional<StokesPoints::Direct> direct;
  if (work.compared > 0) direct = points.direct(work.compared);
  std::vector<StokesRow> rows;
  for (const double tolerance : work.tolerances) {
    stokes::SumPlan plan(points.task(tolerance));
    for (const SumTiming& timing : time_sum(plan, points, work.threads, repeats)) {
      StokesRow row = row_of(plan, timing);
      row.repeats = repeats;
      if (direct) row.error = points.error(*direct), row.direct_seconds = direct->seconds;
      tell(row);
      rows.push_back(row);
    }
  }
  return rows;
}

} // namespace corral::bench
