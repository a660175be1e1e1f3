#include "mppic/step.hpp"
#include "tests/catch.hpp"
#include "tests/mppic/small_beds.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace corral::test {
namespace {

using mppic::Setup;

constexpr double rise = 0.01;          ///< superficial velocity of the water [m/s]
constexpr double solids_height = 0.06; ///< volume of the beads over the area of the floor [m]

/// Beads of hydrogel in water that rises through them: they weigh 3 % of what they would in air.
Setup light_beads(double dt) {
  Setup s = empty_box({2, 1, 36}, {0.02, 0.01, 0.36});
  let_liquid_rise(s, 996.78, 8.352e-4, rise);
  s.solids.rho = 1029.2;
  s.solids.stress = {.ps = 10, .beta = 2, .theta_cp = 0.6};
  s.time.dt = dt;
  s.seeds.push_back(bed(s, 2 * solids_height, 0.5, 288, 2.66e-3));
  return s;
}

/// Twice the height of the centre of mass [m] where drag and contact pressure, as a force, bear the beads:
/// tau' dtheta/dz = theta (K u/eps - (rho_p - rho) g), u = U/eps, from the surface down.
double by_forces(const Setup& s) {
  const double dz = 1e-5, weight = 9.81 * (s.solids.rho - s.gas.rho);
  double theta = 1e-4, above = 0, z = 0, moment = 0;
  for (; above < solids_height; z += dz) {
    const double eps = 1 - theta, u = rise / eps;
    const double drag = mppic::drag_per_volume(s.solids.drag, eps, u, s.seeds[0].sizes.maximum()) * u / eps;
    theta += std::min(theta * (weight - drag) / s.solids.stress.derivative(theta) * dz, 1e-4);
    above += theta * dz;
    moment += theta * z * dz;
  }
  return 2 * (z - moment / above);
}

double twice_the_centre(const mppic::Parcels& parcels) {
  double sum = 0;
  for (std::int64_t i = 0; i < parcels.size(); ++i) sum += (*parcels.position[2])[i];
  return 2 * sum / static_cast<double>(parcels.size());
}

} // namespace

TEST_CASE("beads that weigh little in a liquid lie as drag and contact pressure bear them, densest on the floor", "[physics]") {
  for (const double dt : {1e-2, 5e-3, 2.5e-3}) {
    Bed b(light_beads(dt));
    b.run(static_cast<std::int64_t>(20 / dt));
    INFO("dt " << dt);
    CHECK(twice_the_centre(b.step.parcels()) == Approx(by_forces(b.setup)).epsilon(0.015));
    const double* theta = b.field("solids_fraction").data();
    const auto layer = [&](int k) { return (theta[2 * k] + theta[2 * k + 1]) / 2; };
    for (int k = 2; k < 20; k += 2) CHECK(layer(k) < layer(k - 2) + 0.003);
  }
}

TEST_CASE("light beads that settle at the usual contact pressure lie packed, and no more than packed", "[physics]") {
  Setup s = light_beads(5e-3);
  s.inlets.clear();
  s.solids.stress.ps = mppic::usual_contact_pressure(s.solids.rho - s.gas.rho);
  Bed b(s);
  b.run(6000);
  const double* theta = b.field("solids_fraction").data();
  for (int c = 0; c < 16; ++c) { // eight layers
    CHECK(theta[c] < 1.05 * s.solids.stress.theta_cp);
    CHECK(theta[c] > 0.9 * s.solids.stress.theta_cp);
  }
}

} // namespace corral::test
