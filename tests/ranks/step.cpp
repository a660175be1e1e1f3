#include "tests/catch.hpp"

#include "distributed/make_team.hpp"
#include "tests/mppic/small_beds.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

/// Whole steps whose planes ranks share, beside the same steps in one process, which every rank makes, too.
namespace corral::test {
namespace {

using namespace mppic;

/// Air blown through a bed of sand.
Setup blown() {
  Setup s = empty_box({24, 25, 52}, {0.12, 0.125, 0.26});
  s.sides[5] = fluid::SideKind::outlet;
  let_in(s, 2.0, {0, 0, 0}, {0.06, 0.125, 0});
  s.collisions.isotropy = true;
  s.seeds.push_back(bed(s, 0.13, 0.55, 30000, 1e-3));
  return s;
}

/// Around in a box that bears what it holds.
Setup borne() {
  Setup s = empty_box({24, 25, 52}, {0.12, 0.125, 0.26});
  s.sides[4] = s.sides[5] = fluid::SideKind::periodic;
  s.drive.bears_weight = true;
  s.gravity = {0.5, 0, -9.81};
  s.seeds.push_back(bed(s, 0.2, 0.3, 30000, 1e-3));
  return s;
}

double largest(const Array<double>& values) {
  double most = 0;
  for (const double v : values) most = std::max(most, std::abs(v));
  return most;
}

} // namespace

TEST_CASE("Steps whose planes ranks share are those of one process, whatever stands in others' planes") {
  const auto team = distributed::make_team(distributed::Ranks::world());
  for (const auto& make : {&blown, &borne}) {
    Bed alone(make()), together(make(), team.get());
    REQUIRE(together.step.planes().shared() == (team->size() > 1));
    alone.run(3);
    together.run(3);
    CHECK(together.step.report().moved.speed_squared == Approx(alone.step.report().moved.speed_squared).epsilon(1e-9));
    CHECK(together.step.report().gas.from_parcels[2] == Approx(alone.step.report().gas.from_parcels[2]).epsilon(1e-9));
    CHECK(together.step.report().paid == Approx(alone.step.report().paid).epsilon(1e-7));
    for (const char* name : {"pressure", "contact_pressure", "solids_fraction", "predicted_fraction", "gas_velocity", "contact_acceleration",
                             "friction_acceleration"})
      for (int d = 0; d < (std::string(name).find("_velocity") == std::string::npos && std::string(name).find("accel") == std::string::npos ? 1 : 3); ++d) {
        CAPTURE(name, d);
        const Array<double>&expected = alone.field(name, d), &found = together.field(name, d);
        const double scale = largest(expected);
        double difference = 0;
        for (std::int64_t i = 0; i < expected.size(); ++i) {
          const double apart = std::abs(found[i] - expected[i]);
          if (!(apart <= difference)) difference = apart; // no number stays
        }
        CHECK(difference <= 1e-8 * scale);
      }
  }
}

} // namespace corral::test
