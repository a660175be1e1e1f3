#include "tests/catch.hpp"
#include "tests/mppic_gpu/padding.cuh"
#include "tests/mppic_gpu/same.hpp"
#include "tests/mppic_gpu/scenes.hpp"
#include "tests/run_gpu/compared.hpp"

#include <cmath>

/// Whole steps of the gas-solid driver, solvers, inlets and start included: nothing is handed over.
namespace corral::test {
namespace {

using mppic::Setup;

constexpr double solvers_leave = 1e-7; ///< of the largest value: what tolerances of 1e-12 come to in some steps

/// Makes both as uneven, on the host.
void stir(Run<Cpu>& here, Run<Gpu>& there, double fast) {
  for (int d = 0; d < 3; ++d) {
    Array<double>& velocity = here.field("velocity", d);
    for (std::int64_t i = 0; i < velocity.size(); ++i) {
      velocity[i] += 0.3 * std::sin(static_cast<double>(7 * i + d));
      if (d == 2 && i % 40 == 0) velocity[i] = fast;
    }
    there.field("velocity", d) = velocity;
  }
}

/// Steps from the beginning on; some parcels rise fast [m/s], and leave. `share`: how far values may be apart at the end.
void check_run(Setup setup, double share, int steps = 10, double fast = 12) {
  [[maybe_unused]] const PaddingHoldsAnything padding;
  solve_tightly(setup);
  Run<Cpu> here(setup);
  Run<Gpu> there(setup);
  here.step.start();
  there.step.start();
  check_same_state(here.registry, there.registry, 1e-13);
  if (!setup.solids.frozen) stir(here, there, fast);
  for (int step = 0; step < steps; ++step) {
    here.advance(setup.time.dt, step);
    there.advance(setup.time.dt, step);
    if (step > 0) continue;
    INFO("after one step");
    check_same_state(here.registry, there.registry, 10 * tolerance); // what is left of the solvers' tolerances
  }
  check_same_state(here.registry, there.registry, share);
  if (setup.solids.frozen) return;
  CHECK(here.step.books().left() > 0); // the scene is one in which all of that happens
  CHECK(here.step.report().contact.rounds > 1);
  if (setup.solids_inlets.empty()) return;
  CHECK(here.step.books().rejected() > 0);
  CHECK(here.step.books().created() > here.step.books().rejected() + 1000);
}

} // namespace

TEST_CASE("whole steps of a bed with a jet end on the device where the CPU's do") { check_run(blown_bed(), solvers_leave); }

TEST_CASE("and of one that is fed, where axes that wrap around have an odd number of cells") { check_run(fed_bed(), solvers_leave, 7); }

TEST_CASE("and where parcels take fields from the grid itself, as one solid does whose collisions are not blended") {
  for (Setup setup : {blown_bed(), fed_bed()}) {
    setup.collisions.blended = false;
    check_run(setup, solvers_leave);
  }
}

TEST_CASE("and of a warm one") {
  check_run(warm_bed(false), solvers_leave, 7);
  check_run(warm_bed(true), solvers_leave, 7);
}

TEST_CASE("and of two solids") { check_run(two_solids(), solvers_leave, 13, 20); }

namespace {

/// All that a run holds after some steps; `poisoned`: what its parts have given back, and what they take, is NaN.
template <Execution E> Rows state_after(const Setup& setup, bool poisoned, int steps = 3) {
  Run<E> run(setup);
  if (poisoned) run.step.scratch().fields.poison(), run.step.scratch().columns.poison();
  run.step.start();
  for (int step = 0; step < steps; ++step) run.advance(setup.time.dt, step);
  return numbers_of(run.registry);
}

/// Cases that ask for other arrays, and leave others out.
std::vector<Setup> cases_of_scratch() {
  std::vector<Setup> all{blown_bed(), fed_bed(), warm_bed(false), warm_bed(true), two_solids()};
  const auto add = [&](auto change) {
    all.push_back(blown_bed());
    change(all.back());
  };
  add([](Setup& s) { s.collisions.blended = false; });
  add([](Setup& s) { s.solids.frozen = true, s.collisions = {}; });
  add([](Setup& s) { s.gas.momentum = mppic::MomentumForm::conservative; });
  add([](Setup& s) { s.gas.advection = fluid::Advection::central; });
  add([](Setup& s) { s.solids.packing = false; });
  add([](Setup& s) { s.gas.solved = false, s.solids.two_way = false; });
  add([](Setup& s) { s.solids.drag.law = mppic::DragLaw::beetstra, s.audit = true; });
  return all;
}

} // namespace

TEST_CASE("no part of a step reads scratch that it did not write, or that it has given back") {
  [[maybe_unused]] const PaddingHoldsAnything padding;
  const std::vector<Setup> all = cases_of_scratch();
  for (std::size_t k = 0; k < all.size(); ++k) {
    INFO("case " << k);
    CHECK(state_after<Cpu>(all[k], true) == state_after<Cpu>(all[k], false));
    CHECK(state_after<Gpu>(all[k], true) == state_after<Gpu>(all[k], false));
  }
}

#ifdef CORRAL_CUDA_ON_HOST
TEST_CASE("whole steps have the same bits in any order of threads and blocks") {
  for (const Setup& setup : {fed_bed(), warm_bed(true)}) check_orders([&] { return state_after<Gpu>(setup, false, 2); });
}
#endif

} // namespace corral::test
