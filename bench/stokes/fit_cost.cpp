#include "bench/stokes/fit_cost.hpp"

#include "bench/text.hpp"

#include <algorithm>

namespace corral::bench {
namespace {

using stokes::CostModel;
using stokes::CostPart;
using stokes::Sum;
using Constant = double CostModel::*;

/// Seconds that some of the constants explain.
struct Equation {
  std::vector<Constant> constants;
  double (*measured)(const stokes::SumSeconds&);
};

const std::vector<Equation>& equations() {
  using M = CostModel;
  using S = stokes::SumSeconds;
  static const std::vector<Equation> all{
      {{&M::pair, &M::pair_decimal, &M::pair_column, &M::gather, &M::near_particle}, [](const S& s) { return s.near; }},
      {{&M::map_particle, &M::map_point, &M::map_point_apart}, [](const S& s) { return s.spread + s.interpolate; }},
      {{&M::transform, &M::transform_seven}, [](const S& s) { return s.transform; }}};
  return all;
}

/// The x >= 0 for which sums of rows[i][j] x[j] come nearest to 1, by squares: one number after the other, again and again.
std::vector<double> least_squares(const std::vector<std::vector<double>>& rows, std::size_t n) {
  std::vector<double> x(n, 0), off(rows.size(), 1);
  constexpr int sweeps = 20'000;
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (std::size_t j = 0; j < n; ++j) {
      double along = 0, square = 0;
      for (std::size_t i = 0; i < rows.size(); ++i) along += rows[i][j] * off[i], square += rows[i][j] * rows[i][j];
      if (square == 0) continue;
      const double step = std::max(along / square, -x[j]);
      x[j] += step;
      for (std::size_t i = 0; i < rows.size(); ++i) off[i] -= step * rows[i][j];
    }
  return x;
}

/// The largest of a column, by which it is divided, so that numbers are of one size.
double largest(const std::vector<std::vector<double>>& rows, std::size_t j) {
  double most = 0;
  for (const auto& row : rows) most = std::max(most, row[j]);
  return most;
}

struct SampleKind {
  Sum sum;
  bool all;
  std::int64_t points;
  double tolerance;
  std::int64_t modes = 0; ///< along each axis, more than are needed; 0: chosen
};

} // namespace

CostModel fit_cost(std::span<const CostSample> samples) {
  CostModel fitted;
  for (const Equation& equation : equations()) {
    const std::size_t n = equation.constants.size();
    std::vector<std::vector<double>> rows;
    for (const CostSample& sample : samples) {
      const double seconds = equation.measured(sample.parts);
      const CostModel amounts = stokes::amounts(sample.task, sample.parameters);
      auto& row = rows.emplace_back();
      for (const Constant c : equation.constants) row.push_back(amounts.*c / seconds);
    }
    std::vector<double> scale;
    for (std::size_t j = 0; j < n; ++j) scale.push_back(largest(rows, j));
    for (auto& row : rows)
      for (std::size_t j = 0; j < n; ++j) row[j] /= scale[j] > 0 ? scale[j] : 1;
    const std::vector<double> x = least_squares(rows, n);
    for (std::size_t j = 0; j < n; ++j)
      if (scale[j] > 0) fitted.*equation.constants[j] = x[j] / scale[j];
  }
  return fitted;
}

std::vector<CostSample> planned_cost_samples() {
  // Few and many decimals, strengths, results and points; grids with sevens, and with few points in many cells.
  constexpr Sum f = Sum::stokeslet, d = Sum::stresslet, q = Sum::laplace;
  std::vector<CostSample> samples;
  for (const SampleKind& kind : std::vector<SampleKind>{
           {f, false, 20'000, 1e-3}, {f, false, 20'000, 1e-6}, {f, false, 20'000, 1e-9}, {f, false, 20'000, 1e-12},
           {f, false, 100'000, 1e-3}, {f, false, 100'000, 1e-6}, {f, true, 10'000, 1e-6}, {f, true, 10'000, 1e-12},
           {d, false, 10'000, 1e-6}, {d, false, 10'000, 1e-12}, {q, false, 20'000, 1e-12}, {q, false, 50'000, 1e-3},
           {q, false, 50'000, 1e-9}, {f, false, 20'000, 1e-6, 112}, {q, false, 20'000, 1e-6, 140},
           {f, false, 10'000, 1e-9, 100}, {q, false, 10'000, 1e-12, 96}, {f, false, 50'000, 1e-12, 160}}) {
    const stokes::Task task = StokesPoints::task(kind.sum, kind.all, kind.points, kind.tolerance);
    stokes::Parameters parameters = stokes::choose(task);
    if (kind.modes != 0) parameters.modes.fill(kind.modes);
    samples.push_back({task, stokes::choose(task, parameters)});
  }
  return samples;
}

std::vector<CostSample> measure_cost_samples(int repeats, const std::function<void(const std::string&)>& tell) {
  std::vector<CostSample> samples = planned_cost_samples();
  for (CostSample& sample : samples) {
    const stokes::Task& task = sample.task;
    StokesPoints points(task.sum, task.all_results, task.sources);
    stokes::SumPlan plan(task, sample.parameters);
    sample.parts = time_sum(plan, points, {1}, repeats).front().parts;
    tell(formatted("%-10s %7lld points to %.0e, %lld^3, P = %2d: near field %8.2f ms, maps %8.2f, transforms %8.2f\n",
                   name(task.sum).data(), static_cast<long long>(task.sources), task.tolerance,
                   static_cast<long long>(sample.parameters.modes[0]), sample.parameters.support, 1e3 * sample.parts.near,
                   1e3 * (sample.parts.spread + sample.parts.interpolate), 1e3 * sample.parts.transform));
  }
  return samples;
}

std::string cost_text(const CostModel& cost) {
  std::string text;
  for (const CostPart& part : stokes::cost_parts)
    text += (text.empty() ? "{" : ", ") + formatted(".%s = %.3g", std::string(part.name).c_str(), cost.*part.seconds);
  return text + "}\n";
}

std::string cost_json(const CostModel& cost) {
  JsonObject object;
  for (const CostPart& part : stokes::cost_parts) object.add(part.name, cost.*part.seconds);
  return object.text();
}

} // namespace corral::bench
