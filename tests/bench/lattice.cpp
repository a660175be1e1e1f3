#include "bench/lattice/lattice_report.hpp"
#include "bench/lattice/measure_lattice.hpp"
#include "bench/lattice/suite.hpp"
#include "bench/maps.hpp"

#include "tests/catch.hpp"

#include <corral/error.hpp>

using namespace corral;
using namespace corral::bench;

TEST_CASE("the lattice suite measures fluids alone and with bodies") {
  LatticeWork work{.cells = {20, 16, 12}, .diameter = 5, .threads = {1, 2}, .bodies = {{0.01, false}, {0.01, true}}, .least_of_copy = 1e-9,
                   .copied = 1 << 16};
  const std::vector<LatticeRow> rows = measure_lattice(work, 1);
  REQUIRE(rows.size() == 4);
  for (const LatticeRow& row : rows) {
    CHECK(row.seconds > 0);
    CHECK(row.copy_rate > 0);
    CHECK(row.bytes_per_update() == 304);
    CHECK(row.updates_per_second() == Approx(20 * 16 * 12 / row.seconds));
  }
  CHECK(rows[0].has_target());
  CHECK(rows[0].met());
  CHECK_FALSE(rows[1].has_target()); // two threads
  for (const std::size_t with : {2, 3}) {
    CHECK(rows[with].body_count == 1);
    CHECK(rows[with].points > 50);
    CHECK(rows[with].has_target());
    CHECK_FALSE(rows[with].phases.empty());
    CHECK(rows[with].cost > 0); // 50 points beside 3840 cells
    CHECK(rows[with].met() == (rows[with].cost <= LatticeRow::most_cost));
  }
  CHECK(count_lattice_targets(rows).find(" of 3 targets met") != std::string::npos);
  const std::string json = lattice_json(rows, 1);
  for (const char* member : {"\"set\": \"D3Q19\"", "\"fraction_of_copy\": ", "\"cost_of_bodies\": null", "\"diameter\": 5", "\"phases\": {"})
    CHECK(json.find(member) != json.npos);
  CHECK(lattice_line(rows[3]).find("1.0 % moving, 1") != std::string::npos);
}

TEST_CASE("a suite that is added is read and listed") {
  CHECK_THROWS_WITH(read_map_options({"--suite", "lattice"}), Catch::Matchers::ContainsSubstring("'lattice' is none of"));
  other_suites().push_back(lattice_suite());
  const MapOptions read = read_map_options({"--suite", "lattice", "--repeats", "3", "--json"});
  REQUIRE(read.other != nullptr);
  CHECK(read.other->name == "lattice");
  CHECK(read.call.repeats == 3);
  CHECK_THROWS_WITH(read_map_options({"--suite", "lattice", "--backend", "gpu"}), Catch::Matchers::ContainsSubstring("one of the CPU"));
  CHECK_THROWS_WITH(read_map_options({"--suite", "lattice", "--cells", "8"}), Catch::Matchers::ContainsSubstring("a suite says itself"));
  CHECK(map_options_help().find("\n  lattice ") != std::string::npos);
  other_suites().clear();
}
