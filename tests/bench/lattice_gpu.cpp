#include "bench/lattice/device/suite.hpp"
#include "tests/catch.hpp"
#include "tests/mppic_gpu/padding.cuh"

using namespace corral;
using namespace corral::bench;

TEST_CASE("the lattice suite on a device measures steps of both schemes") {
  const test::PaddingHoldsAnything padding;
  std::vector<DeviceLatticeRow> rows;
  for (const auto scheme : {fluid::lattice::Scheme::in_place, fluid::lattice::Scheme::two_lattices})
    for (const bool with_fields : {false, true})
      rows.push_back(measure_device_lattice({.scheme = scheme, .cells = {6, 5, 4}, .with_fields = with_fields, .least_of_copy = 1e-12},
                                            1e9, 1));
  for (const DeviceLatticeRow& row : rows) {
    CHECK(row.seconds > 0);
    CHECK(row.bytes_per_update() == (row.work.with_fields ? 352 : 304));
    CHECK(row.updates_per_second() == Approx(6 * 5 * 4 / row.seconds));
    CHECK(row.met());
    CHECK(device_lattice_line(row).find("met: ") != std::string::npos);
  }
  const std::string json = device_lattice_json(rows, 1);
  for (const char* member : {"\"set\": \"D3Q19\"", "\"with_fields\": true", "\"bytes_per_update\": 352", "\"fraction_of_copy\": "})
    CHECK(json.find(member) != json.npos);
  CHECK(device_lattice_suite().name == "lattice_gpu");
}
