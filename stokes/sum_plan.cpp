#include "stokes/sum_plan.hpp"

#include "fluid/spectral/mode_map.hpp"
#include "stokes/far/tensors.hpp"
#include "stokes/far/window.hpp"
#include "stokes/near/near_field.hpp"

#include <corral/cell_order.hpp>
#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace corral::stokes {
namespace {

using Columns = std::vector<Column<double>>;
using Strengths = std::vector<Column<const double>>;

/// Cells of a box that wraps, or is open.
Grid cells_of(const std::array<double, 3>& origin, const std::array<double, 3>& edge,
              const std::array<std::int64_t, 3>& cells, const std::array<bool, 3>& periodic) {
  std::array<Axis, 3> axes;
  for (std::size_t d = 0; d < 3; ++d) {
    axes[d] = {.cells = cells[d], .origin = origin[d], .spacing = edge[d] / static_cast<double>(cells[d])};
    if (!periodic[d]) axes[d].low = axes[d].high = Boundary::open;
  }
  return Grid(axes);
}
Grid far_cells(const Task& task, const Parameters& p) {
  const SpectralBox box = spectral_box(task, p);
  return cells_of(task.box.origin, box.edge, box.modes, {true, true, true});
}

class Stopwatch {
public:
  /// Adds what has gone by since the last call.
  void add_to(double& seconds) {
    const auto now = std::chrono::steady_clock::now();
    seconds += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

bool same(const Positions<double>& a, const Positions<double>& b) {
  for (std::size_t d = 0; d < 3; ++d)
    if (a.axis[d].data != b.axis[d].data || a.axis[d].size != b.axis[d].size || a.axis[d].stride != b.axis[d].stride)
      return false;
  return true;
}

template <class C> void require_column(const C& column, std::int64_t size, const std::string& what) {
  if (column.size != size)
    throw Error(what + " has " + std::to_string(column.size) + " values (there are " + std::to_string(size) +
                " points)");
}

} // namespace

struct SumPlan::State {
  State(const Task& t, const Parameters& fixed, const CostModel& cost);

  void sort(Cpu, const Positions<double>& sources, const Positions<double>& targets);
  void require_near(Cpu, const Positions<double>& at, const char* what) const;
  /// Sets the columns.
  void add_far(Cpu, const Strengths& strengths, const Columns& results);
  /// What goes to the grid: the strengths, or q n + n q of a stresslet's.
  Strengths spread_columns(Cpu, const Strengths& strengths);
  bool apart() const { return !targets_are_sources; }

