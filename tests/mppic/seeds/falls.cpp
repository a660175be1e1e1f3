#include "mppic/case/estimates.hpp"

#include "tests/catch.hpp"
#include "tests/mppic/small_beds.hpp"

#include <cmath>

namespace corral::test {
namespace {

using mppic::Fall;
using mppic::Setup;

/// A box of .1 x .1 x .2 m in cells of .01 m, with beads of 2500 kg/m3 between two heights.
Setup laid(double low, double high, double theta, double diameter = 1e-3) {
  Setup s = empty_box({10, 10, 20}, {0.1, 0.1, 0.2});
  s.seeds.push_back(bed(s, high, theta, 1000, diameter));
  s.seeds.back().seeding.region.low[2] = low;
  return s;
}

Fall fall(const Setup& s) { return mppic::fall_of(s, s.seeds[0]); }

double freely(const Setup& s, double height) { return std::sqrt(2 * 9.81 * (1 - s.gas.rho / s.solids.rho) * height); }

} // namespace

TEST_CASE("what is laid packed falls nowhere, what is dropped to the floor or to what lies there") {
  const double cp = Setup{}.solids.stress.theta_cp;
  CHECK(fall(laid(0, 0.1, cp)).speed < 1e-6);
  CHECK(fall(laid(0, 0.1, 0.8 * cp)).height == Approx(0.02));
  const Setup dropped = laid(0.05, 0.15, 0.8 * cp);
  CHECK(fall(dropped).axis == 2);
  CHECK(fall(dropped).height == Approx(0.07));
  CHECK(fall(dropped).speed == Approx(freely(dropped, 0.07)));
  Setup onto = dropped;
  onto.seeds.push_back(bed(onto, 0.03, cp, 1000, 1e-3));
  CHECK(fall(onto).height == Approx(0.04));
  onto.seeds.back().seeding.region.low[0] = 0.05; // beside half of it only
  CHECK(fall(onto).height == Approx(0.04));
  onto.seeds[0].seeding.region.high[0] = 0.05;
  CHECK(fall(onto).height == Approx(0.07));
}

TEST_CASE("what falls is no faster than drag lets its largest grains be, nor slower than it was thrown") {
  CHECK(fall(laid(0.05, 0.15, 0.5, 5e-5)).speed == Approx(0.17).epsilon(0.1)); // 18 mu u = d^2 (rho_p - rho) g, less some
  Setup thrown = laid(0.05, 0.15, 0.5, 5e-5);
  thrown.seeds[0].velocity = {3, 0, 0};
  CHECK(fall(thrown).speed == Approx(0.17).epsilon(0.1)); // along gravity alone
  thrown.seeds[0].velocity = {0, 0, -3};
  CHECK(fall(thrown).speed == 3);
  Setup risen = laid(0.05, 0.15, 0.5);
  risen.gravity = {0, 0, 9.81};
  CHECK(fall(risen).height == Approx(0.05 + (1 - 0.5 / risen.solids.stress.theta_cp) * 0.1));
  risen.sides[4] = risen.sides[5] = fluid::SideKind::periodic;
  CHECK(fall(risen).speed == 0);
}

} // namespace corral::test
