#include "bench/maps.hpp"

#include "bench/measure.hpp"
#include "bench/text.hpp"

#include <corral/kernels/shipped.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace corral::bench {

namespace {

std::string work_text(const Workload& w) {
  return w.kernel + ", " + formatted("%.3g", static_cast<double>(w.particles)) + " " +
         std::string(word(w.distribution)) + " on " + std::to_string(w.cells[0]) + "x" + std::to_string(w.cells[1]) +
         "x" + std::to_string(w.cells[2]) + " cells, " + std::string(word(w.points));
}

double seconds_per_particle(const Row& row) { return row.seconds / static_cast<double>(row.work.particles); }

std::map<Task, std::vector<Row>> by_task(const std::vector<Row>& rows) {
  std::map<Task, std::vector<Row>> tasks;
  for (const Row& row : rows) tasks[row.call.task].push_back(row);
  return tasks;
}

} // namespace

std::string count_targets(const std::vector<Row>& rows) {
  int met = 0, all = 0;
  for (const Row& row : rows)
    for (const Target& target : row.call.targets) {
      ++all;
      met += row.meets(target) ? 1 : 0;
    }
  return formatted("%d of %d targets met, %d missed\n", met, all, all - met);
}

std::string compare_methods(const std::vector<Row>& rows) {
  std::map<std::pair<std::string, Task>, std::vector<Row>> groups;
  for (const Row& row : rows) groups[{work_text(row.work), row.call.task}].push_back(row);
  std::string text;
  for (const auto& [key, group] : groups) {
    const Row* best = &group.front();
    const Row* automatic = nullptr;
    for (const Row& row : group) {
      if (row.seconds < best->seconds) best = &row;
      if (row.call.method == Method::automatic) automatic = &row;
    }
    text += std::string(word(key.second)) + ", " + key.first + ": best " + std::string(name(best->call.method));
    if (automatic != nullptr)
      text += formatted(", automatic takes %.2f times as long", automatic->seconds / best->seconds);
    text += "\n";
  }
  return text;
}

namespace {

/// A constant that says from how many particles a cell on `automatic` takes a method.
struct Threshold {
  std::string_view constant, kernel;
  Task task;
  Method method;
  std::vector<Method> others;
};

const std::vector<Threshold>& thresholds() {
  using enum Method;
  static const std::vector<Threshold> all{
      {"enough_for_cells", "linear", Task::spread, octet, {tiles, grid_gather}},
      {"enough_for_stream", "linear", Task::spread, stream, {octet, tiles, grid_gather}},
      {"enough_for_stream", "linear", Task::interpolate, stream, {stencils}},
      {"enough_for_bricks", "peskin4", Task::interpolate, bricks, {stencils}},
      {"enough_for_bricks", "kaiser_bessel8", Task::interpolate, bricks, {stencils}},
      {"enough_for_bricks", "kaiser_bessel14", Task::interpolate, bricks, {stencils}},
      {"enough_for_tensor_core", "kaiser_bessel8", Task::spread, tensor_core, {tiles, grid_gather}},
      {"enough_for_towers", "peskin4", Task::spread, towers, {tensor_core, tiles, grid_gather}},
      {"enough_for_towers", "kaiser_bessel8", Task::spread, towers, {tensor_core, tiles, grid_gather}},
      {"enough_for_towers", "kaiser_bessel14", Task::spread, towers, {tensor_core, tiles, grid_gather}}};
  return all;
}

double per_cell(const Workload& w) {
  return static_cast<double>(w.particles) / static_cast<double>(w.cells[0] * w.cells[1] * w.cells[2]);
}

/// Time of the fastest of the others over that of the method, by density.
std::map<double, double> gains(const Threshold& t, const std::vector<Row>& rows) {
  std::map<double, double> of_method, of_others, gain;
  for (const Row& row : rows) {
    if (row.work.kernel != t.kernel || row.call.task != t.task) continue;
    const double density = per_cell(row.work);
    if (row.call.method == t.method) of_method[density] = row.seconds;
    if (std::find(t.others.begin(), t.others.end(), row.call.method) == t.others.end()) continue;
    const auto [found, added] = of_others.try_emplace(density, row.seconds);
    if (!added) found->second = std::min(found->second, row.seconds);
  }
  for (const auto& [density, seconds] : of_method)
    if (of_others.count(density) != 0) gain[density] = of_others[density] / seconds;
  return gain;
}

} // namespace

