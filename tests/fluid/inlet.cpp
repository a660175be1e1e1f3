#include "fluid/domain.hpp"
#include "fluid/inlet.hpp"
#include "tests/catch.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace corral::test {
namespace {

/// 3 m x .3 m x 2 m: one cell thick in y.
Grid box(std::int64_t nx, std::int64_t nz) {
  return Grid({Axis{nx, 0, 3.0 / static_cast<double>(nx)}, Axis{1, 0, 0.3}, Axis{nz, 0, 2.0 / static_cast<double>(nz)}});
}

} // namespace

TEST_CASE("a parabolic inlet has its mean velocity on any grid, also where its edges cut faces") {
  for (const std::int64_t n : {2, 7, 40})
    for (const auto& [from, to] : {std::array{0.0, 3.0}, std::array{0.7, 1.9}}) {
      const Grid grid = box(n, 4);
      const auto profile = fluid::parabolic_profile(grid, 2, {from, 0, 0}, {to, 0.3, 0}, 1.5);
      double flux = 0;
      for (std::int64_t i = 0; i < n; ++i) {
        const double h = grid.axis(0).spacing, centre = (static_cast<double>(i) + 0.5) * h;
        const double part = std::max(0.0, std::min(centre + h / 2, to) - std::max(centre - h / 2, from));
        flux += part * profile({centre, 0.15, 0});
      }
      INFO(n << " cells, " << from << " to " << to);
      CHECK(std::abs(flux - 1.5 * (to - from)) <= 1e-14);
    }
}

TEST_CASE("a parabolic inlet is that of Poiseuille's flow along each axis but its own and thin ones") {
  const Grid grid = box(300, 200);
  const auto along_z = fluid::parabolic_profile(grid, 2, {0, 0, 0}, {3, 0.3, 0}, 1);
  CHECK(std::abs(along_z({1.505, 0.15, 0}) - 1.5) <= 1e-4);
  CHECK(std::abs(along_z({0.755, 0.15, 0}) - 6 * 0.755 / 3 * (1 - 0.755 / 3)) <= 1e-4);
  CHECK(along_z({0.005, 0.15, 0}) < 0.011);
  const auto along_y = fluid::parabolic_profile(grid, 1, {0, 0, 0}, {3, 0, 2}, 1);
  CHECK(std::abs(along_y({1.505, 0, 0.995}) - 2.25) <= 2e-4);
}

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
