#include "stokes/sum_state.hpp"

#include "stokes/near/box_cells.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace corral::stokes {
namespace {

Grid far_cells(const Task& task, const Parameters& p) {
  const SpectralBox box = spectral_box(task, p);
  return cells_of(task.box.origin, box.edge, box.modes, {true, true, true});
}

bool same(const Positions<double>& a, const Positions<double>& b) {
  for (std::size_t d = 0; d < 3; ++d)
    if (a.axis[d].data != b.axis[d].data || a.axis[d].size != b.axis[d].size || a.axis[d].stride != b.axis[d].stride)
      return false;
  return true;
}

FarTensors tensors_of(const Task& task, const Parameters& p, const Window& window, FarTensors::Power power) {
  const SpectralBox box = spectral_box(task, p);
  return {task.sum, task.all_results, box, p.xi, task.radius, power, [&](std::size_t d, double k) {
            return window.transform(k * box.edge[d] / static_cast<double>(box.modes[d]));
          }};
}

} // namespace

SumPlan::State::State(const Task& t, const Parameters& fixed, const CostModel& cost)
    : task(t), parameters(choose(t, fixed, cost)),
      window(make_window(parameters.window, parameters.support, parameters.beta)), far_grid(far_cells(t, parameters)),
      near_grid(cells_of(t.box.origin, t.box.edge, near_cells(t, parameters.cut_off), t.box.periodic)),
      far_sources(far_grid), near_sources(near_grid), far_targets(far_grid), near_targets(near_grid),
      modes({.nx = parameters.modes[0], .rows = parameters.modes[1], .planes = parameters.modes[2]},
            std::max(far_columns(t.sum), columns(t.sum, t.all_results))),
      tensors(tensors_of(t, parameters, *window, FarTensors::Power::whole)),
      near(t.sum, t.all_results, parameters.xi, parameters.cut_off, pair_error(t), t.radius) {
  for (int f = 0; f < std::max(far_columns(t.sum), columns(t.sum, t.all_results)); ++f)
    fields.push_back(fluid::spectral::large_array(far_grid.points(Staggering::node)));
}

void SumPlan::State::require_near(Cpu cpu, const Positions<double>& at, const char* what) const {
  for (std::size_t d = 0; d < 3; ++d) {
    const double far = 1e6 * task.box.edge[d], origin = task.box.origin[d];
    const Column<const double> x = at.axis[d];
    const double off =
        corral::sum(cpu, at.size(), [=](std::int64_t i) { return std::abs(x[i] - origin) > far ? 1.0 : 0.0; });
    if (off > 0)
      throw Error(std::to_string(static_cast<std::int64_t>(off)) + " of " + std::to_string(at.size()) + " " + what +
                  " are more than a million boxes away (wrapped, they would lose their digits)");
  }
}

void SumPlan::State::sort(Cpu cpu, const Positions<double>& sources, const Positions<double>& targets) {
  targets_are_sources = same(sources, targets);
  // By the near field's cells first: they tell who is outside where the box does not wrap.
  const auto sorted = [&](CellOrder<double>& order, const Positions<double>& at, const char* what) {
    const SortCounts counts = order.sort(cpu, at);
    require_near(cpu, at, what);
    if (counts.inside == at.size()) return;
    throw Error(std::to_string(at.size() - counts.inside) + " of " + std::to_string(at.size()) + " " + what +
                (spectral_box(task, parameters).free_axes() == 0
                     ? " are not finite, or too far off to wrap (coordinates are in metres)"
                     : " are not finite, or outside of the box (along free axes it holds all points)"));
  };
  sorted(near_sources, sources, "sources");
  if (apart()) sorted(near_targets, targets, "targets");
  far_sources.sort(cpu, sources);
  if (apart()) far_targets.sort(cpu, targets);
}

SumPlan::State::Strengths SumPlan::State::spread_columns(Cpu cpu, const Strengths& strengths) {
  if (task.sum != Sum::stresslet) return strengths;
  const std::int64_t n = strengths[0].size;
  symmetric.resize(far_columns(task.sum) * n);
  double* const to = symmetric.data();
  for_each(cpu, n, [&](std::int64_t i) {
    const auto of_source = far_strengths<double>(task.sum, [&](std::size_t c) { return strengths[c][i]; });
    for (std::int64_t c = 0; c < far_columns(task.sum); ++c) to[c * n + i] = of_source[static_cast<std::size_t>(c)];
  });
  Strengths columns;
  for (std::int64_t c = 0; c < far_columns(task.sum); ++c) columns.push_back({to + c * n, n, 1});
  return columns;
}

void SumPlan::State::add_far(Cpu cpu, const Strengths& strengths, const Columns& results) {
  Stopwatch watch;
  std::vector<Spread<double>> spreads;
  std::vector<const double*> from;
  std::vector<double*> to;
  for (std::size_t c = 0; c < strengths.size(); ++c) {
    double* const field = fields[c].data();
    for_each_chunk(cpu, fields[c].size(), 1 << 16,
                   [&](std::int64_t begin, std::int64_t end) { std::fill(field + begin, field + end, 0.0); });
    spreads.push_back({strengths[c], field_view(far_grid, field, Staggering::node)});
    from.push_back(field);
  }
  window->spread(cpu, far_sources, spreads);
  watch.add_to(seconds.spread);
  for (std::size_t c = 0; c < results.size(); ++c) to.push_back(fields[c].data());
  modes.apply(cpu, from, tensors, to);
  watch.add_to(seconds.transform);
  interpolate(cpu, results);
  watch.add_to(seconds.interpolate);
}

void SumPlan::State::interpolate(Cpu cpu, const Columns& results) {
  std::vector<Interpolate<double>> interpolations;
  for (std::size_t c = 0; c < results.size(); ++c)
    interpolations.push_back(
        {field_view(far_grid, static_cast<const double*>(fields[c].data()), Staggering::node), results[c]});
  window->interpolate(cpu, apart() ? far_targets : far_sources, interpolations);
}

void SumPlan::State::add_near(Cpu cpu, const Positions<double>& sources, const Positions<double>& targets,
                              const Strengths& strengths, const Columns& results) {
  near.add(cpu, near_grid, {(apart() ? near_targets : near_sources).view(cpu), targets},
           {near_sources.view(cpu), sources}, strengths, results);
}

void SumPlan::State::set_noise(Cpu cpu, const NormalNumbers& numbers, const Columns& velocity) {
  if (!roots) roots.emplace(tensors_of(task, parameters, *window, FarTensors::Power::root));
  std::vector<const double*> from;
  std::vector<double*> to;
  for (std::size_t c = 0; c < velocity.size(); ++c) {
    double* const field = fields[c].data();
    for_each_chunk(cpu, fields[c].size(), 1 << 14, [&](std::int64_t begin, std::int64_t end) {
      numbers.fill(static_cast<int>(c), begin, {field + begin, static_cast<std::size_t>(end - begin)});
    });
    from.push_back(field);
    to.push_back(field);
  }
  modes.apply(cpu, from, *roots, to);
  // Transforms there and back multiply by the number of points; their root is in the noise's size.
  const double scale = 1 / std::sqrt(static_cast<double>(far_grid.points(Staggering::node)));
  for (Array<double>& field : fields) {
    double* const f = field.data();
    for_each(cpu, field.size(), [=](std::int64_t i) { f[i] *= scale; });
  }
  interpolate(cpu, velocity);
}

} // namespace corral::stokes
