#include "bench/stokes/device/suite.hpp"
#include "tests/catch.hpp"

using namespace corral;
using namespace corral::bench;

TEST_CASE("the suite of near fields on a device measures every kernel and method") {
  std::vector<DeviceNearRow> rows;
  for (const auto kernel : {NearKernel::stokeslet, NearKernel::stokeslet_and_stresslet, NearKernel::spheres})
    for (const auto method : {PairMethod::automatic, PairMethod::targets, PairMethod::staged, PairMethod::mixed})
      rows.push_back(measure_device_near(
          {.kernel = kernel, .method = method, .of_cell = 4, .cubes = 3, .cells_of_cube = 2, .least_rate = 1e-12}, 1));
  for (const DeviceNearRow& row : rows) {
    CHECK(row.points() == 108);
    CHECK(row.seconds > 0);
    CHECK(row.targets_per_second() == Approx(108 / row.seconds));
    CHECK(row.pairs_per_second() == Approx(row.targets_per_second() * 16.755).epsilon(1e-3));
    CHECK(device_near_line(row).find("met: ") != std::string::npos);
  }
  const std::string json = device_near_json(rows, 1);
  for (const char* member : {"\"kernel\": \"spheres\"", "\"method\": \"mixed\"", "\"points\": 108", "\"least_rate\": 1e-12"})
    CHECK(json.find(member) != json.npos);
  CHECK(device_near_suite().name == "stokes_gpu");
}