std::string find_crossings(const std::vector<Row>& rows) {
  std::string text;
  for (const Threshold& t : thresholds()) {
    const std::map<double, double> gain = gains(t, rows);
    auto from = gain.end(); // it wins there and wherever there are more
    while (from != gain.begin() && std::prev(from)->second >= 1) --from;
    const std::string what = std::string(name(t.method)) + " " + std::string(word(t.task)) + " of " + std::string(t.kernel);
    if (from == gain.end()) {
      text += "// " + std::string(t.constant) + ": " + what + " was not the fastest at the highest density\n";
      continue;
    }
    text += formatted("inline constexpr double %s = %.3g; ", std::string(t.constant).c_str(), from->first) + "///< " + what +
            formatted(": %.2f times as fast as the next", from->second);
    text += from == gain.begin() ? "; the lowest density measured\n" : formatted(", at %.3g %.2f times\n", std::prev(from)->first, std::prev(from)->second);
  }
  return text;
}

std::string compare_with_neighbours(const std::vector<Row>& rows) {
  constexpr std::size_t reach = 3;
  std::string text;
  for (const auto& [task, sizes] : by_task(rows)) {
    double worst = 0;
    const Row* slowest = nullptr;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      std::vector<double> neighbours;
      for (std::size_t j = i - std::min(i, reach); j <= std::min(i + reach, sizes.size() - 1); ++j)
        if (j != i) neighbours.push_back(seconds_per_particle(sizes[j]));
      const double ratio = neighbours.empty() ? 1 : seconds_per_particle(sizes[i]) / median(neighbours);
      if (ratio <= worst) continue;
      worst = ratio;
      slowest = &sizes[i];
    }
    text += std::string(word(task)) + ": slowest beside its neighbours is " + work_text(slowest->work) +
            formatted(", %.2f times their median (at most 1.5: %s)\n", worst, worst <= 1.5 ? "met" : "missed");
  }
  return text;
}

std::string compare_with_first(const std::vector<Row>& rows) {
  std::string text;
  for (const auto& [task, sizes] : by_task(rows))
    for (std::size_t i = 1; i < sizes.size(); ++i) {
      const double ratio = seconds_per_particle(sizes[i]) / seconds_per_particle(sizes[0]);
      text += std::string(word(task)) + ": " + work_text(sizes[i].work) +
              formatted(", %.2f times as long per particle as the first (at most 1.1: %s)\n", ratio,
                        ratio <= 1.1 ? "met" : "missed");
    }
  return text;
}

std::string compare_grids(const std::vector<Row>& rows) {
  std::string text;
  for (const auto& [task, of_task] : by_task(rows)) {
    std::map<Method, std::vector<Row>> methods;
    for (const Row& row : of_task) methods[row.call.method].push_back(row);
    for (const auto& [method, grids] : methods) {
      text += std::string(word(task)) + " by " + std::string(name(method)) + ":";
      for (const Row& row : grids)
        text += formatted(" %.2f ms on %lld^3,", 1e3 * row.seconds, static_cast<long long>(row.work.cells[0]));
      text += formatted(" %.2f times as long on the last as on the first\n", grids.back().seconds / grids.front().seconds);
    }
  }
  return text;
}

std::string compare_starts(const std::vector<Row>& rows) {
  std::string text;
  for (const Row& row : rows) {
    const std::string what = std::string(word(row.call.task)) + ", " + work_text(row.work) +
                             formatted(", %d threads, ", row.call.threads) + std::string(word(row.call.start));
    for (const Row& warm : rows)
      if (warm.call.task == row.call.task && warm.call.threads == row.call.threads &&
          warm.call.start == Start::warm && row.call.start != Start::warm)
        text += what + formatted(": %.2f times as long as warm\n", row.seconds / warm.seconds);
    if (row.call.threads > 1 && row.one_thread_seconds > 0)
      text += what + formatted(": %.2f times as fast as one thread\n", row.value(Figure::one_thread));
  }
  return text;
}

std::string window_fits() {
  std::string text = "window                     beta/P  largest error of its polynomials\n";
  kernels::for_each_of(kernels::ShippedKernels{}, [&]<class K>(const K& kernel) {
    if constexpr (requires { kernel.exact(0.0); }) {
      constexpr int places = 1000 * K::support;
      double worst = 0;
      for (int i = 0; i < places; ++i) {
        const double r = K::support * ((i + 0.5) / places - 0.5);
        worst = std::max(worst, std::abs(kernel(r) - kernel.exact(r)));
      }
      text += formatted("%-26s %6.2f  %.1e\n", K::name.data(), kernel.beta() / K::support, worst);
    }
  });
  return text;
}

} // namespace corral::bench
