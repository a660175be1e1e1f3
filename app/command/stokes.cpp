#include "app/command/commands.hpp"

#include "app/points/flow.hpp"
#include "app/points/point_table.hpp"
#include "app/system/process.hpp"
#include "app/system/text.hpp"
#include "run/case/problems.hpp"
#include "stokes/sum_plan.hpp"

#include <corral/error.hpp>
#include <corral/execution.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <vector>

namespace corral::app {

namespace {

using stokes::Sum;

constexpr std::array<std::string_view, 16> point_columns{"x",  "y",  "z",  "fx", "fy", "fz", "qx", "qy",
                                                         "qz", "nx", "ny", "nz", "tx", "ty", "tz", "charge"};

/// Columns of a source's strength, in the library's order.
std::span<const std::string_view> strengths_of(Sum sum) {
  constexpr std::array<std::size_t, 4> first{3, 6, 12, 15};
  return std::span(point_columns).subspan(first[static_cast<std::size_t>(sum)], static_cast<std::size_t>(strength_columns(sum)));
}

std::string joined(std::span<const std::string_view> names, std::string_view between) {
  std::string all;
  for (const std::string_view name : names) all += (all.empty() ? "" : std::string(between)) + std::string(name);
  return all;
}

[[noreturn]] void refuse_names(const PointTable& table, const std::string& message) {
  run::Problems problems;
  problems.add({table.file.string(), 1}, message);
  problems.throw_if_any();
  throw Error(message); // not reached
}

void require_strengths(const PointTable& sources, Sum sum) {
  std::vector<std::string_view> missing;
  for (const std::string_view name : strengths_of(sum))
    if (!sources.has(name)) missing.push_back(name);
  if (!missing.empty())
    refuse_names(sources, "no column " + joined(missing, ", ") + " (strengths of a " + std::string(name(sum)) + " are " +
                              joined(strengths_of(sum), ", ") + ") add what is missing, or choose another --sum");
}

/// The sum whose strengths are there, if it is a single one.
Sum sum_of(const PointTable& sources, const std::optional<Sum>& asked) {
  std::vector<Sum> begun;
  std::string names, all;
  for (const Sum sum : stokes::all_sums) {
    const auto strengths = strengths_of(sum);
    all += (all.empty() ? "" : "; ") + joined(strengths, ", ") + " of a " + std::string(name(sum));
    if (std::ranges::none_of(strengths, [&](std::string_view name) { return sources.has(name); })) continue;
    begun.push_back(sum);
    names += (names.empty() ? "" : " and a ") + std::string(name(sum));
  }
  if (!asked && begun.empty()) refuse_names(sources, "no strengths (" + all + ") add their columns");
  if (!asked && begun.size() > 1)
    refuse_names(sources, "strengths of a " + names + " (one sum is done at a time) choose one with --sum");
  const Sum sum = asked.value_or(begun.empty() ? Sum::stokeslet : begun.front());
  require_strengths(sources, sum);
  return sum;
}

void require_results(Sum sum, const StokesOptions& options) {
  if (options.pressure && result_columns(sum, stokes::Result::pressure) == 0)
    throw UsageError("--pressure: a " + std::string(name(sum)) + " has none (stokeslets and stresslets have) leave it out");
  if (options.radius && (sum != Sum::stokeslet || options.pressure || options.gradient))
    throw UsageError("--radius: spheres have forces and velocities alone (" +
                     (sum != Sum::stokeslet ? "this is a " + std::string(name(sum))
                                            : std::string(options.pressure ? "--pressure" : "--gradient") + " is asked for") +
                     ") leave it out");
  if (options.viscosity && sum == Sum::laplace)
    throw UsageError("--viscosity: a laplace sum is a potential (no fluid is in it) leave it out");
}

/// That the file may be written, as far as that is known beforehand.
void require_place(const StokesOptions& options) {
  const std::filesystem::path& file = options.output;
  if (file.empty()) return;
  std::error_code code;
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  if (!std::filesystem::is_directory(folder, code))
    throw UsageError("--output: " + folder.string() + " is not a directory (" + file.filename().string() +
                     " cannot be written there) make it, or choose another");
  if (!std::filesystem::exists(file, code)) return;
  if (!std::filesystem::is_regular_file(file, code))
    throw UsageError("--output: " + file.string() + " is not a plain file (results need one) choose another");
  for (const std::filesystem::path& input : {options.points, options.targets})
    if (!input.empty() && std::filesystem::equivalent(file, input, code))
      throw UsageError("--output: " + file.string() + " is what is read (it would be lost) choose another file");
  if (!options.overwrite)
    throw UsageError("--output: " + file.string() + " is there (results don't replace files unasked) replace it with "
                                                    "--overwrite, or choose another file");
}

std::array<std::span<const double>, 3> places_of(const PointTable& table) {
  return {table.columns.at("x"), table.columns.at("y"), table.columns.at("z")};
}

Positions<double> positions_of(const PointTable& table) {
  const auto [x, y, z] = places_of(table);
  return positions(x.data(), y.data(), z.data(), table.points);
}

stokes::Sources sources_of(const PointTable& table, Sum sum) {
  stokes::Sources sources{.at = positions_of(table)};
  std::size_t c = 0;
  for (const std::string_view name : strengths_of(sum))
    sources.strength[c++] = {table.columns.at(std::string(name)).data(), table.points, 1};
  return sources;
}

/// Flow of a fluid of that viscosity [Pa s], of which sums are 8 pi mu times the velocity and 8 pi times the pressure.
void scale(Flow& flow, double viscosity) {
  constexpr double all_round = 8 * std::numbers::pi;
  flow.scale(1 / (all_round * viscosity), 1 / all_round);
}

std::string report_of(const stokes::SumPlan& plan, const StokesOptions& options, int threads) {
  const stokes::SumSeconds& s = plan.seconds();
  const auto seconds = [](double t) { return rounded_text(t, 3) + " s"; };
  std::string text = std::string(name(plan.task().sum)) + ", " + std::to_string(plan.task().sources) + " sources, " +
                     std::to_string(plan.task().targets) + " targets\n" + report(plan.task(), plan.parameters()) +
                     "took " + seconds(s.total()) + " on " + std::to_string(threads) + (threads == 1 ? " thread" : " threads") +
                     ": sort " + seconds(s.sort) + ", spread " + seconds(s.spread) + ", transform " + seconds(s.transform) +
                     ", interpolate " + seconds(s.interpolate) + ", near field " + seconds(s.near) + "; " +
                     bytes_text(static_cast<double>(plan.bytes())) + "\n";
  if (options.viscosity)
    text += "of a fluid of " + number_text(*options.viscosity) + " Pa s: velocities are sums over 8 pi mu, pressures over 8 pi\n";
  else if (plan.task().sum != Sum::laplace)
    text += "plain sums: velocities are 8 pi mu times, pressures 8 pi times those of a fluid\n";
  return text;
}

} // namespace

void sum_points(const StokesOptions& options, std::ostream& out, std::ostream& err) {
  require_place(options);
  const PointTable sources = read_points(options.points, point_columns);
  const Sum sum = sum_of(sources, options.sum);
  require_results(sum, options);
  std::optional<PointTable> others;
  if (!options.targets.empty()) others = read_points(options.targets, point_columns);
  const PointTable& targets = others ? *others : sources;

  Flow flow(sum, places_of(targets), options.pressure, options.gradient);
  const stokes::Task task{.sum = sum, .all_results = options.pressure || options.gradient, .box = options.box,
                          .radius = options.radius.value_or(0), .tolerance = options.tolerance, .sources = sources.points, .targets = targets.points};
  const int threads = threads_for(options.threads).count;
  std::string report;
  run_with_threads(threads, [&] {
    const EndOnSignal end_on_signal;
    try {
      stokes::SumPlan plan(task, options.fixed);
      plan(Cpu{}, sources_of(sources, sum), flow.targets(positions_of(targets)));
      report = report_of(plan, options, threads);
    } catch (const Error& e) {
      throw UsageError(e.what()); // of numbers that don't go together
    }
    if (options.viscosity) scale(flow, *options.viscosity);
  });
  if (options.output.empty()) flow.put_csv([&](std::string_view text) { out << text; });
  else flow.write(options.output);
  if (options.report) err << report;
}

} // namespace corral::app
