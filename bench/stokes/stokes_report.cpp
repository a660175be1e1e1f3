#include "bench/stokes/stokes_report.hpp"

#include "bench/text.hpp"

namespace corral::bench {
namespace {

/// The parts of a sum by name.
struct Part {
  const char* name;
  double stokes::SumSeconds::*seconds;
};
constexpr Part each_part[]{{"sort", &stokes::SumSeconds::sort},
                           {"spread", &stokes::SumSeconds::spread},
                           {"transform", &stokes::SumSeconds::transform},
                           {"interpolate", &stokes::SumSeconds::interpolate},
                           {"near", &stokes::SumSeconds::near}};

std::string optional_text(const std::optional<double>& value) { return value ? shortest(*value) : "null"; }

std::string row_json(const StokesRow& row) {
  const stokes::Parameters& p = row.parameters;
  JsonObject object, parts;
  object.add("sum", stokes::name(row.task.sum));
  object.add("points", row.task.sources);
  object.add("tolerance", row.task.tolerance);
  object.add("threads", std::int64_t{row.timing.threads});
  object.add("xi", p.xi);
  object.add("cut_off", p.cut_off);
  object.raw("modes", "[" + std::to_string(p.modes[0]) + ", " + std::to_string(p.modes[1]) + ", " + std::to_string(p.modes[2]) + "]");
  object.add("support", std::int64_t{p.support});
  object.add("beta", p.beta);
  object.add("repeats", std::int64_t{row.repeats});
  object.add("seconds_median", row.timing.seconds);
  for (const Part& part : each_part) parts.add(part.name, row.timing.parts.*part.seconds);
  object.raw("parts", parts.text());
  object.add("expected_near_seconds", row.expected.near_seconds);
  object.add("expected_far_seconds", row.expected.far_seconds);
  object.add("near_over_expected", row.near_ratio());
  object.add("far_over_expected", row.far_ratio());
  object.add("whole_over_expected", row.ratio());
  object.add("pairs", row.pairs);
  object.add("seconds_a_pair", row.seconds_a_pair());
  object.add("candidates", row.candidates);
  object.add("operations_a_candidate", row.operations);
  object.add("near_operations_per_second", row.rate());
  object.add("peak_operations_per_second", row.timing.peak);
  object.add("fraction_of_peak", row.of_peak());
  object.add("expected_error", row.expected.total);
  object.raw("error", optional_text(row.error));
  object.raw("direct_seconds", optional_text(row.direct_seconds));
  return object.text();
}

} // namespace

std::string stokes_header() {
  return formatted("%8s %9s %7s %7s %7s %5s %2s", "points", "tolerance", "threads", "xi", "cut-off", "grid", "P") +
         formatted(" %7s %8s %9s %11s %8s %8s", "sort ms", "spread", "transform", "interpolate", "near", "in all") +
         formatted(" | %5s %5s %5s | %7s %6s %7s | %8s\n", "near", "far", "all", "ns/pair", "GF/s", "of peak", "error");
}

std::string stokes_line(const StokesRow& row) {
  const stokes::Parameters& p = row.parameters;
  const stokes::SumSeconds& s = row.timing.parts;
  return formatted("%8lld %9.0e %7d %7.2f %7.4f %3lld^3 %2d", static_cast<long long>(row.task.sources), row.task.tolerance,
                   row.timing.threads, p.xi, p.cut_off, static_cast<long long>(p.modes[0]), p.support) +
         formatted(" %7.1f %8.1f %9.1f %11.1f %8.1f %8.1f", 1e3 * s.sort, 1e3 * s.spread, 1e3 * s.transform,
                   1e3 * s.interpolate, 1e3 * s.near, 1e3 * row.timing.seconds) +
         formatted(" | %5.2f %5.2f %5.2f | %7.1f %6.1f %7.2f | %8s\n", row.near_ratio(), row.far_ratio(), row.ratio(),
                   1e9 * row.seconds_a_pair(), 1e-9 * row.rate(), row.of_peak(),
                   row.error ? formatted("%.1e", *row.error).c_str() : "");
}

std::string stokes_conclusion(const std::vector<StokesRow>& rows) {
  if (rows.empty() || !rows.front().direct_seconds) return "";
  return formatted("%8lld points by every image and mode in long double, from a few targets: %.0f s on one thread\n",
                   static_cast<long long>(rows.front().task.sources), *rows.front().direct_seconds);
}

std::string stokes_json(const std::vector<StokesRow>& rows) {
  std::string text;
  for (const StokesRow& row : rows) text += (text.empty() ? "  " : ",\n  ") + row_json(row);
  return "[\n" + text + "\n]\n";
}

} // namespace corral::bench
