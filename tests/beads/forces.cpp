#include "tests/beads/run.hpp"

#include "beads/forces/contact.hpp"
#include "beads/forces/elasticity.hpp"
#include "run/random.hpp"
#include "stokes/rigid/rigid_shape.hpp"
#include "tests/catch.hpp"

#include <cmath>
#include <optional>
#include <vector>

namespace corral::test {

using namespace geometry;
using beads::Assembly, beads::Contact, beads::FibreModel;
using structure::ConstPoints, structure::Points;

namespace {

/// Points of which energies are functions.
struct Cloud {
  explicit Cloud(std::int64_t n) {
    for (std::size_t d = 0; d < 3; ++d) x[d].resize(n, 0.0), force[d].resize(n, 0.0);
  }
  ConstPoints at() const { return {x[0].data(), x[1].data(), x[2].data()}; }
  Points forces() { return {force[0].data(), force[1].data(), force[2].data()}; }
  std::int64_t size() const { return x[0].size(); }
  Vector place(std::int64_t i) const { return {x[0][i], x[1][i], x[2][i]}; }
  Vector force_on(std::int64_t i) const { return {force[0][i], force[1][i], force[2][i]}; }

  std::array<Array<double>, 3> x, force;
};

/// energy() adds forces, and returns what they are the slope of. Largest difference to that slope.
template <class Energy> double away_from_slope(Cloud& cloud, const Energy& energy) {
  for (Array<double>& f : cloud.force) f.fill(0.0);
  energy();
  const std::array<Array<double>, 3> found = cloud.force;
  double worst = 0;
  for (std::size_t d = 0; d < 3; ++d)
    for (std::int64_t i = 0; i < cloud.size(); ++i) {
      constexpr double by = 1e-5;
      const double here = cloud.x[d][i];
      cloud.x[d][i] = here + by;
      const double above = energy();
      cloud.x[d][i] = here - by;
      const double below = energy();
      cloud.x[d][i] = here;
      worst = std::max(worst, std::abs(found[d][i] + (above - below) / (2 * by)));
    }
  cloud.force = found;
  return worst;
}

Vector total(const Cloud& cloud) {
  Vector sum{};
  for (std::int64_t i = 0; i < cloud.size(); ++i) sum = sum + cloud.force_on(i);
  return sum;
}
Vector torque(const Cloud& cloud) {
  Vector sum{};
  for (std::int64_t i = 0; i < cloud.size(); ++i) sum = sum + cross(cloud.place(i), cloud.force_on(i));
  return sum;
}

} // namespace

TEST_CASE("a fibre's forces are the slope of its energy, and neither move nor turn it") {
  const FibreModel fibre{.beads = 6, .spacing = 2, .stretching = 7, .bending = 3};
  Cloud cloud(6);
  const run::Random random(3);
  for (std::int64_t i = 0; i < 6; ++i)
    for (std::size_t d = 0; d < 3; ++d)
      cloud.x[d][i] = (d == 0 ? 2.0 * static_cast<double>(i) : 0) +
                      random.uniform(run::Purpose::position, 0, static_cast<std::uint64_t>(i), static_cast<int>(d));
  const auto energy = [&] { return add_elastic_forces(fibre, 0, cloud.at(), cloud.forces()).total(); };
  CHECK(energy() > 0);
  CHECK(away_from_slope(cloud, energy) < 1e-7);
  CHECK(length(total(cloud)) < 1e-13);
  CHECK(length(torque(cloud)) < 1e-12);
}

TEST_CASE("a straight fibre at rest has no energy; one that is bent into a circle has a rod's") {
  const std::int64_t n = 400;
  const double radius = 50, turn = 2 * std::numbers::pi / static_cast<double>(n), spacing = 2 * radius * std::sin(turn / 2);
  const FibreModel fibre{.beads = n, .spacing = spacing, .stretching = 1, .bending = 3};
  Cloud cloud(n);
  for (std::int64_t i = 0; i < n; ++i) cloud.x[0][i] = spacing * static_cast<double>(i);
  CHECK(add_elastic_forces(fibre, 0, cloud.at(), cloud.forces()).total() < 1e-20);
  for (std::int64_t i = 0; i < n; ++i) {
    cloud.x[0][i] = radius * std::cos(turn * static_cast<double>(i));
    cloud.x[1][i] = radius * std::sin(turn * static_cast<double>(i));
  }
  const auto energy = add_elastic_forces(fibre, 0, cloud.at(), cloud.forces());
  CHECK(energy.stretching < 1e-20);
  CHECK(energy.bending == Approx(0.5 * 3 / (radius * radius) * spacing * static_cast<double>(n - 2)).epsilon(1e-4)); // EI/2 curvature^2
}

TEST_CASE("beads that come near push each other, across periodic sides and images too, by the slope of an energy") {
  BeadsSetup setup = box(12, true);
  setup.contact = {.range = 0.5, .strength = 4};
  add_spheres(setup, std::vector<Vector>(5), {});
  setup.groups.emplace_back();
  setup.groups.back().shape = beads::GroupShape::fibre;
  setup.groups.back().fibre = {.beads = 3, .spacing = 2};
  const std::vector<Assembly> assemblies{{0, 0, 1}, {0, 1, 1}, {0, 2, 1}, {0, 3, 1}, {0, 4, 1}, {1, 5, 3}};
  Contact contact(setup, setup.make_grid(), assemblies);
  Cloud cloud(8);
  const std::vector<Vector> places{{0.2, 3, 3}, {10.1, 3.1, 3.2}, {2.3, 4, 3.5}, {6, 0.1, 6}, {6.2, 10, 6.1},
                                   {6, 6, 6}, {8, 6, 6}, {10.1, 6, 6}};
  for (std::int64_t i = 0; i < 8; ++i)
    for (std::size_t d = 0; d < 3; ++d) cloud.x[d][i] = places[static_cast<std::size_t>(i)][d];
  const auto energy = [&] { return contact.add(Cpu{}, cloud.at(), cloud.forces()).energy; };
  CHECK(away_from_slope(cloud, energy) < 1e-6);
  CHECK(length(total(cloud)) < 1e-13);
  CHECK(length(cloud.force_on(0)) > 0.1);
  for (std::int64_t i = 5; i < 8; ++i) CHECK(length(cloud.force_on(i)) < 1e-14); // neighbours in a fibre are held by springs
  CHECK(contact.add(Cpu{}, cloud.at(), cloud.forces()).nearest == Approx(std::hypot(0.2, 2.1, 0.1)));
}

namespace {

/// Shells, and a bead where the radius is 1.
struct Solids {
  Solids(const BeadsSetup& in, const std::vector<beads::Ball>& balls) : setup(in) {
    std::vector<Vector> places;
    for (const beads::Ball& ball : balls) {
      BeadGroup& group = setup.groups.emplace_back();
      if (ball.radius > 1) {
        group.shape = beads::GroupShape::shell;
        group.shell.radius = ball.radius;
        group.shell.beads = stokes::sphere_shell_of(ball.radius, 1).beads;
      }
      assemblies.push_back({setup.groups.size() - 1, std::ssize(places), group.beads()});
      for (std::int64_t k = 0; k < group.beads(); ++k) places.push_back(ball.centre + bead_offset(group, k));
    }
    cloud.emplace(std::ssize(places));
    for (std::size_t i = 0; i < places.size(); ++i)
      for (std::size_t d = 0; d < 3; ++d) cloud->x[d][static_cast<std::int64_t>(i)] = places[i][d];
    contact.emplace(setup, setup.make_grid(), assemblies);
  }
  Contact::Found find() {
    for (Array<double>& f : cloud->force) f.fill(0.0);
    return contact->add(Cpu{}, cloud->at(), cloud->forces());
  }
  double energy_with(const Assembly& a, std::size_t d, double by) {
    for (std::int64_t i = a.first; i < a.first + a.beads; ++i) cloud->x[d][i] += by;
    const double energy = find().energy;
    for (std::int64_t i = a.first; i < a.first + a.beads; ++i) cloud->x[d][i] -= by;
    return energy;
  }

