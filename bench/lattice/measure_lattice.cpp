#include "bench/lattice/measure_lattice.hpp"

#include "bench/duration.hpp"
#include "bench/lattice/row_parts.hpp"
#include "bench/measure.hpp"
#include "body/setup/setup.hpp"
#include "body/step/step.hpp"
#include "run/phases.hpp"
#include "run/state/registry.hpp"
#include "structure/fluids/make_fluid.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <numbers>

namespace corral::bench {

namespace lattice = fluid::lattice;
using lattice::Scheme;
using lattice::VelocitySet;

namespace {

constexpr double stream = 0.02, creep = 0.01; // cells a step: of the fluid, of bodies
constexpr double viscosity = 1. / 30;         // tau = .6; cells and steps are 1

/// The fluid of a workload as a case has it.
body::BodySetup setup_of(const LatticeWork& work) {
  body::BodySetup s;
  s.cells = work.cells;
  for (std::size_t d = 0; d < 3; ++d) s.size[d] = static_cast<double>(work.cells[d]);
  s.sides.fill(fluid::SideKind::periodic);
  s.fluid = {.method = structure::FluidMethod::lattice, .rho = 1, .mu = viscosity};
  s.fluid.lattice.set = work.set;
  s.fluid.lattice.precision = work.precision;
  s.fluid.lattice.scheme = work.scheme;
  s.drive.developed = false;
  s.drive.velocity = {stream, 0, 0};
  s.time.dt = 1;
  return s;
}

/// Some of the middles of as many boxes as hold more bodies than are asked for: those that a stride leads to.
std::vector<geometry::Placement> places_of(const LatticeWork& work, std::int64_t count) {
  const bool flat = work.set == VelocitySet::d2q9;
  std::array<std::int64_t, 3> boxes{1, 1, 1};
  for (std::size_t d = 0; d < (flat ? 2 : 3); ++d)
    boxes[d] = std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(work.cells[d]) / (2 * work.diameter)));
  const std::int64_t all = boxes[0] * boxes[1] * boxes[2];
  std::vector<geometry::Placement> places;
  for (std::int64_t k = 0; k < std::min(count, all); ++k) {
    const std::int64_t box = k * all / std::min(count, all);
    const std::array<std::int64_t, 3> at{box % boxes[0], box / boxes[0] % boxes[1], box / (boxes[0] * boxes[1])};
    std::array<double, 3> centre{};
    for (std::size_t d = 0; d < 3; ++d)
      centre[d] = (static_cast<double>(at[d]) + 0.5) * static_cast<double>(work.cells[d]) / static_cast<double>(boxes[d]);
    places.push_back({geometry::Rotation(), centre});
  }
  return places;
}

body::BodySetup with_bodies(const LatticeWork& work, const LatticeBodies& bodies) {
  body::BodySetup s = setup_of(work);
  const bool flat = work.set == VelocitySet::d2q9;
  const double radius = work.diameter / 2, each = std::numbers::pi * radius * radius * (flat ? 1 : 4. / 3 * radius);
  const double box = s.size[0] * s.size[1] * s.size[2];
  s.kinds = {{.name = "body", .kind = flat ? structure::BodyKind::cylinder : structure::BodyKind::sphere, .radius = radius, .spacing = 1}};
  body::BodyGroup group;
  group.placed.name = "all";
  if (bodies.moving) {
    group.motion.mode = structure::BodyMode::given;
    group.motion.given.velocity = {creep, 0.7 * creep, 0};
  }
  s.groups.push_back(group);
  if (bodies.at_once) s.forcing.placement = body::PointsPlacement::at_once;
  s.places.push_back(places_of(work, static_cast<std::int64_t>(std::ceil(bodies.share * box / each))));
  return s;
}

class FluidAlone {
public:
  explicit FluidAlone(const LatticeWork& work)
      : domain_(setup_of(work).make_domain()),
        flow_(domain_, {.density = 1, .viscosity = viscosity, .dt = 1, .set = work.set, .precision = work.precision, .scheme = work.scheme}) {
    const Array<double> along(domain_.grid().cells(), stream), none(domain_.grid().cells(), 0.0);
    flow_.start(Cpu{}, {along.data(), none.data(), none.data()});
  }
  void two_steps() { flow_.step(Cpu{}), flow_.step(Cpu{}); }

private:
  fluid::Domain domain_;
  fluid::LatticeFlow flow_;
};

