#include "mppic/output/figures.hpp"

#include "tests/catch.hpp"
#include "tests/mppic/small_beds.hpp"

#include <map>
#include <string>

namespace corral::test {
namespace {

using fluid::SideKind;
using mppic::Setup;

/// A box without gravity that gas rises through at U, with one thousand particles of 1 mm that rise at 1 m/s.
Setup rising(double U) {
  Setup s = empty_box({4, 4, 10}, {0.04, 0.04, 0.1});
  s.gravity = {0, 0, 0};
  s.sides[5] = SideKind::outlet;
  let_in(s, U, {0, 0, 0}, {0.04, 0.04, 0.1});
  s.gas.velocity = {0, 0, U};
  mppic::Seed seed = bed(s, 0.1, 0, 0, 1e-3);
  seed.seeding.arrangement = mppic::Arrangement::lattice;
  seed.seeding.lattice = {10, 10, 10};
  seed.seeding.solids_fraction.reset();
  seed.seeding.particles_per_parcel = 1;
  seed.velocity = {0, 0, 1};
  s.seeds.push_back(seed);
  return s;
}

/// A bed with the figures of its steps, one row at the end.
std::map<std::string, double> row_after(const Setup& setup, int steps) {
  Bed b(setup);
  mppic::Figures figures(b.setup, b.domain);
  mppic::TimeStepper stepper(b.setup, b.domain, b.registry);
  stepper.start(b.step);
  const double dt = setup.time.dt;
  for (int i = 0; i < steps; ++i) {
    b.run(1);
    stepper.adapt(b.step, dt * (i + 1));
    figures.add(b.step, stepper.gas(), stepper.parcel(), dt);
  }
  std::map<std::string, double> row;
  const auto columns = figures.columns();
  const std::vector<double> values = figures.row(b.step);
  REQUIRE(columns.size() == values.size());
  for (std::size_t i = 0; i < columns.size(); ++i) row[columns[i].name] = values[i];
  return row;
}

} // namespace

TEST_CASE("mass flows through outlets are those of what left, per time") {
  const Setup s = rising(2);
  const int steps = 10; // of 1 ms, at 1 m/s and a little more: the uppermost of ten layers has left
  auto row = row_after(s, steps);
  CHECK(row["left"] == 100);
  const double particle = s.solids.rho * 3.14159265358979323846 / 6 * 1e-9;
  CHECK(row["solids_out_z_high"] == Approx(100 * particle / (steps * s.time.dt)).epsilon(1e-12));
  // No volume is lost: gas takes what room the solids leave it.
  const double gas = row["gas_out_z_high"] / s.gas.rho, solids = row["solids_out_z_high"] / s.solids.rho;
  CHECK(gas + solids == Approx(2 * 0.04 * 0.04).epsilon(2e-2)); // solids leave by whole parcels
  CHECK(row.count("gas_out_z_low") == 0);
  CHECK(row_after(rising(1), steps)["gas_out_z_high"] < 0.6 * row["gas_out_z_high"]);
}

TEST_CASE("speeds and Courant numbers of log.csv are the largest since the last row") {
  const Setup s = rising(2);
  auto row = row_after(s, 3);
  CHECK(row["gas_speed_max"] > 2);
  CHECK(row["gas_speed_max"] < 2.2);
  CHECK(row["gas_courant"] == Approx(row["gas_speed_max"] * s.time.dt / 0.01).epsilon(1e-12));
  CHECK(row["speed_max"] > 1);
  CHECK(row["parcel_courant"] == Approx(row["speed_max"] * s.time.dt / 0.01).epsilon(1e-12));
}

TEST_CASE("gas that is prescribed carries nothing but itself: its pressure drop is 0") {
  Setup s = empty_box({4, 4, 10}, {0.04, 0.04, 0.1});
  s.gas.solved = false;
  s.seeds.push_back(bed(s, 0.05, 0.3, 640, 1e-3));
  CHECK(row_after(s, 3)["pressure_drop"] == 0);
}

TEST_CASE("what halves of cells hold, and where 99 % of the solids end, are those of parcels that stand there") {
  Setup s = empty_box({2, 2, 3}, {0.02, 0.02, 0.03});
  for (int layer = 0; layer < 2; ++layer)
    for (const bool upper : {false, true}) {
      const double low = 0.01 * layer + (upper ? 0.005 : 0);
      mppic::Seed seed = bed(s, 0.01, upper ? 0.5 : 0.7, 0, 1e-3);
      seed.seeding.region = {{0, 0, low}, {0.02, 0.02, low + 0.005}};
      seed.seeding.arrangement = mppic::Arrangement::lattice;
      seed.seeding.lattice = {8, 8, 2};
      s.seeds.push_back(seed);
    }
  auto row = row_after(s, 0);
  CHECK(row["occupancy_max"] == Approx(0.6).epsilon(1e-9));
  CHECK(row["half_cells"] == Approx(0.2 / 1.2).epsilon(1e-9));
  CHECK(row["floor_occupancy"] == Approx(0.7 / 0.6).epsilon(1e-9));
  CHECK(row["solids_volume"] == Approx(0.6 * 0.02 * 0.02 * 0.02).epsilon(1e-12));
  // The uppermost of eight sheets of parcels, at 18.75 mm, has a fifth of the solids or so: that is where 99 % end.
  CHECK(row["height_99"] == Approx(0.01875).margin(0.03 / 4096));
  CHECK(row["centre_z"] == Approx((0.7 * (0.0025 + 0.0125) + 0.5 * (0.0075 + 0.0175)) / 2.4).epsilon(1e-12));
  CHECK(row["theta_999"] == 0); // no step yet
}

} // namespace corral::test
