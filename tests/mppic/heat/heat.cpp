#include "tests/catch.hpp"
#include "tests/mppic/heat/scene.hpp"
#include "tests/sanitized.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace corral::test {
namespace {

using fluid::SideKind;
using mppic::HeatSide;
using mppic::NusseltLaw;
using mppic::Setup;

double temperature_of_parcel(Bed& b, std::int64_t i = 0) { return (*b.step.parcels().temperature)[i]; }

} // namespace

TEST_CASE("a parcel in a stream takes on its temperature at the rate of its Nusselt number", "[heat]") {
  Setup s = still({1, 1, 4}, {0.01, 0.01, 0.04}, 1e-3, 1e-3);
  s.seeds[0].seeding.solids_fraction.reset();
  s.seeds[0].seeding.particles_per_parcel = 1e-9; // none that the gas would notice
  s.seeds[0].temperature = 300;
  s.gas.velocity = {0, 0, 0};
  s.heat.gas_temperature = 400;
  warm(s, 0, NusseltLaw::ranz_marshall);
  s.heat.inlet_temperatures.clear();
  let_in(s, 1, 400);
  s.time.dt = 1e-3;
  Bed b(s);
  CHECK(b.field("gas_temperature")[2] == 400);
  b.run(1000);
  const double t_h = 2.12292;
  CHECK(temperature_of_parcel(b, 2) == Approx(400 - 100 * std::pow(1 + s.time.dt / t_h, -1000)).epsilon(1e-7));
  CHECK(temperature_of_parcel(b, 2) == Approx(337.565).margin(0.01));
}

TEST_CASE("hot grains in a closed box of cold air come to one temperature, and lose no heat", "[heat][physics]") {
  for (const double rho : {1.17662, 1.2}) {
    Setup s = still({2, 2, 2}, {0.02, 0.02, 0.02}, 1e-3, 1e-3);
    s.gas.rho = rho;
    s.seeds[0].temperature = 600;
    warm(s, 2);
    s.time.dt = 0.01;
    Bed b(s);
    const double heat = b.step.heat()->gas().stored(Cpu{}) + b.step.heat()->stored(Cpu{}, b.step.parcels());
    b.run(10);
    const auto apart = [&] { return temperature_of_parcel(b) - b.field("gas_temperature")[0]; };
    const double before = apart();
    b.run(1);
    // Backward Euler of the difference, which decays at .407537/s in air of 1.2 kg/m3.
    if (rho == 1.2) CHECK((before / apart() - 1) / s.time.dt == Approx(0.407537).epsilon(2e-6));
    b.run(6000);
    if (rho != 1.2) CHECK(b.field("gas_temperature")[0] == Approx(491.996).margin(6e-4));
    CHECK(std::abs(apart()) < 1e-6);
    const double now = b.step.heat()->gas().stored(Cpu{}) + b.step.heat()->stored(Cpu{}, b.step.parcels());
    CHECK(now == Approx(heat).epsilon(1e-12));
  }
}

TEST_CASE("hot gas warms a fixed bed as Schumann's solution says, to the scheme's own figures", "[heat][physics]") {
  // Y = 10 at the end of the bed and Z = 8: .36210 exactly; upwind cells and nothing else give what stands here.
  for (const auto& [cells, expected] : {std::pair<std::int64_t, double>{100, 0.36752}, {200, 0.36484}}) {
    if (cells > 100 && !thorough()) continue;
    constexpr double length = 0.0579808, t_h = 12.1154, Z = 8;
    Setup s = still({1, 1, cells}, {0.003, 0.003, length}, 0.6, 3e-3);
    s.heat.gas_conductivity = 0.026e-4; // conducts nothing along the bed
    warm(s, 10e4);
    s.heat.inlet_temperatures.clear();
    let_in(s, 0.5, 400);
    const std::int64_t steps = 2000;
    s.time.dt = (Z * t_h + 0.4 * length / 0.5) / static_cast<double>(steps);
    Bed b(s);
    b.run(sanitized ? 50 : steps);
    CHECK(b.step.heat()->gas().substeps() > 10);
    if (sanitized) continue;
    CHECK((b.field("gas_temperature")[cells - 1] - 300) / 100 == Approx(expected).margin(2.5e-4));
    CHECK(b.step.heat()->books().residual < 1e-12);
  }
}

