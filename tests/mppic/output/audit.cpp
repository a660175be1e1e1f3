#include "mppic/output/audit.hpp"

#include "tests/catch.hpp"
#include "tests/mppic/small_beds.hpp"
#include "tests/tolerance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>

namespace corral::test {
namespace {

using fluid::SideKind;
using mppic::Setup;
using mppic::StepBooks;
using mppic::Term;

/// A bed that is blown at and fed from below, loses parcels at the top, and bounces off rough walls.
Setup busy_bed() {
  Setup s = empty_box({4, 4, 8}, {0.04, 0.04, 0.08});
  s.sides = {SideKind::no_slip, SideKind::no_slip,   SideKind::free_slip,
             SideKind::free_slip, SideKind::no_slip, SideKind::outlet};
  s.solids.rho = 1000;
  s.solids.normal_restitution = 0.7;
  s.solids.tangential_restitution = 0.5;
  s.solids.restitution = 0.9;
  s.solids.friction = 0.3;
  s.gravity = {1, 0, -9.81};
  const fluid::Inlet inlet = let_in(s, 2.5, {0.01, 0, 0}, {0.03, 0.04, 0.08});
  s.solids_inlets.push_back({inlet, 0.02, 0.3, 40, mppic::SizeDistribution::one_size(1e-3)});
  s.time.dt = 5e-4;
  mppic::Seed low = bed(s, 0.06, 0.5, 1500, 1e-3), high = bed(s, 0.08, 0.01, 100, 5e-4);
  high.seeding.region.low = {0, 0, 0.065};
  high.velocity = {-1, 0.5, 2};
  s.seeds = {low, high};
  s.audit = true;
  return s;
}

/// The same with two sizes of parcels and everything that collisions can do.
Setup colliding(Setup s) {
  mppic::Seed small = s.seeds[0];
  s.seeds[0].seeding.solids_fraction = small.seeding.solids_fraction = 0.28;
  small.sizes = mppic::SizeDistribution::one_size(5e-4);
  s.seeds.push_back(small);
  s.collisions = {.far = true, .isotropy = true, .blended = true};
  return s;
}

/// What the parcels have, added up here.
struct Held {
  double kinetic = 0, potential = 0, mass = 0;
  std::array<double, 3> momentum{};

  explicit Held(const Bed& b) {
    const mppic::Parcels& p = b.step.parcels();
    for (std::int64_t i = 0; i < p.size(); ++i) {
      const double m = b.setup.solids.rho * p.volume[i];
      mass += m;
      for (std::size_t d = 0; d < 3; ++d) {
        const double u = (*p.velocity[d])[i];
        kinetic += 0.5 * m * u * u;
        potential -= m * b.setup.gravity[d] * (*p.position[d])[i];
        momentum[d] += m * u;
      }
    }
  }
};

/// What enters the books of kinetic energy and of potential energy, under its name.
std::map<std::string, double> kinetic_terms(const StepBooks& b) {
  std::map<std::string, double> all{{"entered", b.kinetic_entered}, {"left", -b.kinetic_left}};
  for (std::size_t t = 0; t < mppic::term_count; ++t) all[mppic::term_names[t]] = b.work[t];
  return all;
}
std::map<std::string, double> potential_terms(const StepBooks& b) {
  return {{"entered", b.potential_entered}, {"left", -b.potential_left}, {"flight", b.lift_flight},
          {"displacement", b.lift_displacement}, {"sides", b.lift_sides}};
}
std::map<std::string, double> mass_terms(const StepBooks& b) {
  return {{"entered", b.mass_entered}, {"left", -b.mass_left}};
}

/// How far the terms are from the change, over all that was turned over; and likewise with each term left out.
struct Balance {
  double closed = 0;
  std::map<std::string, double> without; ///< the largest of all steps

