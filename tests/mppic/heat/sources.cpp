#include "tests/catch.hpp"
#include "tests/mppic/heat/scene.hpp"

#include <string>

/// Heat that gas and particles give off, each in its volume.
namespace corral::test {
namespace {

using mppic::HeatSide;
using mppic::Setup;

double heat_of(const Bed& b) { return b.step.heat()->gas().stored(Cpu{}) + b.step.heat()->stored(Cpu{}, b.step.parcels()); }

} // namespace

TEST_CASE("what a closed box gives off is what it holds more, and grains are warmer by what they must hand on", "[heat]") {
  const double theta = 0.1, eps = 1 - theta, s_g = 5e4, s_p = 2e6;
  Setup s = still({2, 2, 2}, {0.02, 0.02, 0.02}, theta, 1e-3);
  warm(s, 2);
  s.heat.gas_source = s_g;
  s.heat.sources = {s_p};
  s.time.dt = 0.01;
  Bed b(s);
  const double before = heat_of(b), volume = 8e-6;
  b.run(200);
  CHECK(heat_of(b) - before == Approx((eps * s_g + theta * s_p) * volume * 2).epsilon(1e-9));
  const auto& books = b.step.heat()->books();
  CHECK(books.gas_source == Approx(eps * s_g * volume * 0.01).epsilon(1e-9));
  CHECK(books.solids_source == Approx(theta * s_p * volume * 0.01).epsilon(1e-9));
  CHECK(books.residual < 1e-12);
  // Both warm at one rate r: rho_p c_s r = s_p - rho_p c_s (T_p - T)/t_h.
  const double held_by_gas = 1.2 * 1005, held_by_grains = 2500 * 840.0;
  const double r = (eps * s_g + theta * s_p) / (eps * held_by_gas + theta * held_by_grains);
  const double t_h = held_by_grains * 1e-6 / (6 * 2 * 0.026);
  CHECK((*b.step.parcels().temperature)[0] - b.field("gas_temperature")[0] ==
        Approx(t_h * (s_p / held_by_grains - r)).epsilon(1e-6));
}

TEST_CASE("gas that gives off heat between two walls is warmest in the middle, by s_g L^2/(8 k)", "[heat]") {
  Setup s = empty_box({1, 1, 10}, {0.01, 0.01, 0.01});
  s.gravity = {0, 0, 0};
  for (const std::size_t side : {4, 5}) s.heat.sides[side] = {HeatSide::Kind::conducting, 300, 0};
  warm(s, 2);
  const double s_g = 1e4, L = 0.01, k = 0.026, h = 0.001;
  s.heat.gas_source = s_g;
  s.time.dt = 1e4;
  Bed b(s);
  b.run(4);
  for (std::int64_t c = 0; c < 10; ++c) {
    const double z = h * (static_cast<double>(c) + 0.5);
    // The grid's own solution: that of the continuum, and s_g h^2/(8 k) by the half cells beside the walls.
    CHECK(b.field("gas_temperature")[c] == Approx(300 + s_g / (2 * k) * (z * (L - z) + h * h / 4)).epsilon(1e-7));
  }
  CHECK(b.step.heat()->books().through_wall[4] == Approx(-s_g * 1e-6 / 2 * s.time.dt).epsilon(1e-7));
}

TEST_CASE("an ideal gas that gives off heat in a closed box warms at constant volume", "[heat]") {
  Setup s = empty_box({2, 2, 2}, {0.02, 0.02, 0.02});
  s.gravity = {0, 0, 0};
  let_be_ideal(s, 300);
  warm(s, 2);
  s.heat.gas_source = 1e5;
  s.time.dt = 1e-3;
  Bed b(s);
  b.run(1000);
  const double rise = 1e5 / (s.gas.rho * (1005 - 287.05)); // K/s
  CHECK(b.field("gas_temperature")[3] == Approx(300 + rise).epsilon(2e-3)); // of first order in the step
  CHECK(gas(b).pressure() / s.gas.laws.pressure == Approx(b.field("gas_temperature")[3] / 300).epsilon(1e-9));
  CHECK(b.step.heat()->books().residual < 1e-12);
}

TEST_CASE("a source that takes up heat ends the run at 0 K", "[heat]") {
  Setup s = still({1, 1, 2}, {0.01, 0.01, 0.02}, 0.1, 1e-3);
  warm(s, 2);
  s.heat.sources = {-2e8};
  s.time.dt = 0.1;
  Bed b(s);
  std::string said;
  try {
    b.run(100);
  } catch (const Error& e) {
    said = e.what();
  }
  CHECK(said.substr(0, 23) == "something has cooled to");
}

} // namespace corral::test
