#include "tests/beads/run.hpp"

#include "tests/catch.hpp"

namespace corral::test {

using namespace geometry;

namespace {

BeadsSetup swimmer(bool ahead, double reach) {
  BeadsSetup s = box(51, false);
  BeadGroup group;
  group.shape = beads::GroupShape::fibre;
  group.fibre = {.beads = 4, .spacing = 2, .stretching = 10, .bending = 10};
  group.swim = {.thrust = 1, .reach = reach, .ahead = ahead};
  s.groups.push_back(group);
  s.places.push_back({at({30, 30, 30})});
  s.time.dt = 0.04;
  s.tolerance = 1e-4;
  return s;
}

} // namespace

TEST_CASE("pushers and pullers swim the way they point, and force the fluid by nothing but a dipole", "[physics]") {
  for (const bool ahead : {false, true}) {
    Run run(swimmer(ahead, 4));
    CHECK(run.velocity(0)[2] > 0.02);
    Vector force{};
    for (std::size_t d = 0; d < 3; ++d)
      for (std::int64_t i = 0; i < 4; ++i) force[d] += run.column("force", static_cast<int>(d))[i];
    CHECK(force[2] == Approx(1)); // the fluid gets it back where it is pushed
    // The work of a dipole: the fluid is pushed backwards, where it flows so, and beads move forwards.
    CHECK(run.step.power() > 0);
    run.go(20);
    const Vector ends = run.step.end_to_end(run.step.assemblies()[0]);
    CHECK(ends[2] == Approx(length(ends)).epsilon(1e-9)); // it goes straight
    CHECK(run.position(0)[2] > 33.01);
  }
}

TEST_CASE("a bead far beside a pusher is drawn to it, and one far behind is pushed off; a puller draws those ahead") {
  for (const bool ahead : {false, true}) {
    BeadsSetup s = swimmer(ahead, 4);
    add_spheres(s, {{50, 30, ahead ? 33.0 : 27.0}, {30, 30, ahead ? 55.0 : 5.0}}, {}); // beside the middle of the dipole, and in line
    const Run run(s);
    const double sign = ahead ? -1 : 1;
    CHECK(sign * run.velocity(4)[0] < 0);
    CHECK(run.velocity(5)[2] < 0); // the one behind goes off, the one ahead comes
  }
}

TEST_CASE("a bent swimmer is not turned by what it pushes") {
  Run run(swimmer(false, 4));
  run.column("position", 0)[1] += 0.7; // bends it
  run.step.start();
  Vector torque{}, centre{}, force{};
  for (std::int64_t i = 0; i < 4; ++i) centre = centre + 0.25 * run.position(i);
  for (std::int64_t i = 0; i < 4; ++i) {
    const Vector f{run.column("force", 0)[i], run.column("force", 1)[i], run.column("force", 2)[i]};
    torque = torque + cross(run.position(i) - centre, f);
    force = force + f;
  }
  // The opposite force acts in line with the middle, along the axis: about that it makes no torque.
  CHECK(length(torque) < 1e-12);
  CHECK(length(cross(force, run.step.end_to_end(run.step.assemblies()[0]))) < 1e-12);
}

} // namespace corral::test