class FluidWithBodies {
public:
  FluidWithBodies(const LatticeWork& work, const LatticeBodies& bodies)
      : setup_(with_bodies(work, bodies)), domain_(setup_.make_domain()), registry_(domain_.grid()),
        step_(Cpu{}, setup_, domain_, structure::make_fluid(Cpu{}, setup_, 1, domain_, registry_), registry_, phases_) {
    step_.start();
  }
  void two_steps() { advance(), advance(); }
  void tell(LatticeRow& row) const {
    row.body_count = step_.bodies();
    row.points = step_.points();
    for (const run::Phases::Phase& p : phases_.all()) row.phases.emplace_back(p.name, p.seconds / static_cast<double>(steps_));
  }

private:
  void advance() { step_.advance(static_cast<double>(steps_++), 1); }

  const body::BodySetup setup_;
  fluid::Domain domain_;
  run::Registry registry_;
  run::Phases phases_;
  body::BodyStep<Cpu> step_;
  std::int64_t steps_ = 0;
};

/// The rate is that of both arrays together.
class Copy {
public:
  explicit Copy(std::int64_t bytes) : from_(bytes, 1), to_(bytes, 2) {}
  void run(int threads) {
    for_each_chunk(Cpu{}, from_.size(), (from_.size() + threads - 1) / threads, [this](std::int64_t begin, std::int64_t end) {
      std::memcpy(to_.data() + begin, from_.data() + begin, static_cast<std::size_t>(end - begin));
    });
  }
  double bytes() const { return 2 * static_cast<double>(from_.size()); }

private:
  Array<char> from_, to_;
};

} // namespace

std::int64_t LatticeRow::bytes_per_update() const {
  return bytes_of_a_cell(work.set, work.precision) * (work.scheme == Scheme::in_place ? 2 : 3);
}

bool LatticeRow::has_target() const {
  return bodies ? std::abs(bodies->share - 0.01) < 1e-9 : threads == 1 && work.least_of_copy.has_value();
}
bool LatticeRow::met() const { return bodies ? cost <= most_cost : of_copy() >= *work.least_of_copy; }

std::vector<LatticeRow> measure_lattice(const LatticeWork& work, int repeats) {
  FluidAlone alone(work);
  Copy copy(work.copied);
  std::vector<std::unique_ptr<FluidWithBodies>> with;
  std::vector<Timed> timed;
  for (const int n : work.threads) {
    timed.push_back({[&, n] { return duration_of(n, [&] { alone.two_steps(); }).counted / 2; }});
    timed.push_back({[&, n] { return duration_of(n, [&] { copy.run(n); }).counted; }});
  }
  std::vector<std::vector<double>> costs(work.bodies.size());
  for (std::size_t b = 0; b < work.bodies.size(); ++b) {
    FluidWithBodies& one = *with.emplace_back(std::make_unique<FluidWithBodies>(work, work.bodies[b]));
    timed.push_back({[&, b, threads = work.bodies[b].at_once ? 2 : 1] {
      const Duration fluid = duration_of(1, [&] { alone.two_steps(); }), bodies = duration_of(threads, [&] { one.two_steps(); });
      costs[b].push_back(bodies.counted / (threads == 1 ? fluid.counted : fluid.clock) - 1);
      return bodies.counted / 2;
    }});
  }
  time_in_turn(timed, repeats);
  std::vector<LatticeRow> rows;
  for (std::size_t t = 0; t < work.threads.size(); ++t)
    rows.push_back({.work = work, .threads = work.threads[t], .seconds = median(timed[2 * t].seconds),
                    .copy_rate = copy.bytes() / median(timed[2 * t + 1].seconds)});
  const LatticeRow one_thread = rows.front();
  for (std::size_t b = 0; b < work.bodies.size(); ++b) {
    LatticeRow& row = rows.emplace_back(one_thread);
    row.bodies = work.bodies[b];
    if (row.bodies->at_once) row.threads = 2;
    row.seconds = median(timed[2 * work.threads.size() + b].seconds);
    row.cost = median(costs[b]);
    with[b]->tell(row);
  }
  return rows;
}

} // namespace corral::bench
