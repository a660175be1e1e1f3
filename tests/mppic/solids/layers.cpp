#include "mppic/contact/displacement_laws.hpp"
#include "mppic/step.hpp"
#include "tests/catch.hpp"
#include "tests/mppic/small_beds.hpp"
#include "tests/sanitized.hpp"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

/// Layers of two solids in a stream of liquid.
namespace corral::test {
namespace {

using mppic::Setup;

constexpr double rise = 0.014; ///< superficial velocity of the water [m/s]
constexpr double large_top = 0.06, small_top = 0.16; ///< of the layers [m]

/// A layer of grains at the solids fraction that the stream carries.
mppic::Seed layer(const Setup& s, int solid, double low, double high, double theta, double diameter) {
  mppic::Seed seed = bed(s, high, theta, 8 * static_cast<std::int64_t>((high - low) / 0.005 + 0.5) * s.cells[0] * s.cells[1],
                         diameter);
  seed.seeding.region.low[2] = low;
  seed.solid = solid;
  return seed;
}

/// Grains of .8 mm and 1600 kg/m3 below those of .2 mm and 2500 kg/m3, each as Wen and Yu's law has it at rest. The layer
/// below is the denser in bulk, 1220 to 1177 kg/m3; a large grain sinks in the layer of small ones and a small one rises
/// in that of large ones.
Setup layers() {
  Setup s = empty_box({4, 4, 40}, {0.02, 0.02, 0.2});
  let_liquid_rise(s, 1000, 1e-3, rise);
  s.gas.velocity = {0, 0, rise};
  s.solids.several = {{"small", 2500, s.solids.drag}, {"large", 1600, s.solids.drag}};
  s.solids.rho = 1600;
  s.time.dt = 2e-3;
  s.seeds = {layer(s, 0, large_top, small_top, 0.118, 0.2e-3), layer(s, 1, 0, large_top, 0.367, 0.8e-3)};
  return s;
}

/// Mean heights of the small and of the large grains [m].
std::pair<double, double> heights(const mppic::Parcels& parcels) {
  std::array<double, 2> sum{}, number{};
  for (std::int64_t i = 0; i < parcels.size(); ++i) {
    const auto solid = static_cast<std::size_t>((*parcels.solid)[i]);
    sum[solid] += (*parcels.position[2])[i];
    number[solid] += 1;
  }
  return {sum[0] / number[0], sum[1] / number[1]};
}

} // namespace

TEST_CASE("large light grains stay below small heavy ones where both are at rest so", "[physics]") {
  for (const double pressure : thorough() ? std::vector{10.0, 1.0} : std::vector{1.0}) {
    INFO("contact pressure " << pressure << " Pa");
    Setup s = layers();
    s.solids.stress.ps = pressure;
    Bed b(s);
    b.run(3000);
    const auto [small, large] = heights(b.step.parcels());
    CHECK(large == Approx(large_top / 2).epsilon(0.07));
    CHECK(small == Approx((large_top + small_top) / 2).epsilon(0.04));
  }
}

TEST_CASE("mixtures are dispersed as waves and cells ask for, and not between unlike solids") {
  const mppic::displaced::MixtureDispersal one{0, 9.81, 1000}, two{900, 9.81, 1000};
  CHECK_FALSE(one.several());
  CHECK(two.alike(1600, 1600) == 1);
  CHECK(two.alike(1600, 1600 + 900 / 8.0) == Approx(0.5));
  CHECK(two.alike(2500, 1600) == 0);
  // theta .367 of 1600 kg/m3, D = 105/s: waves of 3 theta g_b/D = 3.86 cm/s
  const double h = 5e-3, wave = 3 * 0.367 * 9.81 * 0.375 / 105, contact = 3e-4;
  CHECK(contact * two.over_contact(contact, 2 * wave * wave, 0.367, 1600, 105, h) == Approx(wave * h / 2));
  CHECK(two.over_contact(contact, 0.4 * wave * wave, 0.367, 1600, 105, h) == 1); // stirred by waves: contact's alone
}

} // namespace corral::test
