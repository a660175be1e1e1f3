#include "mppic/contact/contact.hpp"

#include "tests/catch.hpp"
#include "tests/mppic/small_beds.hpp"
#include "tests/tolerance.hpp"

#include <cmath>

namespace corral::test {
namespace {

using fluid::FaceKind;
using mppic::Setup;
using mppic::StaticFriction;

constexpr double dt = 1e-3, g = 9.81;

Setup packed_box() {
  Setup s = empty_box({3, 4, 5}, {0.03, 0.04, 0.05});
  s.gas.rho = 0;
  s.solids.friction = 0.5;
  return s;
}

/// Solids everywhere that fell by g dt and that contact pushes up by as much, but for `rest` of the mean motion along z.
struct Scene {
  Setup setup;
  fluid::Domain domain;
  run::Registry registry;
  mppic::Flow flow;
  fluid::FaceArrays u_s, theta, P, du; ///< P: what leaves solids of theta 1 their mobility

  explicit Scene(const Setup& s, double rest, double push = g * dt, double mobility = 1)
      : setup(s), domain(s.make_domain()), registry(domain.grid()), flow(registry),
        u_s(fluid::make_face_arrays(domain.grid())), theta(fluid::make_face_arrays(domain.grid(), 1)),
        P(fluid::make_face_arrays(domain.grid(), 1 - mobility)),
        du(fluid::make_face_arrays(domain.grid())) {
    u_s[2].fill(rest - push);
    du[2].fill(push);
  }
  void hold(int times = 1) {
    mppic::StepScratch scratch(domain);
    StaticFriction friction(domain, setup, scratch);
    const mppic::contact::Mixture solids{fluid::pointers(theta), fluid::pointers(theta), fluid::pointers(P), fluid::pointers(theta),
                                         {}, false};
    const Array<double> pushed = du[2];
    for (int k = 0; k < times; ++k) {
      du[2] = pushed;
      friction.hold(Cpu{}, u_s, solids, dt, du, flow);
    }
  }
  /// What is left of the motion on the faces between cells; -1 if it is not the same on all of them.
  double left() const {
    double value = NAN;
    for (std::int64_t f = 0; f < du[2].size(); ++f) {
      if (domain.kind(2, f) != FaceKind::interior) continue;
      const double u = u_s[2][f] + du[2][f];
      if (!std::isnan(value) && std::abs(u - value) > 1e-15) return -1;
      value = u;
    }
    return value;
  }
};

/// What friction of 1/2 can stop of solids whose whole weight contact carries [m/s].
constexpr double most = 0.5 * g * dt;

} // namespace

TEST_CASE("static friction stops what is slower than it can hold, and lets go of what is faster") {
  for (const double sign : {-1.0, 1.0})
    for (const auto& [share, kept] : {std::pair{0.1, 0.0}, {0.99, 0.0}, {1.25, 0.25}, {1.5, 0.5}, {2.0, 1.0}, {5.0, 1.0}}) {
      INFO("motion of " << sign * share << " of what friction holds");
      Scene s(packed_box(), sign * share * most);
      s.hold();
      CHECK(std::abs(s.left() - kept * sign * share * most) <= round_off(10) * g * dt);
    }
}

TEST_CASE("static friction holds no more than contact's push, and no more than weight") {
  const double u = 0.9 * most;
  Scene half(packed_box(), u, 0.5 * g * dt), hit(packed_box(), u, 100 * g * dt), faster(packed_box(), 2 * most, 100 * g * dt);
  half.hold(), hit.hold(), faster.hold();
  CHECK(half.left() == Approx(u * (1 - (2 - 0.9 / 0.5))).epsilon(1e-12)); // half as much is held: .2 of it
  CHECK(std::abs(hit.left()) <= round_off(100) * g * dt);
  CHECK(faster.left() == Approx(2 * most).epsilon(1e-12)); // a hit does not make friction stronger than weight does
  Scene apart(packed_box(), 0.1 * most, 0);
  apart.hold();
  CHECK(apart.left() == Approx(0.1 * most).epsilon(1e-12));
}

TEST_CASE("there is no static friction without weight, some without a coefficient, and drag does not weaken it") {
  Setup free = packed_box(), smooth = packed_box(), slippery = packed_box(), buoyant = packed_box();
  free.gravity = {0, 0, 0};
  smooth.solids.friction = 0;
  slippery.solids.friction = 0.1;
  buoyant.gas.rho = buoyant.solids.rho;
  for (const Setup& s : {free, buoyant}) {
    Scene scene(s, 0.1 * most);
    scene.hold();
    CHECK(scene.left() == Approx(0.1 * most).epsilon(1e-12));
  }
  Scene without(smooth, 0.25 * most), with_some(slippery, 0.25 * most);
  without.hold();
  with_some.hold();
  CHECK(without.left() == with_some.left());
  CHECK(without.left() < 0.24 * most);
  Scene viscous(packed_box(), 1.5 * most, g * dt, 0.01); // the push is what drag has left of it
  viscous.hold();
  CHECK(viscous.left() == Approx(1.5 * most * (1 - (2 - 1.5))).epsilon(1e-12));
}

TEST_CASE("walls have no static friction, and the gas follows it by .3 a step") {
  Scene s(packed_box(), 0.5 * most);
  s.hold(1);
  const Array<double>& expected = *s.flow.friction_acceleration[2];
  for (std::int64_t f = 0; f < expected.size(); ++f) {
    const bool interior = s.domain.kind(2, f) == FaceKind::interior;
    CHECK(s.du[2][f] == Approx(g * dt - (interior ? 0.5 * most : 0)).epsilon(1e-12));
    CHECK(expected[f] == Approx(interior ? -0.3 * 0.5 * most / dt : 0).epsilon(1e-12));
  }
  Scene again(packed_box(), 0.5 * most);
  again.hold(60);
  const std::int64_t inside = again.domain.grid().axis(0).cells * again.domain.grid().axis(1).cells; // the first above the floor
  CHECK((*again.flow.friction_acceleration[2])[inside] == Approx(-0.5 * most / dt).epsilon(1e-8));
}

TEST_CASE("the gas follows the more slowly the less drag leaves of a push") {
  for (const auto& [m, answered] : {std::pair{1.0, 1.0}, {0.1, 1.0}, {0.05, 0.5}, {0.001, 0.01}})
    CHECK(mppic::StaticFriction::answered(m) == Approx(answered).epsilon(1e-12));
  Scene viscous(packed_box(), 0.05 * most, g * dt, 0.01);
  viscous.hold();
  const std::int64_t inside = viscous.domain.grid().axis(0).cells * viscous.domain.grid().axis(1).cells;
  CHECK((*viscous.flow.friction_acceleration[2])[inside] ==
        Approx(-0.3 * 0.1 * 0.05 * most / (0.01 * dt)).epsilon(1e-12));
}

} // namespace corral::test
