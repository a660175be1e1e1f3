#include "tests/catch.hpp"
#include "tests/mppic_gpu/padding.cuh"
#include "tests/mppic_gpu/scenes.hpp"

#include "mppic/output/figures.hpp"
#include "mppic/output/watch.hpp"

#include <cuda_on_host/configuration.hpp>

#include <algorithm>
#include <string>
#include <vector>

/// What a step asks of the device beside its work: launches, waits, memory. docs/gpu_runs.md has the same numbers.
namespace corral::test {
namespace {

struct Asked {
  std::string phase;
  std::uint64_t launches = 0, waits = 0;
};

template <class F> Asked asked_by(const std::string& phase, const F& work) {
  cuda_on_host::finish(); // what was asked for before runs before
  const cuda_on_host::Statistics before = cuda_on_host::statistics();
  work();
  const std::uint64_t waits = cuda_on_host::statistics().waits - before.waits;
  cuda_on_host::finish();
  return {phase, cuda_on_host::statistics().launches - before.launches, waits};
}

/// Of each phase of a step, of what is looked at after it, and of a row of log.csv.
std::vector<Asked> asked_by_step(Run<Gpu>& run, mppic::Figures& figures, mppic::Watch& watch, std::int64_t number) {
  std::vector<Asked> all;
  const auto add = [&](const Asked& asked) {
    auto found = std::find_if(all.begin(), all.end(), [&](const Asked& a) { return a.phase == asked.phase; });
    if (found == all.end()) found = all.insert(all.end(), {asked.phase});
    found->launches += asked.launches;
    found->waits += asked.waits;
  };
  const double dt = run.setup.time.dt, time = dt * static_cast<double>(number);
  run.set_time(time + dt);
  for (const mppic::StepPart& part : run.step.parts())
    add(asked_by(!part.solves.empty()                          ? std::string(part.solves)
                 : part.phase.empty() && part.number.empty() ? "inflow"
                 : part.phase.empty()                        ? "memory"
                                                             : std::string(part.phase),
                 [&] { part.act({dt, number}); }));
  add(asked_by("time step", [&] { run.stepper.adapt(run.step, time + dt); }));
  add(asked_by("figures", [&] {
    watch.look(run.step, run.stepper.parcel(), time, dt);
    figures.add(run.step, run.stepper.gas(), run.stepper.parcel(), dt);
  }));
  add(asked_by("row", [&] { figures.row(run.step); }));
  return all;
}

/// So many for each round, and so many for each iteration of its linear systems.
std::uint64_t rounds_of(const mppic::Complementarity::Report& report, int round, int linear) {
  return static_cast<std::uint64_t>(round * (report.rounds + 1) + linear * report.linear);
}

} // namespace

TEST_CASE("a step asks the device for as many launches and waits as the manual says, and for no memory but the first times") {
  const PaddingHoldsAnything padding;
  mppic::Setup setup = blown_bed();
  setup.collisions = {.isotropy = true};
  Run<Gpu> run(setup);
  mppic::Figures figures(run.setup, run.domain, Memory::device);
  mppic::Watch watch(run.setup, run.domain);
  run.step.start();
  run.stepper.start(run.step);
  for (int number = 0; number < 2; ++number) asked_by_step(run, figures, watch, number);
  const std::int64_t held = memory_use(Memory::device).held;
  for (int number = 2; number < 5; ++number) {
    const std::vector<Asked> asked = asked_by_step(run, figures, watch, number);
    CHECK(memory_use(Memory::device).held == held);
    const mppic::StepReport& report = run.step.report();
    const auto iterations = static_cast<std::uint64_t>(report.gas.iterations);
    // Of solvers at most as many: a look each 4 iterations, and what a round or its system ends with earlier.
    const std::vector<Asked> most{{"inflow", 0, 0},
                                  {"sort", 14, 1},
                                  {"spread", 76, 1},
                                  {"gas", 70, 4},
                                  {"pressure", 15 + 5 * (iterations + 3), 2 + iterations / 4},
                                  {"contact", 19, 0},
                                  {"contact_pressure", rounds_of(report.contact, 22, 16), rounds_of(report.contact, 2, 2)},
                                  {"damping", 1, 0},
                                  {"gather", 4, 0},
                                  {"move", 13, 4},
                                  {"displace", 82, 3},
                                  {"displacement_potential", rounds_of(report.displacement, 22, 16), rounds_of(report.displacement, 2, 2)},
                                  {"memory", 27, 1},
                                  {"time step", 4, 1},
                                  {"figures", 4, 1},
                                  {"row", 13, 4}};
    REQUIRE(asked.size() == most.size());
    for (std::size_t k = 0; k < most.size(); ++k) {
      INFO(most[k].phase << " in step " << number << ": " << asked[k].launches << " launches, " << asked[k].waits << " waits; rounds "
                         << report.contact.rounds << " " << report.displacement.rounds << ", linear " << report.contact.linear << " "
                         << report.displacement.linear << ", iterations " << iterations);
      CHECK(asked[k].phase == most[k].phase);
      CHECK(asked[k].launches <= most[k].launches);
      CHECK(asked[k].waits <= most[k].waits);
    }
  }
}

TEST_CASE("phases say what they must move, for their share of what copies do") {
  const PaddingHoldsAnything padding;
  mppic::Setup setup = blown_bed();
  setup.collisions = {.isotropy = true};
  Run<Gpu> run(setup);
  run.step.start();
  run.stepper.start(run.step);
  const auto bytes_of = [&](const std::string& name) {
    double bytes = 0;
    for (const run::Phases::Phase& phase : run.phases.all())
      if (phase.name == name) bytes = phase.bytes;
    return bytes;
  };
  const double cells = static_cast<double>(run.domain.grid().cells());
  double parcels = 0, iterations = 0;
  for (int number = 0; number < 3; ++number) {
    parcels += static_cast<double>(run.step.parcels().size());
    run.advance(run.setup.time.dt, number);
    iterations += run.step.report().gas.iterations;
  }
  CHECK(bytes_of("sort") == 370 * parcels);
  CHECK(bytes_of("spread") == 230 * parcels + 3 * 23 * 8 * cells);
  CHECK(bytes_of("gas") == Approx((3 * (41 + 40 + 41) * 8 + 354 * iterations) * cells));
  CHECK(bytes_of("contact") > 3 * 70 * 8 * cells);
  CHECK(bytes_of("displace") > 110 * parcels);
  CHECK(bytes_of("move") == Approx((110 + 170 + 60 + 100) * parcels + 3 * 23 * 8 * cells));
}

} // namespace corral::test
