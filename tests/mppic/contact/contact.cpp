#include "tests/catch.hpp"
#include "tests/mppic/small_beds.hpp"
#include "tests/tolerance.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

namespace corral::test {
namespace {

using fluid::SideKind;
using mppic::Setup;

/// A closed box without gas: what there is pulls at nothing.
Setup no_gas(std::array<std::int64_t, 3> cells, std::array<double, 3> size) {
  Setup s = empty_box(cells, size);
  s.gas.solved = false;
  s.gas.rho = 1e-9; // it has to have one
  s.solids.drag = {mppic::DragLaw::constant, 1, 1, 0};
  s.solids.two_way = false;
  s.audit = true;
  return s;
}

mppic::Seed cloud(const Setup& s, double low, double high, double theta, std::int64_t parcels, double velocity) {
  mppic::Seed seed = bed(s, high, theta, parcels, 1e-3);
  seed.seeding.region.low = {0, 0, low};
  seed.velocity = {0, 0, velocity};
  return seed;
}

constexpr std::array<std::int64_t, 3> cells{4, 4, 16};
constexpr std::array<double, 3> size{0.04, 0.04, 0.16};

Setup dropped_bed() {
  Setup s = no_gas(cells, size);
  s.seeds.push_back(cloud(s, 0.04, 0.1, 0.5, 4 * 4 * 6 * 20, 0));
  return s;
}

Setup two_clouds() {
  Setup s = no_gas(cells, size);
  s.gravity = {0, 0, 0};
  s.seeds.push_back(cloud(s, 0.02, 0.06, 0.3, 1280, 0.5));
  s.seeds.push_back(cloud(s, 0.09, 0.13, 0.4, 1280, -0.5));
  return s;
}

/// As wide as high, and in places twice as dense as packing allows.
Setup overfull_heap() {
  Setup s = no_gas(cells, size);
  mppic::Seed heap = cloud(s, 0, 0.05, 0.5, 600, 0);
  heap.seeding.arrangement = mppic::Arrangement::random;
  s.seeds.push_back(heap);
  heap.seeding.region.high[0] = 0.02;
  s.seeds.push_back(heap);
  return s;
}

/// A bed that is packed as its weight asks for from the start, with gas, and rests.
Setup resting_bed() {
  Setup s = empty_box({2, 2, 16}, {0.02, 0.02, 0.16});
  s.sides[5] = SideKind::outlet;
  mppic::Seed seed = bed(s, 0.1, 0.58, 1, 1e-3);
  seed.seeding.arrangement = mppic::Arrangement::cell_lattice;
  seed.seeding.lattice = {4, 4, 4};
  s.seeds.push_back(seed);
  return s;
}

/// A cloud that flies at the wall x = 0, and leaves an open surface behind.
Setup thrown_cloud() {
  Setup s = no_gas(cells, size);
  s.time.dt = 5e-4;
  s.seeds.push_back(cloud(s, 0, 0.06, 0.5, 900, 0));
  s.seeds.back().seeding.region.low[0] = 0.002;
  s.seeds.back().seeding.region.high[0] = 0.022;
  s.seeds.back().velocity = {-0.5, 0, 0};
  return s;
}

Array<double>& column(Bed& b, const std::string& name) {
  for (run::Entry& e : b.registry.entries())
    if (e.name == name && e.component == 0) return *e.reals();
  throw Error("no such column");
}

double energy(const Bed& b) {
  const mppic::StepBooks books = b.step.start_books();
  return books.kinetic + books.potential;
}

double speed(const Bed& b) { return std::sqrt(b.step.report().moved.speed_squared); }

std::array<double, 3> momentum(const Bed& b) {
  const mppic::Parcels& p = b.step.parcels();
  std::array<double, 3> sum{};
  for (std::int64_t i = 0; i < p.size(); ++i)
    for (std::size_t d = 0; d < 3; ++d) sum[d] += b.setup.solids.rho * p.volume[i] * (*p.velocity[d])[i];
  return sum;
}

double mass(const Bed& b) {
  double sum = 0;
  for (const double v : b.step.parcels().volume) sum += b.setup.solids.rho * v;
  return sum;
}

struct Case {
  const char* name;
  Setup (*setup)();
  double taken; ///< of the energy, at least
  bool overfull = false;
};
/// A heap spreads by displacement, in which what sinks lifts what rises.
const std::vector<Case> cases{{"dropped bed", dropped_bed, 0.03}, {"two clouds", two_clouds, 0.03},
                              {"heap", overfull_heap, 1e-5, true}};

} // namespace

TEST_CASE("contact, friction and collisions only take energy, and without gas none ever rises") {
  using mppic::Term;
  for (const Case& c : cases) {
    Bed b(c.setup());
    const double start = energy(b);
    double taken = 0, dissipation = 0, gifts = 0, lowest = start;
    for (int i = 0; i < 200; ++i) {
      const double before = energy(b);
      b.run(1);
      const mppic::StepBooks& books = b.step.audit().books();
      double work = 0;
      for (const Term t : {Term::contact, Term::friction, Term::collisions})
        work += books.work[static_cast<std::size_t>(t)];
      const double scale = std::max(std::abs(before), std::abs(start));
      INFO(c.name << ", step " << i << ", work " << work << ", rise " << books.rise << " of " << scale << ", paid "
                  << b.step.report().paid);
      CHECK(work <= 1e-6 * scale); // damping is added to velocities that contact has changed since
      // Displacement may use a little of what was lost before, and is given what parts overfull solids
      // (docs/models/displacement.md, energy budget).
      const double given = b.step.report().given;
      gifts += given;
      const double more = c.overfull ? 4 : 1; // what parted falls, and may be lifted a little for that
      CHECK(energy(b) - before <= more * 1e-6 * scale + given);
      lowest = std::min(lowest + given, energy(b));
      CHECK(energy(b) - lowest <= more * 1e-4 * start);
      taken += before + given - energy(b);
      dissipation -= work;
    }
    INFO(c.name);
    CHECK(taken > c.taken * start); // something happened
    CHECK((gifts > 0) == c.overfull);
    CHECK(b.step.report().theta_max < 1.05 * b.setup.solids.stress.theta_cp); // nothing stays overfull
    CHECK(dissipation > 0);
  }
}

TEST_CASE("walls and gravity alone change the parcels' momentum, walls also by the contact that they take part in") {
  for (const Case& c : cases) {
    Bed b(c.setup());
    const double weight = mass(b) * b.setup.gravity[2] * b.setup.time.dt;
    for (int i = 0; i < 100; ++i) {
      const std::array<double, 3> before = momentum(b);
      b.run(1);
      const std::array<double, 3> after = momentum(b);
      const double* walls = b.step.report().moved.wall_impulse;
      const double carried = mass(b) * speed(b) + std::abs(weight);
      const auto& contact = b.step.audit().books().impulse[static_cast<std::size_t>(mppic::Term::contact)];
      INFO(c.name << ", step " << i << ", contact " << contact[0] << " " << contact[1] << " " << contact[2]);
      for (std::size_t d = 0; d < 3; ++d) {
        const double given = walls[d] + (d == 2 ? weight : 0) + contact[d];
        CHECK(std::abs(after[d] - before[d] - given) <= 1e-9 * carried);
      }
    }
  }
}

TEST_CASE("two clouds in free space exchange momentum, and keep it") {
  Setup s = two_clouds();
  s.sides.fill(SideKind::periodic);
  Bed b(s);
  const std::array<double, 3> start = momentum(b);
  const double scale = mass(b) * 0.5;
  b.run(150);
  for (std::size_t d = 0; d < 3; ++d) CHECK(std::abs(momentum(b)[d] - start[d]) <= 1e-12 * scale);
}

TEST_CASE("a bed at rest stays at rest, and the floor carries its weight") {
  Bed b(resting_bed());
  b.run(300);
  const double area = 0.02 * 0.02, weight = mass(b) * 9.81 * (1 - b.setup.gas.rho / b.setup.solids.rho) / area;
  for (int i = 0; i < 50; ++i) {
    b.run(1);
    CHECK(speed(b) <= 1e-6);
    double load = 0;
    for (std::int64_t f = 0; f < 4; ++f) load += b.step.contact().floor_load()[f] / 4;
    CHECK(std::abs(load - weight) <= 1e-6 * weight);
  }
}

TEST_CASE("a deep bed that is let go is stopped in the first step") {
  Setup s = no_gas({2, 2, 110}, {0.02, 0.02, 1.1});
  s.seeds.push_back(cloud(s, 0, 1, 0.58, 2 * 2 * 100 * 8, 0));
  Bed b(s);
  for (int i = 0; i < 5; ++i) {
    b.run(1);
    INFO("step " << i << ", rounds " << b.step.report().contact.rounds);
    CHECK(b.step.report().contact.converged);
    CHECK(b.step.report().displacement.converged);
  }
}

TEST_CASE("the mirror image of what happens at a wall happens at the other one") {
  for (Setup (*setup)() : {overfull_heap, thrown_cloud}) {
    const Setup s = setup();
    Bed left(s), right(s);
    for (double& x : column(right, "position")) x = s.size[0] - x;
    for (double& u : column(right, "velocity")) u = -u;
    for (Bed* b : {&left, &right}) b->field("predicted_fraction").fill(1); // no surprise about what is where now
    left.run(20);
    right.run(20);
    std::vector<std::array<double, 2>> there(static_cast<std::size_t>(left.step.parcels().size()));
    for (std::int64_t i = 0; i < left.step.parcels().size(); ++i) {
      there[left.step.parcels().id[i]][0] = column(left, "position")[i];
      there[right.step.parcels().id[i]][1] = column(right, "position")[i];
    }
    double worst = 0, apart = 0;
    for (const auto& x : there) {
      worst = std::max(worst, std::abs(x[0] + x[1] - s.size[0]));
      apart = std::max(apart, std::abs(x[0] - x[1]));
    }
    CHECK(apart > 0.01);
    // Contact's own tolerance, over 20 steps; what is overfull is moved further.
    CHECK(worst <= (setup == overfull_heap ? 1e-3 : 1e-5) * s.size[0]);
  }
}

TEST_CASE("without contact parcels fall freely through each other") {
  Setup s = two_clouds();
  s.gravity = {0, 0, -9.81};
  s.solids.packing = false;
  s.solids.restitution = 1;
  Bed b(s);
  b.run(10);
  const double t = 10 * s.time.dt;
  const mppic::Parcels& p = b.step.parcels();
  for (std::int64_t i = 0; i < p.size(); ++i) {
    const double start = p.id[i] < 1280 ? 0.5 : -0.5;
    CHECK(std::abs((*p.velocity[2])[i] - (start - 9.81 * t)) <= 1e-6);
    CHECK((*p.velocity[0])[i] == 0);
  }
  b.run(50);
  CHECK(b.step.report().theta_max > 0.62); // they overlap
}

TEST_CASE("a cloud that falls onto a floor does not pack beyond its limit", "[physics]") {
  for (const double velocity : {0., -1., -3.}) {
    Setup s = no_gas(cells, size);
    s.time.dt = velocity < -1 ? 2.5e-4 : 5e-4; // a tenth of a cell
    s.seeds.push_back(cloud(s, 0.03, 0.13, 0.35, 4 * 4 * 10 * 20, velocity));
    Bed b(s);
    double largest = 0;
    for (int i = 0; i < 300; ++i) {
      b.run(1);
      largest = std::max(largest, b.step.report().theta_max);
    }
    INFO("velocity " << velocity << ", largest " << largest);
    CHECK(largest < s.solids.stress.theta_cp + 0.03);
    CHECK(largest > 0.9 * s.solids.stress.theta_cp);
  }
}

} // namespace corral::test
