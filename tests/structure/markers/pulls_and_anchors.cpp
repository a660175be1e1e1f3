#include "structure/markers/pulls_and_anchors.hpp"
#include "tests/catch.hpp"

#include <vector>

namespace corral::structure {

TEST_CASE("A pull holds the ends of a membrane with forces that add up to nothing") {
  const Pull pull{.name = "tweezers", .group = 0, .axis = 1, .force = 6e-12, .share = 0.2, .ramp = 2};
  std::vector<std::array<double, 3>> x;
  for (int i = 0; i < 10; ++i) x.push_back({0, static_cast<double>((7 * i) % 10), 0}); // a permutation of 0..9
  Pulls<Cpu> pulls;
  CHECK_FALSE(pulls.any());
  pulls.hold(pull, 5, x);
  CHECK(pulls.any());
  std::array<std::vector<double>, 3> force;
  for (auto& f : force) f.resize(20, 0.0);
  pulls.add(Cpu{}, 10, {force[0].data(), force[1].data(), force[2].data()});
  double sum = 0;
  for (std::size_t i = 0; i < 20; ++i) {
    CHECK(force[0][i] == 0);
    CHECK(force[2][i] == 0);
    sum += force[1][i];
    const double y = i >= 5 && i < 15 ? x[i - 5][1] : 5;
    CHECK(force[1][i] == (y <= 1 ? -3e-12 : y >= 8 ? 3e-12 : 0));
  }
  CHECK(sum == 0);
  // Points that move apart at 1 m/s and 2 m/s.
  std::vector<double> v(20, 0.0);
  for (std::size_t i = 5; i < 15; ++i) v[i] = x[i - 5][1] <= 1 ? -1 : 2;
  CHECK(pulls.power(Cpu{}, 10, {v.data(), v.data(), v.data()}) == Approx(6e-12 * 1 + 6e-12 * 2));
  CHECK(pulls.power(Cpu{}, 0.5, {v.data(), v.data(), v.data()}) == Approx(0.25 * 18e-12));
  CHECK(pulls.power(Cpu{}, 0, {v.data(), v.data(), v.data()}) == 0);
}

TEST_CASE("Both ends of a membrane are held by at least one vertex each, and by none together") {
  for (const double share : {1e-9, 0.5}) {
    Pulls<Cpu> pulls;
    std::vector<std::array<double, 3>> x{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}};
    pulls.hold({.name = "", .group = 0, .axis = 0, .force = 1, .share = share, .ramp = 0}, 0, x);
    std::vector<double> f(5, 0.0), none(5, 0.0);
    pulls.add(Cpu{}, 0, {f.data(), none.data(), none.data()});
    CHECK(f[0] < 0);
    CHECK(f[4] > 0);
    CHECK(f[2] == 0);
  }
}

TEST_CASE("A vertex that several pulls hold is pulled by each of them once") {
  Pulls<Cpu> pulls;
  const std::vector<std::array<double, 3>> x{{0, 0, 0}, {1, 1, 0}, {2, 2, 0}, {3, 3, 0}};
  pulls.hold({.name = "", .group = 0, .axis = 0, .force = 1, .share = 0.25, .ramp = 0}, 0, x);
  pulls.hold({.name = "", .group = 0, .axis = 0, .force = 4, .share = 0.5, .ramp = 0}, 0, x);
  pulls.hold({.name = "", .group = 0, .axis = 1, .force = 8, .share = 0.25, .ramp = 0}, 0, x);
  std::vector<double> along_x(4, 0.0), along_y(4, 0.0), none(4, 0.0);
  pulls.add(Cpu{}, 0, {along_x.data(), along_y.data(), none.data()});
  CHECK(along_x == std::vector<double>{-3, -2, 2, 3});
  CHECK(along_y == std::vector<double>{-8, 0, 0, 8});
}

TEST_CASE("A path leads from nowhere at time 0 through its points and ends at the last") {
  const std::vector<ImmersedGroup::PathPoint> path{{1, {2, 0, 0}}, {3, {2, 4, 0}}};
  CHECK(shift_at(path, 0) == std::array<double, 3>{0, 0, 0});
  CHECK(shift_at(path, 0.5) == std::array<double, 3>{1, 0, 0});
  CHECK(shift_at(path, 1) == std::array<double, 3>{2, 0, 0});
  CHECK(shift_at(path, 2) == std::array<double, 3>{2, 2, 0});
  CHECK(shift_at(path, 99) == std::array<double, 3>{2, 4, 0});
  const std::vector<ImmersedGroup::PathPoint> jump{{0, {1, 1, 1}}, {2, {3, 1, 1}}};
  CHECK(shift_at(jump, 0) == std::array<double, 3>{1, 1, 1});
  CHECK(shift_at(jump, 1) == std::array<double, 3>{2, 1, 1});
}

} // namespace corral::structure