  void add(double before, double after, const std::map<std::string, double>& terms) {
    double unexplained = after - before, turned_over = std::abs(after) + std::abs(before);
    for (const auto& [name, value] : terms) unexplained -= value, turned_over += std::abs(value);
    closed = std::max(closed, std::abs(unexplained) / turned_over);
    for (const auto& [name, value] : terms)
      without[name] = std::max(without[name], std::abs(unexplained + value) / turned_over);
  }
  void check() const {
    CHECK(closed <= 1e-12);
    for (const auto& [name, residual] : without) {
      INFO("without " << name << ": " << residual << ", with it " << closed);
      if (name == "isotropy")
        CHECK(residual <= 1e-12); // gives and takes nothing
      else
        CHECK(residual > 1e-7);
    }
  }
};

} // namespace

TEST_CASE("the books of a fluidised bed close, and miss every term that is left out") {
  const bool all_models = GENERATE(false, true);
  Bed b(all_models ? colliding(busy_bed()) : busy_bed());
  Balance kinetic, potential, mass;
  std::map<int, double> impulse; // of each term: the largest over what was exchanged
  for (int i = 0; i < 150; ++i) {
    const Held before(b);
    b.run(1);
    const Held after(b);
    const StepBooks& books = b.step.audit().books();
    kinetic.add(before.kinetic, after.kinetic, kinetic_terms(books));
    potential.add(before.potential, after.potential, potential_terms(books));
    mass.add(before.mass, after.mass, mass_terms(books));
    CHECK(books.energy_residual <= 1e-12);
    CHECK(books.momentum_residual <= 1e-12);
    CHECK(books.kinetic == Approx(after.kinetic).epsilon(1e-12));
    CHECK(books.potential == Approx(after.potential).epsilon(1e-12));
    const double rise = after.kinetic + books.kinetic_left - books.kinetic_entered - before.kinetic + after.potential +
                        books.potential_left - books.potential_entered - before.potential;
    CHECK(std::abs(books.rise - rise) <= 1e-12 * (after.kinetic + std::abs(after.potential)));
    double exchanged = 0;
    for (const auto& term : books.impulse)
      for (const double v : term) exchanged += std::abs(v);
    for (std::size_t t = 0; t < mppic::term_count; ++t) {
      double& largest = impulse[static_cast<int>(t)];
      for (const double v : books.impulse[t]) largest = std::max(largest, std::abs(v) / exchanged);
    }
    // Momentum, where none came or went.
    if (books.mass_entered > 0 || books.mass_left > 0) continue;
    for (std::size_t d = 0; d < 3; ++d) {
      double unexplained = after.momentum[d] - before.momentum[d];
      for (const auto& term : books.impulse) unexplained -= term[d];
      CHECK(std::abs(unexplained) <= 1e-12 * (exchanged + std::sqrt(2 * after.kinetic * after.mass)));
    }
  }
  kinetic.check();
  potential.check();
  mass.check();
  for (const auto& [term, largest] : impulse) {
    INFO("impulse of term " << term);
    const bool within = term >= static_cast<int>(Term::friction) && term <= static_cast<int>(Term::isotropy);
    // Parcels give each other's momentum to each other; that of isotropy is known as a difference of large sums.
    const double bound = term == static_cast<int>(Term::isotropy) ? 1e-11 : 1e-13;
    CHECK((within ? largest <= bound : largest > 1e-7));
  }
  CHECK(b.books.left() > 0);
}

TEST_CASE("works and impulses have the signs and sizes that they must") {
  Bed b(busy_bed());
  for (int i = 0; i < 50; ++i) {
    b.run(1);
    const StepBooks& books = b.step.audit().books();
    const auto of = [](Term t) { return static_cast<std::size_t>(t); };
    CHECK(books.work[of(Term::walls)] <= 0);
    CHECK(books.work[of(Term::friction)] <= 0);
    CHECK(books.work[of(Term::collisions)] <= 0);
    // Gravity's impulse is weight times time, of what is inside during the step.
    const double moved = books.mass_left + Held(b).mass;
    for (std::size_t d = 0; d < 3; ++d) {
      const double weight = moved * b.setup.gravity[d] * b.setup.time.dt;
      CHECK(books.impulse[of(Term::gravity)][d] == Approx(weight).epsilon(1e-12).margin(1e-300));
    }
    const mppic::MoveSums& sums = b.step.report().moved;
    for (std::size_t d = 0; d < 3; ++d) {
      const double apart = std::abs(books.impulse[of(Term::drag)][d] - sums.from_gas[d]);
      CHECK(apart <= round_off(b.step.parcels().size()) * sums.exchanged[d]);
      CHECK(books.impulse[of(Term::walls)][d] == sums.wall_impulse[d]);
    }
    CHECK(books.work[of(Term::walls)] == sums.wall_work);
  }
}

TEST_CASE("what no wall has met is lifted by its velocity and by displacement alone") {
  // Overfull in the middle of rising gas, which pays for what it lifts.
  Setup s = busy_bed();
  s.solids_inlets.clear();
  s.gravity = {0, 0, -9.81};
  s.seeds[0].seeding.region = {{0.01, 0.01, 0.03}, {0.03, 0.03, 0.055}};
  s.seeds[0].seeding.parcels = 200;
  s.seeds[0].seeding.arrangement = mppic::Arrangement::random;
  s.seeds[0].seeding.solids_fraction = 0.62;
  s.seeds.pop_back();
  Bed b(s);
  double displaced = 0;
  for (int i = 0; i < 20; ++i) {
    b.run(1);
    const StepBooks& books = b.step.audit().books();
    REQUIRE(books.work[static_cast<std::size_t>(Term::walls)] == 0);
    CHECK(std::abs(books.lift_sides) <= 1e-12 * std::abs(books.potential));
    displaced = std::max(displaced, std::abs(books.lift_displacement) / std::abs(books.potential));
  }
  CHECK(displaced > 1e-7);
}

} // namespace corral::test
