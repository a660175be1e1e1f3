#include "engine/c/guard.hpp"
#include "stokes/stokes.h"
#include "stokes/sum_plan.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <string>
#include <utility>

using namespace corral;
using stokes::Result;
using stokes::Sum;

static_assert(int(Sum::stokeslet) == corral_stokeslet && int(Sum::stresslet) == corral_stresslet);
static_assert(int(Sum::rotlet) == corral_rotlet && int(Sum::laplace) == corral_laplace);
static_assert(int(stokes::WindowShape::kaiser_bessel) == corral_kaiser_bessel);
static_assert(int(stokes::WindowShape::exponential_semicircle) == corral_exponential_semicircle);
// No padding, which would hide a member that a later version puts there.
static_assert(sizeof(corral_stokes_task) == 112 && sizeof(corral_stokes_parameters) == 64);
static_assert(sizeof(corral_stokes_seconds) == 48 && sizeof(corral_stokes_results) == 48);

struct corral_stokes_plan {
  stokes::SumPlan plan;
  int threads; ///< most that a call uses; 0: no limit of its own
  std::string report;
  mutable std::atomic_flag busy{};
};

namespace {

c::LastError& stokes_last_error() noexcept {
  static thread_local c::LastError of_this_thread;
  return of_this_thread;
}
template <class F> int guarded(F&& body) noexcept { return c::guarded(stokes_last_error(), body); }

bool flag(std::int32_t value, const char* what) { return c::enumerator<int>(value, 2, what) == 1; }

stokes::Task task_of(const corral_stokes_task& given) {
  stokes::Task task;
  task.sum = c::enumerator<Sum>(given.kind, static_cast<std::int32_t>(stokes::all_sums.size()), "corral_stokes_kind");
  task.all_results = flag(given.all_results, "all_results");
  for (std::size_t d = 0; d < 3; ++d) {
    task.box.periodic[d] = !flag(given.free_axis[d], "free_axis");
    task.box.origin[d] = given.origin[d];
    task.box.edge[d] = given.edge[d];
  }
  task.radius = given.radius;
  if (given.tolerance != 0) task.tolerance = given.tolerance;
  if (given.sources < 1)
    throw Error("a plan for " + std::to_string(given.sources) +
                " sources (their number decides what is fastest) say about how many there will be");
  c::require_count(given.targets, "targets");
  task.sources = given.sources;
  task.targets = given.targets == 0 ? given.sources : given.targets;
  return task;
}

stokes::Parameters fixed_of(const corral_stokes_parameters* given) {
  if (given == nullptr) return {};
  const auto p = c::read(given, 0, "corral_stokes_parameters");
  return {.xi = p.xi,
          .cut_off = p.cut_off,
          .modes = {p.modes[0], p.modes[1], p.modes[2]},
          .support = p.support,
          .window = c::enumerator<stokes::WindowShape>(p.window, 2, "corral_stokes_window"),
          .beta = p.beta};
}

template <class T> Column<T> column(const corral_column* columns, std::int64_t i) {
  return c::typed<T>(c::read_column(columns, i), "sums are");
}

/// One as long as there are points, also where it has no data, which to a SumPlan means that it is not asked for.
template <class T>
Column<T> column_of_points(const corral_column* columns, std::int64_t i, std::int64_t points, const char* what) {
  const Column<T> of_points = column<T>(columns, i);
  if (of_points.size != points)
    throw Error(std::string("a column of ") + what + " has " + std::to_string(of_points.size) + " values (there are " +
                std::to_string(points) + " points)");
  return of_points;
}

Positions<double> positions_of(const corral_column* columns, const char* what) {
  c::require_pointer(columns, what);
  Positions<double> at;
  for (std::size_t d = 0; d < 3; ++d) at.axis[d] = column<const double>(columns, static_cast<std::int64_t>(d));
  const auto points = [&](std::size_t d) { return std::to_string(at.axis[d].size); };
  if (at.axis[1].size != at.axis[0].size || at.axis[2].size != at.axis[0].size)
    throw Error(std::string(what) + " with coordinates of " + points(0) + ", " + points(1) + " and " + points(2) +
                " points (three columns are equally long) in Fortran hand over an array of three rows");
  return at;
}

/// The columns of an array, of which there have to be as many as `to` has places for that kind: `wanted`.
template <class T, std::size_t N>
void read_columns(std::array<Column<T>, N>& to, const corral_column* columns, std::int64_t count, int wanted,
                  std::int64_t points, Sum kind, const char* what) {
  if (count != wanted)
    throw Error(std::to_string(count) + " columns of " + what + " (kind " + std::string(name(kind)) + " has " +
                std::to_string(wanted) + ")");
  c::require_pointer(columns, what);
  for (std::int64_t i = 0; i < count; ++i)
    to[static_cast<std::size_t>(i)] = column_of_points<T>(columns, i, points, what);
}

stokes::Sources sources_of(Sum kind, const corral_column* at, std::int64_t count, const corral_column* strengths) {
  stokes::Sources from{.at = positions_of(at, "sources")};
  read_columns(from.strength, strengths, count, stokes::strength_columns(kind), from.at.size(), kind, "strengths");
  return from;
}

stokes::Targets targets_of(Sum kind, const Positions<double>& at, const corral_stokes_results* results) {
  const auto asked = c::read(results, 0, "corral_stokes_results");
  stokes::Targets to{.at = at};
  if (asked.velocity != nullptr || asked.velocity_count != 0)
    read_columns(to.velocity, asked.velocity, asked.velocity_count, result_columns(kind, Result::velocity), at.size(),
                 kind, "velocity");
  if (asked.gradient != nullptr || asked.gradient_count != 0)
    read_columns(to.gradient, asked.gradient, asked.gradient_count, result_columns(kind, Result::gradient), at.size(),
                 kind, "gradient");
  if (asked.pressure == nullptr) return to;
  if (result_columns(kind, Result::pressure) == 0)
    throw Error("a pressure of kind " + std::string(name(kind)) + " (it has none)");
  to.pressure = column_of_points<double>(asked.pressure, 0, at.size(), "pressure");
  return to;
}

/// Calls `work` where no other call is at work on the plan. Throws Error where one is.
template <class F> void alone(const corral_stokes_plan& handle, const F& work) {
  if (handle.busy.test_and_set(std::memory_order_acquire))
    throw Error("a plan that another call is at work on (it serves one at a time) make one for each thread");
  struct Release {
    std::atomic_flag& busy;
    ~Release() { busy.clear(std::memory_order_release); }
  } release{handle.busy};
  work();
}

/// Sets what the caller's struct, which may be a shorter one of an earlier version, has of those members.
template <class Struct> void fill(Struct* to, Struct values, const char* name) {
  c::read(to, 0, name);
  values.struct_size = to->struct_size;
  std::memcpy(to, &values, std::min(values.struct_size, sizeof values));
}

} // namespace

