#include "mppic/laws/stress.hpp"
#include "tests/catch.hpp"
#include "tests/tolerance.hpp"

#include <cmath>
#include <vector>

namespace corral::mppic {
namespace {

const double of_a_power = test::round_off(10); // and some ten operations beside it

struct Point {
  double beta, pi, theta, slope;
};

TEST_CASE("Theta(pi) and its slope agree with 40 digits", "[stress]") {
  // mpmath: root of Ps theta^beta = pi (theta_cp - theta) and slope 1/[pi (beta/theta + 1/(theta_cp - theta))],
  // Ps = 10 Pa, theta_cp = .6
  const std::vector<Point> points{
      {1, 1.0e-11, 5.999999999994e-13, 5.999999999988e-2},
      {1, 10.0, 3.0e-1, 1.5e-2},
      {1, 1.0e+10, 5.999999994e-1, 5.999999988e-20},
      {2, 1.0e-11, 7.7459616924164475e-7, 3.8729783462098375e+4},
      {2, 1.0e-5, 7.7409683061577266e-4, 38.67985766821588},
      {2, 0.1, 7.2620873481300119e-2, 3.3971475897250267e-1},
      {2, 10.0, 4.2195444572928873e-1, 9.6558759001304473e-3},
      {2, 1.0e+4, 5.9964043135308668e-1, 3.5913793965521564e-8},
      {2, 1.0e+10, 5.9999999964e-1, 3.59999999136e-20},
      {3, 1.0e-11, 8.4339314426506161e-5, 2.8111787440947728e+6},
      {3, 1.0e-5, 8.3948059068992395e-3, 2.7850952477775967e+2},
      {3, 10.0, 4.8553671169414226e-1, 6.7045900302648421e-3},
      {3, 1.0e+10, 5.99999999784e-1, 2.1599999953344e-20},
      {4.5, 1.0e-11, 1.9218698896243277e-3, 4.2677743977433645e+7},
      {4.5, 0.1, 2.7915391390399715e-1, 5.1983431447373574e-1},
      {4.5, 1.0e+4, 5.9989968777544483e-1, 1.0023679962245692e-8},
      {4.5, 1.0e+10, 5.9999999989961227e-1, 1.0038772818253081e-20},
  };
  for (const Point& p : points) {
    const HarrisCrighton stress{.ps = 10.0, .beta = p.beta, .theta_cp = 0.6};
    const auto [theta, slope] = stress.inverse(p.pi);
    INFO("beta " << p.beta << ", pi " << p.pi);
    CHECK(std::abs(theta - p.theta) <= of_a_power * p.theta);
    CHECK(std::abs(slope - p.slope) <= of_a_power * p.beta * p.slope);
  }
}

TEST_CASE("Theta inverts tau to round-off over 21 decades of pressure", "[stress]") {
  for (const double beta : {1.0, 1.5, 2.0, 2.0000001, 3.0, 5.0}) {
    for (const double theta_cp : {0.55, 0.65, 0.9}) {
      const HarrisCrighton stress{.ps = 7.0, .beta = beta, .theta_cp = theta_cp};
      double previous = 0;
      for (double pi = 1e-12 * stress.ps; pi < 1.1e9 * stress.ps; pi *= 1.7) {
        const double theta = stress.inverse(pi).theta;
        INFO("beta " << beta << ", theta_cp " << theta_cp << ", pi/Ps " << pi / stress.ps);
        REQUIRE(theta > previous);
        REQUIRE(theta < theta_cp);
        // Measured on the equation without its pole, whose terms are all of one size or smaller.
        const double t = stress.ps * std::pow(theta, beta);
        REQUIRE(std::abs(t - pi * (theta_cp - theta)) <= of_a_power * (t * beta + pi * theta_cp));
        // Through tau itself as far as the gap has digits; its floor sets in at 1e-7 of the solids' share.
        if (theta_cp - theta > 1e-6) {
          REQUIRE(std::abs(stress.tau(theta) / pi - 1.0) <= of_a_power * (beta + theta_cp / (theta_cp - theta)));
        }
        previous = theta;
      }
    }
  }
}

TEST_CASE("slopes of tau and Theta are their difference quotients", "[stress]") {
  const double h = 1e-5;
  const double second_order = test::truncation(2, h, 100.0);
  for (const double beta : {1.0, 2.0, 3.5}) {
    const HarrisCrighton stress{.ps = 10.0, .beta = beta, .theta_cp = 0.6};
    for (const double theta : {0.1, 0.3, 0.5, 0.59}) {
      const double step = h * (stress.theta_cp - theta);
      const double quotient = (stress.tau(theta + step) - stress.tau(theta - step)) / (2.0 * step);
      INFO("beta " << beta << ", theta " << theta);
      CHECK(std::abs(quotient / stress.derivative(theta) - 1.0) <= second_order);
      const double pi = stress.tau(theta);
      const double inverse_quotient =
          (stress.inverse(pi * (1.0 + h)).theta - stress.inverse(pi * (1.0 - h)).theta) / (2.0 * h * pi);
      CHECK(std::abs(inverse_quotient / stress.inverse(pi).dtheta_dpi - 1.0) <= second_order);
    }
    CHECK(stress.tau(0.0) == 0.0);
    CHECK(std::isfinite(stress.derivative(0.0)));
  }
}

TEST_CASE("beyond close packing tau is finite and steep", "[stress]") {
  const HarrisCrighton stress{.ps = 10.0, .beta = 2.0, .theta_cp = 0.6};
  CHECK(stress.tau(0.6) == Approx(10.0 * 0.36 / (1e-7 * 0.4)));
  CHECK(stress.tau(0.7) > stress.tau(0.6));
  CHECK(std::isfinite(stress.tau(0.99)));
}

TEST_CASE("contact pressure that a case leaves open follows what solids weigh in the fluid", "[stress]") {
  for (const double buoyed : {800.0, 998.8, 2498.8}) CHECK(usual_contact_pressure(buoyed) == HarrisCrighton{}.ps);
  CHECK(usual_contact_pressure(500) == 6.25);
  CHECK(usual_contact_pressure(-500) == 6.25);
  CHECK(usual_contact_pressure(32) == 0.4);
  CHECK(usual_contact_pressure(0) == 0.01);
}

} // namespace
} // namespace corral::mppic
