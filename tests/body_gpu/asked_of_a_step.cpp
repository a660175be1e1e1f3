#include "tests/body/body_run.hpp"
#include "tests/catch.hpp"
#include "tests/mppic_gpu/padding.cuh"
#include "tests/run_gpu/counts_of_phases.hpp"

#include <cuda_on_host/configuration.hpp>

#include <cstdint>
#include <memory>
#include <vector>

/// What a step of bodies asks of the device beside its work: launches, waits, memory. docs/gpu_runs.md has the same numbers.
namespace corral::test {
namespace {

body::BodySetup two_balls(const structure::MotionModel& motion) {
  body::BodySetup s = body_box(20, 0.5 * tau_one);
  s.sides[2] = s.sides[3] = fluid::SideKind::no_slip;
  s.drive.velocity = {0.01, 0, 0};
  s.contact = {.range = 1.5, .strength = 0.3};
  add_ball(s, 2.5, {6, 8, 6}, motion);
  add_ball(s, 2.2, {11, 8.1, 6.3}, motion);
  return s;
}

void check_step(const body::BodySetup& setup, const std::vector<MostOfPhase>& most, std::uint64_t waits) {
  const PaddingHoldsAnything padding;
  BodyRun<Gpu> run(setup);
  run.go(2);
  const std::int64_t held = memory_use(Memory::device).held;
  const std::uint64_t before = cuda_on_host::statistics().waits;
  run.go(1);
  CHECK(cuda_on_host::statistics().waits - before == waits);
  std::vector<CountsOfPhases::Of> counts;
  run.phases.time_by(std::make_unique<CountsOfPhases>(counts));
  run.go(1);
  check_phases(run.phases, counts, most);
  CHECK(memory_use(Memory::device).held == held);
}

} // namespace

TEST_CASE("A step of free bodies asks for as many launches and waits as the manual says, and for no memory but the first times") {
  check_step(two_balls({.mode = structure::BodyMode::free, .density = 1.2}),
             {{"bodies", 4, 1}, {"sort", 3, 0}, {"spread", 12, 0}, {"volumes", 4, 0}, {"look", 6, 0}, {"fluid", 3, 1}}, 2);
}

TEST_CASE("and one of bodies at rest") {
  check_step(two_balls({}), {{"bodies", 1, 0}, {"sort", 0, 0}, {"spread", 12, 0}, {"volumes", 0, 0}, {"look", 6, 0}, {"fluid", 3, 1}}, 1);
}

} // namespace corral::test