const char* corral_stokes_last_error(void) { return stokes_last_error().text(); }

int corral_stokes_plan_make(const corral_stokes_task* task, const corral_stokes_parameters* fixed,
                            corral_stokes_plan** plan) {
  return guarded([&] {
    c::require_pointer(plan, "plan");
    *plan = nullptr;
    const auto given = c::read(task, 0, "corral_stokes_task");
    c::require_threads(given.threads);
    stokes::SumPlan made(task_of(given), fixed_of(fixed));
    std::string report = stokes::report(made.task(), made.parameters());
    *plan = new corral_stokes_plan{std::move(made), given.threads, std::move(report)};
  });
}

void corral_stokes_plan_destroy(corral_stokes_plan* plan) { delete plan; }

int corral_stokes_plan_sum(corral_stokes_plan* plan, const corral_column sources[3], int64_t strength_count,
                           const corral_column strengths[], const corral_column targets[3],
                           const corral_stokes_results* results) {
  return guarded([&] {
    c::require_pointer(plan, "plan");
    const Sum kind = plan->plan.task().sum;
    const stokes::Sources from = sources_of(kind, sources, strength_count, strengths);
    const stokes::Targets to =
        targets_of(kind, targets == nullptr ? from.at : positions_of(targets, "targets"), results);
    alone(*plan, [&] { c::with_threads(plan->threads, [&] { plan->plan(Cpu{}, from, to); }); });
  });
}

int corral_stokes_plan_parameters(const corral_stokes_plan* plan, corral_stokes_parameters* parameters) {
  return guarded([&] {
    c::require_pointer(plan, "plan");
    const stokes::Parameters& p = plan->plan.parameters();
    fill(parameters,
         {.struct_size = 0,
          .xi = p.xi,
          .cut_off = p.cut_off,
          .modes = {p.modes[0], p.modes[1], p.modes[2]},
          .support = p.support,
          .window = static_cast<std::int32_t>(p.window),
          .beta = p.beta},
         "corral_stokes_parameters");
  });
}

int corral_stokes_plan_report(const corral_stokes_plan* plan, const char** text) {
  return guarded([&] {
    c::require_pointer(plan, "plan");
    c::require_pointer(text, "text");
    *text = plan->report.c_str();
  });
}

int corral_stokes_plan_seconds(const corral_stokes_plan* plan, corral_stokes_seconds* seconds) {
  return guarded([&] {
    c::require_pointer(plan, "plan");
    alone(*plan, [&] {
      const stokes::SumSeconds& s = plan->plan.seconds();
      fill(seconds, {0, s.sort, s.spread, s.transform, s.interpolate, s.near}, "corral_stokes_seconds");
    });
  });
}

int corral_stokes_plan_bytes(const corral_stokes_plan* plan, int64_t* bytes) {
  return guarded([&] {
    c::require_pointer(plan, "plan");
    c::require_pointer(bytes, "bytes");
    alone(*plan, [&] { *bytes = plan->plan.bytes(); });
  });
}