TEST_CASE("van Leer's scheme carries a front of heat without overshooting, and smears it less", "[heat]") {
  double widths[2];
  for (const bool van_leer : {false, true}) {
    Setup s = empty_box({1, 1, 100}, {0.01, 0.01, 1});
    s.gravity = {0, 0, 0};
    s.heat.van_leer = van_leer;
    s.heat.gas_conductivity = 1e-9;
    warm(s, 2);
    s.heat.inlet_temperatures.clear();
    let_in(s, 1, 400);
    s.time.dt = 4e-3;
    Bed b(s);
    b.run(125);
    const auto& T = b.field("gas_temperature");
    double inside = 0, spread = 0; // of the front
    for (std::int64_t c = 0; c < 100; ++c) {
      CHECK(T[c] <= 400 * (1 + 1e-14));
      CHECK(T[c] >= 300 * (1 - 1e-14));
      inside += (T[c] - 300) / 100;
      spread += (T[c] - 300) * (400 - T[c]) / 1e4;
    }
    CHECK(inside == Approx(50).epsilon(1e-9));
    CHECK(b.step.heat()->books().residual < 1e-12);
    widths[van_leer] = spread;
  }
  CHECK(widths[1] < 0.5 * widths[0]);
}

TEST_CASE("in a bed grains exchange heat by the gas fraction and the slip there", "[heat]") {
  Setup s = still({2, 2, 6}, {0.012, 0.012, 0.036}, 0.5, 1e-3);
  warm(s, 0, NusseltLaw::gunn);
  s.heat.inlet_temperatures.clear();
  let_in(s, 0.4, 300);
  Bed b(s);
  b.run(3);
  const double re = 1.2 * 0.4 * 1e-3 / 1.8e-5, nu = mppic::nusselt(s.heat.nusselt, 0.5, re); // eps |u - u_p| is .4 m/s
  CHECK(b.field("heat_rate")[12] == Approx(6 * nu * 0.026 / (2500 * 840 * 1e-6)).epsilon(1e-6));
}

TEST_CASE("grains that are through with it long before the step ends stay between their temperature and the gas's", "[heat]") {
  Setup s = still({2, 2, 2}, {0.02, 0.02, 0.02}, 0.01, 1e-4);
  s.seeds[0].temperature = 900;
  warm(s, 2);
  s.time.dt = 100 * 2500 * 840 * 1e-8 / (6 * 2 * 0.026);
  Bed b(s);
  double last = 900;
  for (int i = 0; i < 5; ++i) {
    b.run(1);
    CHECK(temperature_of_parcel(b) <= last);
    CHECK(b.field("gas_temperature")[0] <= 900);
    CHECK(temperature_of_parcel(b) >= b.field("gas_temperature")[0]);
    last = temperature_of_parcel(b);
  }
  CHECK(temperature_of_parcel(b) - b.field("gas_temperature")[0] < 1);
}

TEST_CASE("gas between two walls conducts, in any step", "[heat][physics]") {
  for (const double dt : {1e-3, 1e4}) {
    Setup s = empty_box({1, 1, 10}, {0.01, 0.01, 0.01});
    s.gravity = {0, 0, 0};
    s.heat.sides[4] = {HeatSide::Kind::conducting, 400, 0};
    s.heat.sides[5] = {HeatSide::Kind::conducting, 300, 0};
    warm(s, 2);
    s.time.dt = dt;
    Bed b(s);
    b.run(dt > 1 ? 3 : 8000);
    CHECK(b.step.heat()->gas().conducts_implicitly() == (dt > 1));
    for (std::int64_t c = 0; c < 10; ++c)
      CHECK(b.field("gas_temperature")[c] == Approx(395 - 10 * static_cast<double>(c)).margin(1e-5));
    const auto& books = b.step.heat()->books();
    CHECK(books.through_wall[4] == Approx(0.026 * 1e-4 * 100 / 0.01 * dt).epsilon(1e-6));
    CHECK(books.through_wall[4] == Approx(-books.through_wall[5]).epsilon(1e-6));
    CHECK(books.residual < 1e-12);
  }
}

TEST_CASE("a wall with a coefficient warms a box at its rate", "[heat]") {
  Setup s = empty_box({3, 1, 1}, {0.03, 0.01, 0.01});
  s.gravity = {0, 0, 0};
  s.heat.sides[2] = {HeatSide::Kind::transferring, 500, 20};
  warm(s, 2);
  s.time.dt = 0.01;
  Bed b(s);
  b.run(50);
  const double rate = 20 / (1.2 * 1005 * 0.01);
  for (std::int64_t c = 0; c < 3; ++c)
    CHECK(b.field("gas_temperature")[c] == Approx(500 - 200 * std::pow(1 + rate * 0.01, -50)).epsilon(1e-12));
}

TEST_CASE("where inlets share faces, what comes in is mixed", "[heat]") {
  Setup s = empty_box({2, 2, 4}, {0.02, 0.02, 0.04});
  warm(s, 2);
  let_in(s, 0.1, 400);
  let_in(s, 0.3, 320);
  Bed b(s);
  b.run(1);
  const double in = 1.2 * 1005 * 0.4e-3 * s.time.dt * 0.4 * (0.25 * 400 + 0.75 * 320);
  CHECK(b.step.heat()->books().carried_by_gas[4] == Approx(in).epsilon(1e-12));
}

} // namespace corral::test