  Task task;
  Parameters parameters;
  std::unique_ptr<Window> window;
  Grid far_grid, near_grid;
  CellOrder<double> far_sources, near_sources, far_targets, near_targets;
  bool targets_are_sources = true;
  fluid::spectral::ModeMap modes;
  FarTensors tensors;
  NearField near;
  std::vector<Array<double>> fields;
  Array<double> symmetric; ///< of stresslets, column behind column
  Array<double> unasked;   ///< results that come with others
  SumSeconds seconds;
};

namespace {

FarTensors tensors_of(const Task& task, const Parameters& p, const Window& window) {
  const SpectralBox box = spectral_box(task, p);
  return {task.sum, task.all_results, box, p.xi, task.radius, [&](std::size_t d, double k) {
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
      tensors(tensors_of(t, parameters, *window)),
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

Strengths SumPlan::State::spread_columns(Cpu cpu, const Strengths& strengths) {
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
  std::vector<Interpolate<double>> interpolations;
  for (std::size_t c = 0; c < results.size(); ++c) {
    to.push_back(fields[c].data());
    interpolations.push_back(
        {field_view(far_grid, static_cast<const double*>(fields[c].data()), Staggering::node), results[c]});
  }
  modes.apply(cpu, from, tensors, to);
  watch.add_to(seconds.transform);
  window->interpolate(cpu, apart() ? far_targets : far_sources, interpolations);
  watch.add_to(seconds.interpolate);
}

SumPlan::SumPlan(const Task& task, const Parameters& fixed, const CostModel& cost)
    : state_(std::make_unique<State>(task, fixed, cost)) {}
SumPlan::~SumPlan() = default;
SumPlan::SumPlan(SumPlan&&) noexcept = default;
SumPlan& SumPlan::operator=(SumPlan&&) noexcept = default;

const Task& SumPlan::task() const { return state_->task; }
const Parameters& SumPlan::parameters() const { return state_->parameters; }
const SumSeconds& SumPlan::seconds() const { return state_->seconds; }

std::int64_t SumPlan::bytes() const {
  std::int64_t sum =
      state_->modes.bytes() + state_->tensors.bytes() + state_->near.bytes() + state_->symmetric.bytes() + state_->unasked.bytes();
  for (const Array<double>& f : state_->fields) sum += f.bytes();
  for (const CellOrder<double>* order :
       {&state_->far_sources, &state_->near_sources, &state_->far_targets, &state_->near_targets})
    sum += order->bytes();
  return sum;
}

void SumPlan::operator()(Cpu cpu, const Sources& sources, const Targets& targets) {
  State& s = *state_;
  const Sum sum = s.task.sum;
  const std::int64_t n = sources.at.size(), m = targets.at.size();
  for (std::size_t d = 0; d < 3; ++d) {
    require_column(sources.at.axis[d], n, "a coordinate of sources");
    require_column(targets.at.axis[d], m, "a coordinate of targets");
  }
  Strengths strengths;
  for (int c = 0; c < strength_columns(sum); ++c) {
    strengths.push_back(sources.strength[static_cast<std::size_t>(c)]);
    require_column(strengths.back(), n, "strength " + std::to_string(c) + " of a " + std::string(name(sum)));
  }
  Columns results;
  const bool all = s.task.all_results;
  std::int64_t unasked = 0;
  const auto ask = [&](const Column<double>& column, const char* what) {
    if (column.data == nullptr)
      ++unasked;
    else
      require_column(column, m, what);
    results.push_back(column);
  };
  for (int c = 0; c < result_columns(sum, Result::velocity); ++c)
    ask(targets.velocity[static_cast<std::size_t>(c)], "velocity");
  if (all && result_columns(sum, Result::pressure) > 0) ask(targets.pressure, "pressure");
  for (int c = 0; all && c < result_columns(sum, Result::gradient); ++c)
    ask(targets.gradient[static_cast<std::size_t>(c)], "gradient");
  if (!all && (targets.pressure.data != nullptr || targets.gradient[0].data != nullptr))
    throw Error("pressure or gradient from a plan of velocities (make it with all_results)");
  for (std::size_t c = 0; c < strengths.size(); ++c) {
    const Column<const double> column = strengths[c];
    const double bad = corral::sum(cpu, n, [&](std::int64_t i) { return std::isfinite(column[i]) ? 0.0 : 1.0; });
    if (bad > 0)
      throw Error("strength " + std::to_string(c) + " is not finite at " +
                  std::to_string(static_cast<std::int64_t>(bad)) + " sources");
  }

  s.seconds = {};
  Stopwatch watch;
  s.sort(cpu, sources.at, targets.at);
  watch.add_to(s.seconds.sort);
  s.unasked.resize(unasked * m);
  std::int64_t taken = 0;
  for (Column<double>& column : results)
    if (column.data == nullptr) column = {s.unasked.data() + m * taken++, m, 1};
  s.add_far(cpu, s.spread_columns(cpu, strengths), results);
  Stopwatch near;
  s.near.add(cpu, s.near_grid, {(s.apart() ? s.near_targets : s.near_sources).view(cpu), targets.at},
             {s.near_sources.view(cpu), sources.at}, strengths, results);
  near.add_to(s.seconds.near);
}

} // namespace corral::stokes
