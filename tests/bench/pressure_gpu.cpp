#include "bench/pressure/device/suite.hpp"
#include "tests/catch.hpp"
#include "tests/mppic_gpu/padding.cuh"

using namespace corral;
using namespace corral::bench;

TEST_CASE("the pressure suite on a device measures solves of either processor") {
  const test::PaddingHoldsAnything padding;
  std::vector<DevicePressureRow> rows;
  for (const double dense : {0.0, 1e-3})
    rows.push_back(measure_device_pressure({.n = 9, .top = BubblingBed::Top::open, .dense = dense, .most_seconds = 1e9}, 1e9, 1));
  for (const DevicePressureRow& row : rows) {
    CHECK(row.coefficients > 0);
    CHECK(row.solve > 0);
    CHECK(row.host > 0);
    CHECK(std::abs(row.iterations - row.host_iterations) <= 2);
    CHECK(row.of_copy() == Approx(row.iterations * 354 * 729 / row.solve / 1e9));
    CHECK(row.met());
    CHECK(device_pressure_line(row).find("met: ") != std::string::npos);
  }
  CHECK(device_pressure_line(rows[1]).find(" 1000 ") != std::string::npos);
  const std::string json = device_pressure_json(rows, 1);
  for (const char* member : {"\"top\": \"open\"", "\"n\": 9", "\"seconds_solve\": ", "\"iterations_host\": ", "\"most_seconds\": "})
    CHECK(json.find(member) != json.npos);
  CHECK(device_pressure_suite().name == "pressure_gpu");
}
