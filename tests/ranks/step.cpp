#include "tests/catch.hpp"

#include "distributed/make_team.hpp"
#include "mppic/output/measures.hpp"
#include "tests/mppic/small_beds.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

/// Whole steps whose planes ranks share, beside the same steps in one process, which every rank makes, too.
namespace corral::test {
namespace {

using namespace mppic;

/// Air blown through a bed of sand.
Setup blown() {
  Setup s = empty_box({24, 25, 52}, {0.12, 0.125, 0.26});
  s.sides[5] = fluid::SideKind::outlet;
  let_in(s, 2.0, {0, 0, 0}, {0.06, 0.125, 0});
  s.collisions.isotropy = true;
  s.gas.velocity = {0.1, -0.2, 0.4};
  s.seeds.push_back(bed(s, 0.13, 0.55, 30000, 1e-3));
  return s;
}

/// Around in a box that bears what it holds.
Setup borne() {
  Setup s = empty_box({24, 25, 52}, {0.12, 0.125, 0.26});
  s.sides[4] = s.sides[5] = fluid::SideKind::periodic;
  s.drive.bears_weight = true;
  s.gravity = {0.5, 0, -9.81};
  s.seeds.push_back(bed(s, 0.2, 0.3, 30000, 1e-3));
  return s;
}

/// Gas so fast that advection takes several sub-steps, between walls; grains of two densities, that drag knows the sizes of, come in at a
/// side and above it.
Setup fed() {
  Setup s = empty_box({24, 25, 52}, {0.12, 0.125, 0.26});
  s.sides = {fluid::SideKind::no_slip, fluid::SideKind::no_slip, fluid::SideKind::no_slip, fluid::SideKind::no_slip, fluid::SideKind::no_slip, fluid::SideKind::outlet};
  s.time.dt = 5e-4;
  s.gas.advection = fluid::Advection::central;
  s.solids.drag.law = DragLaw::tang_polydisperse;
  s.collisions.blended = true;
  mix(s, {7800, 1050});
  let_in(s, 40, {0.03, 0.04, 0}, {0.06, 0.08, 0});
  fluid::Inlet feed = s.inlets.front();
  feed.name = "feed";
  feed.side = 0;
  feed.region = {{0, 0.05, 0.1}, {0, 0.08, 0.2}};
  s.inlets.push_back(feed);
  s.solids_inlets.push_back({feed, 1, 0.5, 400, SizeDistribution::one_size(1e-3)});
  s.seeds = {bed_of(s, 0, 0.13, 0.25, 20000, 1e-3), bed_of(s, 1, 0.13, 0.3, 20000, 7e-4)};
  return s;
}

/// Parcels of the lower half of the box come to stand upside down in its uppermost quarter, in planes that they were not sorted in.
void turn_over(Bed& bed) {
  const Axis& z = bed.domain.grid().axis(2);
  for (run::ParticleSet& set : bed.registry.sets())
    for (double& at : *set.find("position", 2)->reals()) at = z.origin + z.length() - 0.5 * (at - z.origin);
}

/// Fields of the state are no numbers beyond a rank's own planes and those beside them, but for what inlets ask of all.
void poison_elsewhere(Bed& bed) {
  if (!bed.step.planes().shared()) return;
  for (run::Entry& e : bed.registry.entries()) {
    if (e.kind != run::Kind::field || !e.reals() || (e.name == "solids_fraction" && !bed.setup.solids_inlets.empty())) continue;
    Array<double>& values = *e.reals();
    std::vector<bool> good(static_cast<std::size_t>(values.size()));
    for (const fluid::OwnRange& range : fluid::points_around(bed.domain.grid(), bed.step.planes(), e.staggering, StepScratch::beside))
      std::fill_n(good.begin() + range.first, range.count, true);
    for (std::int64_t i = 0; i < values.size(); ++i)
      if (!good[static_cast<std::size_t>(i)]) values[i] = std::numeric_limits<double>::quiet_NaN();
  }
}

double largest(const Array<double>& values) {
  double most = 0;
  for (const double v : values) most = std::max(most, std::abs(v));
  return most;
}

} // namespace

TEST_CASE("Steps whose planes ranks share are those of one process, whatever stands in others' planes") {
  const auto team = distributed::make_team(distributed::Ranks::world());
  for (const auto& make : {&blown, &borne, &fed}) {
    Bed alone(make()), together(make(), team.get());
    REQUIRE(together.step.planes().shared() == (team->size() > 1));
    for (int step = 0; step < 3; ++step) {
      alone.run(1);
      poison_elsewhere(together);
      together.run(1);
    }
    CHECK(together.step.report().gas.substeps == alone.step.report().gas.substeps);
    CHECK(together.step.report().theta_max == Approx(alone.step.report().theta_max).epsilon(1e-9));
    CHECK(together.step.report().drift_rms == Approx(alone.step.report().drift_rms).epsilon(1e-6));
    CHECK(together.step.report().drift_max == Approx(alone.step.report().drift_max).epsilon(1e-6));
    CHECK(together.step.report().moved.speed_squared == Approx(alone.step.report().moved.speed_squared).epsilon(1e-9));
    CHECK(together.step.report().gas.from_parcels[2] == Approx(alone.step.report().gas.from_parcels[2]).epsilon(1e-9));
    CHECK(together.step.report().paid == Approx(alone.step.report().paid).epsilon(1e-7));
    for (const run::Entry& e : alone.registry.entries()) {
      if (e.kind != run::Kind::field || !e.reals() || e.name == "displacement_potential") continue; // that is as good as its solver
      CAPTURE(e.full_name());
      const Array<double>&expected = *e.reals(), &found = together.field(e.name, e.component);
      const fluid::OwnRange own = together.step.state().own(e.staggering);
      const double scale = largest(expected);
      double difference = 0;
      for (std::int64_t i = own.first; i < own.first + own.count; ++i) {
        const double apart = std::abs(found[i] - expected[i]);
        if (!(apart <= difference)) difference = apart; // no number stays
      }
      CHECK(difference <= 1e-8 * scale);
    }
  }
}

TEST_CASE("Figures of a bed over ranks are of where parcels are, not of where they were sorted") {
  const auto team = distributed::make_team(distributed::Ranks::world());
  Bed alone(blown()), together(blown(), team.get());
  REQUIRE(together.step.state().scratch.own_sums == (team->size() > 1));
  for (Bed* const bed : {&alone, &together}) turn_over(*bed);
  const FiguresOfBed expected = Measures(alone.setup, alone.domain).of_bed(alone.step), found = Measures(together.setup, together.domain).of_bed(together.step);
  CHECK(expected.occupancy_max > 0.3);
  CHECK(found.occupancy_max == Approx(expected.occupancy_max).epsilon(1e-12));
  CHECK(found.solids_volume == Approx(expected.solids_volume).epsilon(1e-12));
  CHECK(found.height_99 == Approx(expected.height_99).epsilon(1e-12));
  CHECK(found.centre_z == Approx(expected.centre_z).epsilon(1e-12));
}

} // namespace corral::test
