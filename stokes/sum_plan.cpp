#include "stokes/sum_plan.hpp"

#include "stokes/sum_state.hpp"
#include "stokes/sums/columns.hpp"

#include <corral/error.hpp>

#include <string>

namespace corral::stokes {
namespace {

using Columns = std::vector<Column<double>>;
using Strengths = std::vector<Column<const double>>;

} // namespace

SumPlan::SumPlan(const Task& task, const Parameters& fixed, const CostModel& cost)
    : state_(std::make_unique<State>(task, fixed, cost)) {}
SumPlan::~SumPlan() = default;
SumPlan::SumPlan(SumPlan&&) noexcept = default;
SumPlan& SumPlan::operator=(SumPlan&&) noexcept = default;

const Task& SumPlan::task() const { return state_->task; }
const Parameters& SumPlan::parameters() const { return state_->parameters; }
const SumSeconds& SumPlan::seconds() const { return state_->seconds; }

std::int64_t SumPlan::bytes() const {
  std::int64_t sum = state_->modes.bytes() + state_->tensors.bytes() + state_->near.bytes() + state_->krylov.bytes() +
                     (state_->roots ? state_->roots->bytes() : 0) + state_->symmetric.bytes() + state_->unasked.bytes();
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
  for (std::size_t c = 0; c < strengths.size(); ++c)
    require_finite(cpu, strengths[c], "strength " + std::to_string(c));

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
  s.add_near(cpu, sources.at, targets.at, strengths, results);
  near.add_to(s.seconds.near);
}

void SumPlan::fluctuate(Cpu cpu, const Positions<double>& at, const NormalNumbers& numbers,
                        const std::array<Column<double>, 3>& velocity) {
  State& s = *state_;
  const int free = spectral_box(s.task, s.parameters).free_axes();
  if (!(s.task.radius > 0))
    throw Error("random velocities of points (give the plan a radius: without one they have no size)");
  if (free != 0 && free != 3)
    throw Error("random velocities in a box with some free axes (all may be periodic, or none)");
  const std::int64_t n = at.size();
  for (std::size_t d = 0; d < 3; ++d) {
    require_column(at.axis[d], n, "a coordinate");
    require_column(velocity[d], n, "velocity");
  }
  s.seconds = {};
  Stopwatch watch;
  s.sort(cpu, at, at);
  watch.add_to(s.seconds.sort);
  const Columns far(velocity.begin(), velocity.end());
  s.set_noise(cpu, numbers, far);
  watch.add_to(s.seconds.transform);
  const auto near = [&](const Strengths& forces, const Columns& to) { s.add_near(cpu, at, at, forces, to); };
  s.krylov.add_root(cpu, n, s.task.tolerance, numbers, near, far);
  watch.add_to(s.seconds.near);
}

} // namespace corral::stokes
