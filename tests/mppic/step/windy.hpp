#pragma once

#include "mppic/time_step.hpp"
#include "run/driver.hpp"
#include "tests/mppic/small_beds.hpp"

#include <string>

namespace corral::test {

/// A box of 10 cells of 1 cm to a side with one parcel in it and no gravity, and gas that enters through the floor.
inline mppic::Setup windy(double superficial) {
  mppic::Setup s = empty_box({10, 10, 10}, {0.1, 0.1, 0.1});
  s.gravity = {0, 0, 0};
  s.sides[5] = fluid::SideKind::outlet;
  let_in(s, superficial, {0, 0, 0}, {0.1, 0.1, 0.1});
  s.gas.velocity = {0, 0, superficial};
  mppic::Seed one = bed(s, 0.1, 0.01, 1, 1e-3);
  one.seeding.arrangement = mppic::Arrangement::lattice;
  one.seeding.solids_fraction.reset();
  one.seeding.particles_per_parcel = 1;
  one.seeding.lattice = {1, 1, 1};
  s.seeds.push_back(one);
  return s;
}

/// A bed, its clock and the stepper, as the driver runs them.
struct Run {
  explicit Run(mppic::Setup s) : bed(std::move(s)), stepper(bed.setup, bed.domain, bed.registry) {
    stepper.start(bed.step);
  }

  void step() {
    const double dt = stepper.next();
    clock.set_dt(dt);
    stepper.check(bed.step, dt);
    bed.domain.set_time(clock.time() + dt);
    bed.step.advance(dt, clock.step());
    stepper.adapt(bed.step, clock.time() + dt);
    stepper.check(bed.step, dt);
    clock.advance();
  }
  std::string message() {
    try {
      for (int i = 0; i < 3; ++i) step();
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  }
  double allowed() const { return *bed.registry.find("allowed_dt")->real(); }
  /// Sets the velocity of all of the gas along z.
  void blow(double w) { bed.gas(2).fill(w); }

  Bed bed;
  mppic::TimeStepper stepper;
  run::Clock clock;
};

} // namespace corral::test
