#include "bench/maps.hpp"
#include "bench/stokes/fit_cost.hpp"
#include "bench/stokes/measure_stokes.hpp"
#include "bench/stokes/peak.hpp"
#include "bench/stokes/stokes_report.hpp"
#include "bench/stokes/suite.hpp"

#include "tests/catch.hpp"

#include <corral/error.hpp>

#include <algorithm>

using namespace corral;
using namespace corral::bench;

namespace {

CostSample sample(stokes::Sum sum, std::int64_t points, double tolerance, std::int64_t modes, const stokes::CostModel& cost) {
  const stokes::Task task{.sum = sum, .tolerance = tolerance, .sources = points, .targets = points};
  CostSample s{task, stokes::choose(task)};
  if (modes != 0) s.parameters.modes.fill(modes);
  const stokes::CostModel a = stokes::amounts(task, s.parameters);
  s.parts.near = cost.pair * a.pair + cost.pair_decimal * a.pair_decimal + cost.pair_column * a.pair_column +
                 cost.gather * a.gather + cost.near_particle * a.near_particle;
  s.parts.spread = cost.map_particle * a.map_particle + cost.map_point * a.map_point;
  s.parts.interpolate = cost.map_point_apart * a.map_point_apart;
  s.parts.transform = cost.transform * a.transform + cost.transform_seven * a.transform_seven;
  return s;
}

} // namespace

TEST_CASE("the stokes suite measures sums by part, and what they err by") {
  int told = 0;
  const std::vector<StokesRow> rows = measure_stokes({.points = 500, .tolerances = {1e-3}, .threads = {1, 2}, .compared = 3}, 2,
                                                     [&](const StokesRow&) { ++told; });
  REQUIRE(rows.size() == 2);
  CHECK(told == 2);
  for (const StokesRow& row : rows) {
    const stokes::SumSeconds& s = row.timing.parts;
    for (const double part : {s.sort, s.spread, s.transform, s.interpolate, s.near}) CHECK(part > 0);
    CHECK(row.timing.seconds > 0);
    CHECK(row.timing.peak > 1e8);
    CHECK(row.parameters.support >= 2);
    CHECK(row.candidates > row.pairs);
    CHECK(row.seconds_a_pair() > 0);
    CHECK(row.of_peak() > 0);
    if (row.timing.threads == 1) CHECK(row.of_peak() < 1); // more are timed by a clock, on a machine that may be busy
    REQUIRE(row.error);
    CHECK(*row.error > 0);
    CHECK(*row.error < 2e-3); // of three targets alone
    CHECK(*row.direct_seconds > 0);
    CHECK(row.ratio() > 0);
  }
  CHECK(rows[1].timing.threads == 2);
  const std::string json = stokes_json(rows);
  for (const char* member : {"\"sum\": \"stokeslet\"", "\"points\": 500", "\"parts\": {\"sort\": ", "\"fraction_of_peak\": ",
                             "\"whole_over_expected\": ", "\"repeats\": 2"})
    CHECK(json.find(member) != json.npos);
  CHECK(stokes_line(rows[0]).find(" 500     1e-03 ") != std::string::npos);
  CHECK(stokes_conclusion(rows).find("500 points by every image") != std::string::npos);
}

TEST_CASE("a fit finds the constants that samples were made of") {
  using stokes::Sum;
  stokes::CostModel made;
  double by = 1.5;
  for (const stokes::CostPart& part : stokes::cost_parts) made.*part.seconds *= by, by *= 0.9;
  std::vector<CostSample> samples;
  for (const double tolerance : {1e-3, 1e-6, 1e-12})
    for (const std::int64_t points : {300, 40'000})
      for (const Sum sum : stokes::all_sums)
        for (const std::int64_t modes : {0, 56, 64}) samples.push_back(sample(sum, points, tolerance, modes, made));
  const stokes::CostModel fitted = fit_cost(samples);
  for (const stokes::CostPart& part : stokes::cost_parts) {
    INFO(part.name);
    CHECK(fitted.*part.seconds == Approx(made.*part.seconds).epsilon(1e-3));
    CHECK(cost_text(fitted).find("." + std::string(part.name) + " = ") != std::string::npos);
    CHECK(cost_json(fitted).find('"' + std::string(part.name) + "\": ") != std::string::npos);
  }
}

TEST_CASE("a fit leaves alone what no sample has, and no constant falls below 0") {
  stokes::CostModel made;
  made.transform_seven = 0;
  const std::vector<CostSample> samples{
      sample(stokes::Sum::stokeslet, 1000, 1e-3, 32, made), sample(stokes::Sum::laplace, 1000, 1e-6, 32, made)};
  const stokes::CostModel fitted = fit_cost(samples), usual;
  CHECK(fitted.transform_seven == usual.transform_seven);
  for (const stokes::CostPart& part : stokes::cost_parts) CHECK(fitted.*part.seconds >= 0);
}

TEST_CASE("samples of a fit can be summed, and have some of each part") {
  const std::vector<CostSample> samples = planned_cost_samples();
  stokes::CostModel most{0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  for (const CostSample& s : samples)
    for (const stokes::CostPart& part : stokes::cost_parts)
      most.*part.seconds = std::max(most.*part.seconds, stokes::amounts(s.task, s.parameters).*part.seconds);
  for (const stokes::CostPart& part : stokes::cost_parts) {
    INFO(part.name);
    CHECK(most.*part.seconds > 0);
  }
}

TEST_CASE("a near field's operations grow with the degree of its polynomials") {
  CHECK(near_operations(8) == 78);
  CHECK(near_operations(9) - near_operations(8) == 4);
  CHECK(multiply_add_at_peak() >= 1e7);
}

TEST_CASE("the stokes suite takes a number of points and a fit") {
  other_suites() = {stokes_suite()};
  const MapOptions read = read_map_options({"--suite", "stokes", "--particles", "500", "--repeats", "3", "--fit"});
  REQUIRE(read.other != nullptr);
  CHECK(read.other->name == "stokes");
  CHECK(read.call.repeats == 3);
  CHECK(read.call.particles == 500);
  CHECK(read.call.fit);
  CHECK(read_map_options({"--suite", "stokes"}).call.particles == 0);
  CHECK_THROWS_WITH(read_map_options({"--suite", "stokes", "--cells", "8"}), Catch::Matchers::ContainsSubstring("a suite says itself"));
  CHECK_THROWS_WITH(read_map_options({"--suite", "sizes", "--fit"}), Catch::Matchers::ContainsSubstring("--fit (a suite says itself"));
  CHECK_THROWS_WITH(read_map_options({"--fit"}), Catch::Matchers::ContainsSubstring("--fit (maps have no model of costs)"));
  other_suites().clear();
}