  BeadsSetup setup;
  std::vector<Assembly> assemblies;
  std::optional<Cloud> cloud;
  std::optional<Contact> contact;
};

BeadsSetup pushing_box(double edge) {
  BeadsSetup setup = box(edge, true);
  setup.contact = {.range = 0.6, .strength = 5};
  return setup;
}

} // namespace

TEST_CASE("shells push each other and beads as the spheres that they are, and nothing turns them") {
  // Gaps: .2 between the first and the bead, across a side; -.13 between the first and the second.
  const std::vector<beads::Ball> balls{{{4, 4, 4}, 5}, {{4, 11, 7.6}, 3}, {{21.8, 4, 4}, 1}};
  Solids solids(pushing_box(24), balls);
  for (std::size_t a = 0; a < balls.size(); ++a) {
    const Assembly& of = solids.assemblies[a];
    Vector slope{}, sum{}, torque{};
    for (std::size_t d = 0; d < 3; ++d) slope[d] = (solids.energy_with(of, d, 1e-5) - solids.energy_with(of, d, -1e-5)) / 2e-5;
    solids.find();
    for (std::int64_t i = of.first; i < of.first + of.beads; ++i) {
      sum = sum + solids.cloud->force_on(i);
      torque = torque + cross(solids.cloud->place(i) - balls[a].centre, solids.cloud->force_on(i));
    }
    CHECK(length(sum + slope) < 1e-7);
    CHECK(length(sum) > 1);
    CHECK(length(torque) < 1e-12);
  }
  const Contact::Found found = solids.find();
  CHECK(length(total(*solids.cloud)) < 1e-12);
  CHECK(found.nearest == Approx(2 + std::hypot(7, 3.6) - 8));
  const auto energy = [](double gap) { return 0.5 * 5 * (0.6 - gap) * (0.6 - gap) / 0.6; };
  CHECK(found.energy == Approx(energy(0.2) + energy(std::hypot(7, 3.6) - 8)));
}

TEST_CASE("a shell meets its own images") {
  Solids solids(pushing_box(10), {{{5, 2, 5}, 4.9}});
  const Contact::Found found = solids.find();
  CHECK(found.nearest == Approx(2.2));
  CHECK(found.energy == Approx(3 * 0.5 * 5 * 0.4 * 0.4 / 0.6));
  CHECK(length(total(*solids.cloud)) < 1e-12);
}

TEST_CASE("contact tells the nearest pair, a sphere and its own image included") {
  BeadsSetup setup = box(3, true);
  add_spheres(setup, std::vector<Vector>(1), {});
  const std::vector<Assembly> assemblies{{0, 0, 1}};
  Contact contact(setup, setup.make_grid(), assemblies);
  Cloud cloud(1);
  CHECK(contact.add(Cpu{}, cloud.at(), cloud.forces()).nearest == Approx(3));
}

} // namespace corral::test
