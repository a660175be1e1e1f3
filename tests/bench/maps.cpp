#include "bench/maps.hpp"
#include "bench/scene/plain_loop.hpp"
#include "bench/scene/scene.hpp"
#include "tests/catch.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <sstream>

using namespace corral;
using namespace corral::bench;

namespace {

/// Three calls, one of which no kernel but the linear one has.
MapOptions one_of_three_fails(bool as_json) {
  Workload w;
  w.cells = {6, 5, 4};
  w.particles = 200;
  w.repeats = 1;
  w.kernel = "peskin4";
  w.calls = {{Task::spread, Method::automatic, 1, {}},
             {Task::spread, Method::cells, 1, {}},
             {Task::interpolate, Method::automatic, 1, {}}};
  MapOptions options;
  options.suite.works = {w};
  options.json = as_json;
  return options;
}

/// What is printed before the error.
std::string printed(const MapOptions& options, const std::string& error) {
  std::ostringstream out;
  CHECK_THROWS_WITH(run_maps(options, out), Catch::Matchers::ContainsSubstring(error));
  return out.str();
}

} // namespace

TEST_CASE("a call that fails does not end the others, and is told of at the end") {
  const std::string table = printed(one_of_three_fails(false), "cells");
  CHECK(std::count(table.begin(), table.end(), '\n') == 3); // header and two rows
  CHECK(table.find("\nspread ") != table.npos);
  CHECK(table.find("\ninterpolate ") != table.npos);
  CHECK(table.find("cells  ") == table.rfind("cells  ")); // the title of a column
  const std::string json = printed(one_of_three_fails(true), "cells");
  CHECK(json.find("\"method\": \"cells\"") == json.npos);
  CHECK(json.substr(json.size() - 3) == "\n]\n");
}

TEST_CASE("a file that cannot be written is an error") {
  MapOptions options = one_of_three_fails(false);
  options.suite.works[0].calls.resize(1);
  options.json_file = "/nowhere/rows.json";
  printed(options, "/nowhere/rows.json could not be written");
}

namespace {

Workload work(const std::string& kernel, Points points, std::array<std::int64_t, 3> cells) {
  Workload w;
  w.kernel = kernel;
  w.points = points;
  w.cells = cells;
  w.particles = 4 * cells[0] * cells[1] * cells[2];
  return w;
}

Values<double> spread(const Workload& w, Particles<double>& particles) {
  Values<double> fields(w.cells[0] * w.cells[1] * w.cells[2], w.fields, w.layout);
  std::vector<Spread<double>> terms;
  for (int f = 0; f < w.fields; ++f)
    terms.push_back({particles.value.column(f), field_of(w, fields.column(f), f)});
  plain_loop<double>(w.kernel).spread(periodic_grid(w.cells), particles.positions(), terms);
  return fields;
}

} // namespace

TEST_CASE("a neighbourhood has all that reaches its complete points, and few others") {
  struct Case {
    std::string kernel;
    int support;
    Points points;
    std::array<std::int64_t, 3> cells;
  };
  for (const Case& c : {Case{"linear", 2, Points::centre, {20, 16, 30}},
                        Case{"peskin4", 4, Points::faces, {22, 26, 24}},
                        Case{"linear", 2, Points::node, {40, 5, 30}}}) {
    const Workload w = work(c.kernel, c.points, c.cells);
    Particles<double> all = draw_particles<double>(w, w.particles);
    const Neighbourhood where(w, all, w.particles / 4, c.support);
    Particles<double> some = where.within(all);
    INFO(c.kernel << ", " << some.size() << " of " << all.size());
    CHECK_FALSE(where.whole());
    CHECK(some.size() < all.size() / 2);

    Values<double> expected = spread(w, all), found = spread(w, some);
    std::int64_t complete = 0, i = 0;
    for (std::int64_t z = 0; z < c.cells[2]; ++z)
      for (std::int64_t y = 0; y < c.cells[1]; ++y)
        for (std::int64_t x = 0; x < c.cells[0]; ++x, ++i) {
          if (!where.complete({x, y, z})) continue;
          ++complete;
          for (int f = 0; f < w.fields; ++f) REQUIRE(found.column(f)[i] == expected.column(f)[i]);
        }
    CHECK(complete >= 27);
    CHECK(complete < w.cells[0] * w.cells[1] * w.cells[2] / 2);
  }
}

TEST_CASE("few particles are compared as a whole") {
  const Workload w = work("linear", Points::centre, {6, 6, 6});
  Particles<double> all = draw_particles<double>(w, w.particles);
  const Neighbourhood where(w, all, w.particles, 2);
  CHECK(where.whole());
  CHECK(where.complete({0, 0, 0}));
  CHECK(where.within(all).size() == all.size());
}
