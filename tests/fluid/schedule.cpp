#include "fluid/domain.hpp"
#include "fluid/schedule.hpp"
#include "tests/catch.hpp"

#include <corral/error.hpp>

namespace corral::test {
namespace {

using fluid::Domain;
using fluid::Schedule;
using fluid::SideKind;

/// One cell with an inlet over its floor whose velocity is 2 m/s times the schedule, and an open top.
Domain pipe(const Schedule& schedule, const std::vector<std::uint8_t>& blocked = {}) {
  const std::array sides{SideKind::free_slip, SideKind::free_slip, SideKind::free_slip,
                         SideKind::free_slip, SideKind::free_slip, SideKind::outlet};
  fluid::Inlet inlet{.name = "floor", .side = 4, .region = {{0, 0, 0}, {1, 1, 1}},
                     .velocity = [](const std::array<double, 3>&) { return 2.0; }, .schedule = schedule};
  return {Domain::make_grid({1, 1, 1}, {0, 0, 0}, {1, 1, 1}, sides), sides, {inlet}, blocked};
}

} // namespace

TEST_CASE("a schedule is linear between its points, constant beyond them, and jumps where a time stands twice") {
  const Schedule s({1, 2, 4, 4}, {3, 5, 6, 0.5});
  CHECK(s.at(-1) == 3);
  CHECK(s.at(1) == 3);
  CHECK(s.at(1.25) == 3.5);
  CHECK(s.at(3) == 5.5);
  CHECK(s.at(3.999999) == Approx(6).epsilon(1e-6));
  CHECK(s.at(4) == 0.5);
  CHECK(s.at(1e9) == 0.5);
  CHECK(Schedule().at(7) == 1);
  CHECK(Schedule({2}, {0.25}).at(0) == 0.25);
}

TEST_CASE("schedules that contradict themselves are refused") {
  CHECK_THROWS_AS(Schedule({1, 2}, {1}), Error);
  CHECK_THROWS_AS(Schedule({2, 1}, {1, 1}), Error);
  CHECK_THROWS_AS(Schedule({1, 1, 1}, {1, 2, 3}), Error);
}

TEST_CASE("an inlet gives its velocity times its schedule at the domain's time") {
  Domain domain = pipe(Schedule({0, 1}, {1, 3}));
  CHECK(domain.given_velocity(2, 0) == 2);
  domain.set_time(0.5);
  CHECK(domain.given_velocity(2, 0) == 4);
  CHECK(domain.given_velocity(2, 1) == 0);
  domain.set_time(0);
  CHECK(domain.given_velocity(2, 0) == 2);
}

TEST_CASE("an inlet below a blocked cell stays shut whenever its velocity changes") {
  Domain domain = pipe(Schedule({0, 1}, {1, 3}), {1});
  CHECK(domain.given_velocity(2, 0) == 0);
  domain.set_time(1);
  CHECK(domain.given_velocity(2, 0) == 0);
}

} // namespace corral::test
