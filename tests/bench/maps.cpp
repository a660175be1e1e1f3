#include "bench/maps.hpp"

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
  CHECK_THROWS_WITH(run_maps(options, out), Catch::Matchers::Contains(error));
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
