#include "tests/beads/run.hpp"

#include "stokes/rigid/rigid_shape.hpp"
#include "tests/catch.hpp"

namespace corral::test {

using namespace geometry;
using beads::count_of, beads::find_overlap, beads::place;
using Catch::Matchers::ContainsSubstring;
using structure::GroupArrangement;

namespace {

BeadGroup random_group(const BeadsSetup& s, std::int64_t count, double gap) {
  BeadGroup group;
  group.placed.name = "many";
  group.placed.arrangement = GroupArrangement::random;
  group.placed.low = s.origin;
  for (std::size_t d = 0; d < 3; ++d) group.placed.high[d] = s.origin[d] + s.size[d];
  group.placed.count = count;
  group.placed.gap = gap;
  return group;
}

BeadGroup shells(const BeadsSetup& s, std::int64_t count, double radius, double gap) {
  BeadGroup group = random_group(s, count, gap);
  group.shape = beads::GroupShape::shell;
  group.shell.radius = radius;
  group.shell.beads = stokes::sphere_shell_of(radius, s.radius).beads;
  return group;
}

/// The least gap between surfaces of different assemblies, images counted: pair by pair.
double nearest(const BeadsSetup& s) {
  double least = 1e9;
  std::vector<beads::Ball> all;
  for (std::size_t g = 0; g < s.groups.size(); ++g)
    for (const geometry::Placement& p : s.places[g]) {
      const BeadGroup& group = s.groups[g];
      const std::size_t others = all.size();
      for (std::int64_t k = 0; k < group.balls(); ++k) {
        const beads::Ball ball{group.rigid() ? p.position : p(bead_offset(group, k)), group.ball_radius(s.radius)};
        for (std::size_t j = 0; j < others; ++j) {
          Vector apart = ball.centre - all[j].centre;
          for (std::size_t d = 0; d < 3; ++d)
            if (s.periodic(d)) apart[d] -= s.size[d] * std::round(apart[d] / s.size[d]);
          least = std::min(least, length(apart) - ball.radius - all[j].radius);
        }
        all.push_back(ball);
      }
    }
  return least;
}

} // namespace

TEST_CASE("spheres stand apart at random, thin and crowded, also across periodic sides") {
  for (const double share : {0.01, 0.3, 0.5}) {
    for (const bool periodic : {true, false}) {
      BeadsSetup s = box(24, periodic);
      s.groups.push_back(random_group(s, 0, 0));
      s.groups[0].placed.volume_fraction = share;
      s.places = place(s);
      CHECK(static_cast<double>(s.places[0].size()) * 4 * std::numbers::pi / 3 == Approx(share * s.size[0] * s.size[1] * s.size[2]).epsilon(0.02));
      CHECK_FALSE(find_overlap(s));
      CHECK(nearest(s) >= -1e-12);
      s.places[0][1].position = s.places[0][0].position + Vector{0, 0, 1.99};
      const auto found = find_overlap(s);
      REQUIRE(found);
    }
  }
}

TEST_CASE("they keep their gap, to those that stand as well") {
  BeadsSetup s = box(30, true);
  add_spheres(s, {{15, 15, 15}}, {});
  s.groups[0].placed.position = {15, 15, 15};
  s.groups.push_back(random_group(s, 300, 0.4));
  s.places = place(s);
  CHECK(nearest(s) >= 0.4 - 1e-12);
}

TEST_CASE("fibres and spheres, and what does not fit says so") {
  BeadsSetup s = box(40, true);
  s.groups.push_back(random_group(s, 60, 0));
  s.groups[0].shape = beads::GroupShape::fibre;
  s.groups[0].fibre = {.beads = 10, .spacing = 2, .stretching = 1};
  s.groups[0].placed.turned_at_random = true;
  s.groups.push_back(random_group(s, 2000, 0));
  s.places = place(s);
  CHECK(s.beads() == 2600);
  CHECK_FALSE(find_overlap(s));
  CHECK(nearest(s) >= -1e-12);
  s.groups[0].placed.count = 1500;
  CHECK_THROWS_WITH(place(s), ContainsSubstring("[group.many]: 1500 at random places") && ContainsSubstring("%"));
  s.groups[0].placed.count = 600;
  CHECK_THROWS_WITH(place(s), ContainsSubstring("found room, and the next one none"));
}

TEST_CASE("shells stand in others where their spheres do, and not where beads reach beyond them") {
  BeadsSetup s = box(40, true);
  s.groups.push_back(shells(s, 0, 4.1, 0));
  s.places.push_back({at({2, 20, 20}), at({2 + 8.21, 20, 20})});
  add_spheres(s, {{2 - 5.11, 20, 20}}, {}); // across a side
  CHECK_FALSE(find_overlap(s));
  s.places[1][0] = at({2 - 5.09, 20, 20});
  CHECK(find_overlap(s));
  s.places[1].clear();
  s.places[0][1] = at({2 + 8.19, 20, 20});
  CHECK(find_overlap(s));
}

TEST_CASE("shells stand at random as the spheres that they are, crowded too, and keep their gaps to all else") {
  BeadsSetup s = box(40, true);
  s.groups.push_back(random_group(s, 400, 0.1)); // small ones come in between, whatever the order of groups
  s.groups.push_back(shells(s, 0, 4, 0));
  s.groups[1].placed.volume_fraction = 0.42;
  s.groups.push_back(random_group(s, 20, 0));
  s.groups[2].shape = beads::GroupShape::fibre;
  s.groups[2].fibre = {.beads = 5, .spacing = 2, .stretching = 1};
  s.places = place(s);
  CHECK(static_cast<double>(s.places[1].size()) * 4 * std::numbers::pi / 3 * 64 == Approx(0.42 * 64000).epsilon(0.01));
  CHECK(nearest(s) >= -1e-12);
  CHECK_FALSE(find_overlap(s));
  BeadsSetup others = s; // that keep a gap
  others.groups.erase(others.groups.begin() + 1, others.groups.end());
  others.groups.push_back(shells(s, 60, 4, 0.5));
  others.places = place(others);
  CHECK(nearest(others) >= 0.1 - 1e-12);
  others.groups.erase(others.groups.begin());
  others.places.erase(others.places.begin());
  CHECK(nearest(others) >= 0.5 - 1e-12);
}

TEST_CASE("a ball of spheres is full of them, and nothing else is") {
  BeadsSetup s = box(40, false);
  s.groups.push_back(random_group(s, 700, 0));
  s.groups[0].within = beads::Ball{{20, 20, 22}, 15};
  s.places = place(s);
  CHECK_FALSE(find_overlap(s));
  Vector mean{};
  double square = 0;
  for (const geometry::Placement& p : s.places[0]) {
    CHECK(length(p.position - s.groups[0].within->centre) <= 15 * (1 + 1e-12));
    mean = mean + (1.0 / 700) * p.position;
    square += dot(p.position - s.groups[0].within->centre, p.position - s.groups[0].within->centre) / 700;
  }
  CHECK(length(mean - s.groups[0].within->centre) < 1);
  CHECK(square == Approx(0.6 * 225).epsilon(0.07));
}

} // namespace corral::test
