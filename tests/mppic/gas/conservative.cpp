#include "tests/catch.hpp"
#include "tests/mppic/small_beds.hpp"
#include "tests/tolerance.hpp"

#include <cmath>
#include <numbers>

/// The gas's momentum in conservation form, in the step.
namespace corral::test {
namespace {

using fluid::SideKind;
using mppic::GasBooks;
using mppic::MomentumForm;
using mppic::Setup;

constexpr double closed = 1e-12; ///< of what is exchanged in a step

/// A cloud of parcels in a periodic box of gas that streams through it.
Setup cloud() {
  Setup s = empty_box({6, 5, 8}, {0.06, 0.05, 0.08});
  s.sides.fill(SideKind::periodic);
  s.gravity = {1, 0, -3};
  s.gas.momentum = MomentumForm::conservative;
  s.gas.velocity = {0.4, -0.2, 1.5};
  s.solids.packing = false;
  s.solids.restitution = 1;
  s.time.dt = 5e-4;
  s.seeds.push_back(bed(s, 0.05, 0.3, 6 * 5 * 5 * 4, 1e-3));
  s.seeds.back().velocity = {0, 0.5, -0.3};
  return s;
}

/// A bed that is blown through: an inlet in part of the floor, an open top, walls.
Setup blown() {
  Setup s = empty_box({4, 4, 10}, {0.04, 0.04, 0.1});
  s.sides = {SideKind::no_slip, SideKind::free_slip, SideKind::periodic,
             SideKind::periodic, SideKind::no_slip, SideKind::outlet};
  let_in(s, 2.0, {0, 0, 0}, {0.03, 0.04, 0});
  s.gas.momentum = MomentumForm::conservative;
  s.gas.velocity = {0, 0, 1.5};
  s.time.dt = 5e-4;
  s.seeds.push_back(bed(s, 0.05, 0.5, 1280, 1e-3));
  return s;
}

/// [N s], of parcels and gas, per direction, with the gas fraction of the last step.
std::array<double, 3> momentum(Bed& b) {
  std::array<double, 3> sum = b.step.report().gas.books.after;
  const mppic::Parcels& p = b.step.parcels();
  for (std::size_t d = 0; d < 3; ++d)
    for (std::int64_t i = 0; i < p.size(); ++i) sum[d] += b.setup.solids.rho * p.volume[i] * (*p.velocity[d])[i];
  return sum;
}

double mass(const Bed& b) {
  double volume = 0;
  for (const double v : b.step.parcels().volume) volume += v;
  return b.setup.solids.rho * volume;
}

constexpr std::array terms{&GasBooks::sides,    &GasBooks::viscosity, &GasBooks::drift, &GasBooks::gravity,
                           &GasBooks::pressure, &GasBooks::parcels,   &GasBooks::walls};

} // namespace

TEST_CASE("gas and parcels in a periodic box keep their momentum but for gravity, viscosity and the counted drift") {
  for (const fluid::Advection scheme :
       {fluid::Advection::upwind, fluid::Advection::van_leer, fluid::Advection::central}) {
    Setup s = cloud();
    s.gas.advection = scheme;
    Bed b(s);
    b.run(1);
    double drifted = 0;
    for (int i = 0; i < 20; ++i) {
      const std::array<double, 3> before = momentum(b);
      b.run(1);
      const GasBooks& books = b.step.report().gas.books;
      CHECK(books.residual < closed);
      CHECK(b.step.report().momentum_residual < closed);
      const std::array<double, 3> after = momentum(b);
      for (std::size_t d = 0; d < 3; ++d) {
        const double given = books.gravity[d] + s.time.dt * mass(b) * s.gravity[d] + books.viscosity[d] + books.drift[d];
        const double exchanged = b.step.report().moved.exchanged[d];
        CHECK(std::abs(after[d] - before[d] - given) < closed * (exchanged + std::abs(after[d])));
        drifted = std::max(drifted, std::abs(books.drift[d]) / exchanged);
      }
    }
    CHECK(drifted > 1e3 * closed); // it would be missed
    CHECK(drifted < 0.05);
  }
}

TEST_CASE("the gas's momentum closes beside walls, an inlet and an outlet, in short steps and in long ones") {
  for (const double dt : {2e-4, 1e-3, 5e-3}) {
    Setup s = blown();
    s.time.dt = dt;
    if (dt > 3e-4) s.gas.viscous_force = fluid::Viscosity::stress;
    if (dt > 3e-3) s.gas.smagorinsky = 0.168;
    Bed b(s);
    for (int i = 0; i < 20; ++i) {
      b.run(1);
      CHECK(b.step.report().gas.books.residual < closed);
      CHECK(b.step.report().momentum_residual < closed);
    }
    CHECK(b.step.report().moved.left[5] >= 0);
  }
}

TEST_CASE("the gas's books without one of their terms don't close") {
  Bed b(blown());
  b.run(20);
  const GasBooks& books = b.step.report().gas.books;
  CHECK(books.residual < closed);
  for (const auto term : terms) {
    GasBooks broken = books;
    broken.*term = {};
    broken.close();
    CHECK(broken.residual > 1e4 * closed);
  }
}

TEST_CASE("frozen parcels, and parcels that the gas does not feel, leave its books closed, too") {
  for (const bool frozen : {true, false}) {
    Setup s = blown();
    (frozen ? s.solids.frozen : s.solids.two_way) = frozen;
    Bed b(s);
    for (int i = 0; i < 5; ++i) {
      b.run(1);
      CHECK(b.step.report().gas.books.residual < closed);
    }
  }
}

TEST_CASE("a uniform stream through parcels that move with it stays uniform") {
  Setup s = cloud();
  s.gravity = {};
  s.gas.velocity = s.seeds.front().velocity = {0.3, -0.2, 0.9};
  Bed b(s);
  for (int i = 0; i < 10; ++i) {
    b.run(1);
    for (int d = 0; d < 3; ++d)
      for (const double u : b.gas(d))
        CHECK(u == Approx(s.gas.velocity[d]).margin(1e-6)); // the pressure solver's
  }
}

TEST_CASE("a bed whose gas carries momentum in conservation form goes on from saved state as if it had not stopped") {
  Bed b(blown()), other(blown());
  b.run(10);
  other.registry.assign(b.registry);
  other.done = b.done;
  b.run(3);
  other.run(3);
  for (int d = 0; d < 3; ++d)
    for (std::int64_t f = 0; f < b.gas(d).size(); ++f) CHECK(b.gas(d)[f] == other.gas(d)[f]);
}

} // namespace corral::test
