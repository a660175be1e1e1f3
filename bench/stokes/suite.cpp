#include "bench/stokes/suite.hpp"

#include "bench/stokes/fit_cost.hpp"
#include "bench/stokes/measure_stokes.hpp"
#include "bench/stokes/stokes_report.hpp"

#include <algorithm>

namespace corral::bench {
namespace {

using Tell = std::function<void(const std::string&)>;

std::string fit(int repeats, const Tell& tell) {
  const stokes::CostModel fitted = fit_cost(measure_cost_samples(repeats, tell));
  tell("\n" + cost_text(fitted));
  return "[\n  " + cost_json(fitted) + "\n]\n";
}

std::string run(const SuiteCall& call, const Tell& tell) {
  if (call.fit) return fit(call.repeats, tell);
  constexpr std::int64_t few = 10'000, many = 1'000'000; // points: a direct sum takes its time; a sum takes seconds
  std::vector<std::int64_t> sizes{few, 100'000, many};
  if (call.particles > 0) sizes = {call.particles};
  std::vector<StokesRow> all;
  tell(stokes_header());
  for (const std::int64_t points : sizes) {
    std::vector<StokesRow> rows =
        measure_stokes({.points = points, .compared = points <= few ? 20 : 0}, points < many ? call.repeats : std::min(call.repeats, 3),
                       [&](const StokesRow& row) { tell(stokes_line(row)); });
    tell(stokes_conclusion(rows));
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return stokes_json(all);
}

} // namespace

OtherSuite stokes_suite() {
  return {"stokes", "sums of Stokes flow beside their cost model, 10 minutes and 2 GB; --particles for one size, --fit for the model",
          run, {"particles", "fit"}};
}

} // namespace corral::bench
