#include "tests/catch.hpp"
#include "tests/mppic/small_beds.hpp"
#include "tests/tolerance.hpp"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace corral::test {
namespace {

using mppic::StepPlace;

std::vector<std::string> numbers_of(const mppic::Setup& setup) {
  const Bed b(setup);
  std::vector<std::string> numbers;
  for (const mppic::StepPart& part : b.step.parts())
    if (!part.number.empty()) numbers.emplace_back(part.number);
  return numbers;
}

} // namespace

TEST_CASE("models enter a step before and after its places, in the order in which they came") {
  std::string done;
  const auto act = [&](char c) { return [&done, c](const mppic::StepTime&) { done += c; }; };
  mppic::StepParts parts;
  parts.at(StepPlace::move, "9", "", act('d'));
  parts.at(StepPlace::sort, "1", "", act('b'));
  parts.before(StepPlace::sort, "", act('a'));
  parts.after(StepPlace::sort, "", act('c'));
  parts.after(StepPlace::move, "", act('e'));
  parts.after(StepPlace::move, "", act('f'));
  for (const mppic::StepPart& part : parts.all()) part.act({1, 0});
  CHECK(done == "abcdef");
}

TEST_CASE("a step has the parts of the algorithm in docs/models.md, by its numbers") {
  using Numbers = std::vector<std::string>;
  mppic::Setup s = empty_box({2, 2, 2}, {1, 1, 1});
  CHECK(numbers_of(s) == Numbers{"1", "2", "3", "4", "5", "6a", "6a", "6a", "6b", "7", "7", "7", "8", "8", "8", "9", "9", "10"});
  s.collisions.isotropy = true;
  CHECK(numbers_of(s) ==
        Numbers{"1", "2", "3", "4", "5", "6a", "6a", "6a", "6b", "7", "7", "7b", "7", "8", "8", "8", "9", "9", "10"});
  s.solids.frozen = true;
  CHECK(numbers_of(s) == Numbers{"1", "2", "3", "4", "5", "7", "7"});
}

namespace {

using fluid::SideKind;
using mppic::DragLaw;
using mppic::Setup;

/// A fluidised bed of 4 x 4 x 10 cells with an inlet over the whole floor and an open top.
Setup fluidised(double superficial) {
  Setup s = empty_box({4, 4, 10}, {0.04, 0.04, 0.1});
  s.sides[5] = SideKind::outlet;
  let_in(s, superficial, {0, 0, 0}, {0.04, 0.04, 0.1});
  s.gas.velocity = {0, 0, superficial};
  s.time.dt = 2e-4;
  s.seeds.push_back(bed(s, 0.05, 0.5, 1280, 1e-3));
  return s;
}

double mapped_volume(const Bed& b) {
  double sum = 0;
  for (double theta : b.step.flow().solids_fraction) sum += theta * b.domain.grid().cell_volume();
  return sum;
}

} // namespace

TEST_CASE("momentum given to the gas is taken from the parcels") {
  Bed b(fluidised(1.5));
  double volume = 0;
  for (const double v : b.step.parcels().volume) volume += v;
  for (int i = 0; i < 50; ++i) {
    b.run(1);
    CHECK(b.step.report().momentum_residual < 1e-12);
    const auto& exchanged = b.step.report().moved.exchanged;
    CHECK(exchanged[0] + exchanged[1] + exchanged[2] > 0.5 * b.setup.time.dt * 9.81 * b.setup.solids.rho * volume);
  }
}

TEST_CASE("gas whose momentum van Leer's scheme carries moves otherwise, and keeps all books") {
  Setup s = fluidised(1.5);
  Bed upwind(s);
  s.gas.advection = fluid::Advection::van_leer;
  Bed limited(s);
  double apart = 0;
  for (int i = 0; i < 50; ++i) {
    upwind.run(1);
    limited.run(1);
    CHECK(limited.step.report().momentum_residual < 1e-12);
    CHECK(limited.step.report().gas.mixture_residual <= 1.01 * s.gas.tolerance);
    CHECK_NOTHROW(limited.books.check());
  }
  for (std::int64_t f = 0; f < upwind.gas(2).size(); ++f)
    apart = std::max(apart, std::abs(upwind.gas(2)[f] - limited.gas(2)[f]));
  CHECK(apart > 1e-3);
  CHECK(apart < 1.5);
}

TEST_CASE("the mixture's volume closes to the pressure solver's tolerance, and theta sums to the parcels' volume") {
  Bed b(fluidised(1.5));
  for (int i = 0; i < 50; ++i) {
    b.run(1);
    // The residual that the solver updates and the one measured from the fluxes differ by round-off alone.
    CHECK(b.step.report().gas.mixture_residual <= 1.01 * b.setup.gas.tolerance);
  }
  double volume = 0;
  for (double v : b.step.parcels().volume) volume += v;
  const std::int64_t before = b.step.parcels().size();
  CHECK(mapped_volume(b) == Approx(volume).epsilon(round_off(before)));
}

TEST_CASE("parcels are created, inside or left, whatever happens") {
  Setup s = fluidised(6.0); // far beyond the terminal velocity: the bed is blown out
  s.solids.rho = 500;
  Bed b(s);
  for (int i = 0; i < 600; ++i) {
    b.run(1);
    CHECK_NOTHROW(b.books.check());
  }
  CHECK(b.books.left() > 0);
}

TEST_CASE("solids inlets feed parcels at their rate") {
  Setup s = fluidised(1.0);
  s.seeds.clear();
  const double diameter = 1e-3, mass = 10 * std::numbers::pi / 6 * std::pow(diameter, 3) * s.solids.rho;
  mppic::SolidsInlet solids{s.inlets[0], 7.36 * mass / s.time.dt, 0.2, 10, mppic::SizeDistribution::one_size(diameter)};
  s.solids_inlets.push_back(solids);
  Bed b(s);
  b.run(20);
  CHECK(b.books.created() == 147); // floor(20 x 7.36)
  CHECK(b.books.created() == b.books.inside() + b.books.left() + b.books.rejected());
  for (double w : *b.step.parcels().velocity[2]) CHECK(std::isfinite(w));
}

TEST_CASE("a feed waits, ramps and stops as its schedule says, and the gas makes room for what comes") {
  Setup s = fluidised(1.0);
  s.seeds.clear();
  const double mass = 10 * std::numbers::pi / 6 * 1e-9 * s.solids.rho, dt = s.time.dt;
  mppic::SolidsInlet feed{s.inlets[0], 100 * mass / dt, 0.2, 10, mppic::SizeDistribution::one_size(1e-3)};
  feed.schedule = {{10 * dt, 20 * dt, 30 * dt, 30 * dt}, {0, 1, 1, 0}};
  s.solids_inlets.push_back(feed);
  Bed b(s);
  std::vector<std::int64_t> created;
  for (int i = 0; i < 40; ++i) {
    b.domain.set_time((i + 1) * dt);
    b.run(1);
    created.push_back(b.books.created());
    double flux = 0;
    const mppic::SolidsInflow inflow = b.step.gas().solids_inflow();
    for (std::int64_t f = 0; f < b.domain.grid().points(Staggering::face_z); ++f) flux += inflow(2, f);
    CHECK((flux > 0) == (i >= 10 && i < 29));
  }
  CHECK(created[9] == 0);
  CHECK(static_cast<double>(created[19]) == Approx(550).margin(1)); // 10 + 20 + ... + 100
  CHECK(static_cast<double>(created[28]) == Approx(550 + 900).margin(1));
  CHECK(created[39] == created[29]);
}

TEST_CASE("a feed has the size distribution that seeds have, by number and by mass, and parcels come at its rate") {
  using mppic::SizeDistribution, mppic::Weighting;
  for (const Weighting weighting : {Weighting::number, Weighting::mass}) {
    INFO((weighting == Weighting::mass ? "by mass" : "by number"));
    const std::vector<double> diameters{1e-4, 2e-4, 4e-4, 1e-3}, shares{0, 0.2, 0.7, 1};
    Setup s = fluidised(1.0);
    s.seeds.clear();
    mppic::SolidsInlet feed{s.inlets[0], 1, 0.2, 20, SizeDistribution::table(diameters, shares, weighting)};
    feed.rate = 500 * feed.parcel_volume() * s.solids.rho / s.time.dt;
    s.solids_inlets.push_back(feed);
    Bed b(s);
    b.run(20);
    const auto n = static_cast<double>(b.books.created());
    CHECK(n == Approx(10'000).epsilon(weighting == Weighting::mass ? 1e-4 : 0.05));
    const mppic::Parcels& p = b.step.parcels();
    double all = 0, least = 1e9, most = 0;
    std::array<double, 2> below{};
    for (std::int64_t i = 0; i < p.size(); ++i) {
      const double d = p.diameter[i], particles = p.volume[i] / (std::numbers::pi / 6 * d * d * d);
      const double share = weighting == Weighting::mass ? p.volume[i] : particles;
      all += share;
      least = std::min(least, share), most = std::max(most, share);
      for (std::size_t k : {0, 1})
        if (d < diameters[k + 1]) below[k] += share;
    }
    for (std::size_t k : {0, 1}) CHECK(below[k] / all == Approx(shares[k + 1]).margin(0.02));
    CHECK(most / least < 1 + 1e-12);
  }
}

TEST_CASE("an inlet under a packed bed rejects what finds no room, and counts it") {
  Setup s = fluidised(0.1);
  s.seeds[0] = bed(s, 0.05, 0.59, 1280, 1e-3);
  const double mass = 10 * std::numbers::pi / 6 * 1e-9 * s.solids.rho;
  s.solids_inlets.push_back({s.inlets[0], 50 * mass / s.time.dt, 0.2, 10, mppic::SizeDistribution::one_size(1e-3)});
  Bed b(s);
  const std::int64_t before = b.books.inside();
  b.run(100);
  CHECK(b.books.created() == before + 5000);
  CHECK(b.books.rejected() > 500); // the others press the bed up, and enter where it has made room
  CHECK(b.books.left() == 0);
  CHECK(b.books.inside() == b.step.parcels().size());
  CHECK_NOTHROW(b.books.check());
  CHECK(b.step.report().theta_max < s.solids.stress.theta_cp + 0.1);
}

TEST_CASE("empty boxes, one parcel and thin axes run") {
  for (const auto& cells : {std::array<std::int64_t, 3>{1, 1, 8}, {1, 5, 8}, {5, 1, 8}, {3, 4, 8}})
    for (const std::int64_t parcels : {0, 1, 100}) {
      Setup s = empty_box(cells, {0.02, 0.02, 0.04});
      s.sides[5] = SideKind::outlet;
      const double theta = 0.003 * static_cast<double>(parcels); // a parcel fits into a cell
      if (parcels > 0) s.seeds.push_back(bed(s, 0.03, theta, parcels, 1e-3));
      Bed b(s);
      b.run(20);
      INFO(cells[0] << " x " << cells[1] << " x " << cells[2] << " cells, " << parcels << " parcels");
      CHECK(b.books.created() == parcels);
      CHECK_FALSE(b.registry.find_not_finite().has_value());
    }
}

TEST_CASE("a dense suspension in liquid neither explodes nor packs beyond its limit", "[physics]") {
  for (const double theta : {0.1, 0.4})
    for (const double rho_p : {1200., 1500., 2500.}) {
      Setup s = empty_box({3, 3, 20}, {0.012, 0.012, 0.2});
      s.gas.rho = 1000;
      s.gas.mu = 1e-3;
      s.solids.rho = rho_p;
      s.solids.drag = {DragLaw::stokes_hindered, 1000, 1e-3, 0.44};
      s.time.dt = 1e-3;
      s.seeds.push_back(bed(s, 0.18, theta, 3 * 3 * 18 * 8, 3e-4));
      Bed b(s);
      b.run(500);
      const double settling = (rho_p - 1000) * 9.81 * 9e-8 / 18e-3 * std::pow(1 - theta, 4.65);
      INFO("theta " << theta << ", " << rho_p << " kg/m3");
      CHECK(std::sqrt(b.step.report().moved.speed_squared) < 5 * settling);
      CHECK(b.step.report().theta_max < s.solids.stress.theta_cp + 0.03);
      CHECK(b.step.report().momentum_residual < 1e-12);
    }
}

TEST_CASE("fine grains in liquid settle in layers, however many times drag stops them in a step") {
  for (const auto& [dt, stirred] : {std::pair{5e-3, 5e-4}, {2e-2, 4e-3}}) { // 18 mm/s where gas hears of all at once
    Setup s = empty_box({4, 4, 16}, {0.02, 0.02, 0.08});
    s.gas.rho = 1000;
    s.gas.mu = 1e-3;
    s.solids.rho = 2500;
    s.solids.stress.theta_cp = 0.6;
    s.solids.drag = {DragLaw::wen_yu, 1000, 1e-3, 0.44};
    s.time.dt = dt;
    mppic::Seed glass = bed(s, 0.06, 0.55, 0, 1e-4);
    glass.seeding.arrangement = mppic::Arrangement::cell_lattice;
    glass.seeding.lattice = {2, 2, 4};
    glass.seeding.jitter = 1e-4;
    s.seeds.push_back(glass);
    Bed b(s);
    b.run(25);
    INFO("dt " << dt);
    CHECK(std::sqrt(b.step.report().moved.speed_squared) < stirred); // it sinks by .2 mm/s, a single grain by 8 mm/s
    CHECK(b.step.report().theta_max < s.solids.stress.theta_cp + 0.03);
  }
}

TEST_CASE("contact pressure converges for every exponent, empty cells included") {
  for (const double beta : {1., 1.5, 2., 2.5, 3., 5.}) {
    Setup s = fluidised(1.5);
    s.solids.stress.beta = beta;
    Bed b(s);
    for (int i = 0; i < 50; ++i) {
      b.run(1);
      INFO("exponent " << beta << ", step " << i);
      CHECK(b.step.report().contact.converged);
      CHECK(b.step.report().displacement.converged);
    }
  }
}

TEST_CASE("steps of a bed keep no more memory once it runs") {
  Setup s = fluidised(1.5);
  s.collisions.far = s.collisions.isotropy = true;
  Bed b(s);
  run_with_threads(1, [&] { // a further thread that comes to work brings memory of its own
    b.run(10);
    const MemoryUse before = memory_use(Memory::host);
    CHECK(before.held > b.registry.bytes());
    b.run(10);
    CHECK(memory_use(Memory::host).held == before.held);
  });
}

TEST_CASE("a bed has the same bits for any number of threads") {
  std::vector<double> reference;
  for (const int threads : {1, 2, 3}) {
    std::vector<double> state;
    run_with_threads(threads, [&] {
      Setup s = fluidised(1.5);
      s.cells = {14, 14, 48};
      s.seeds[0].seeding.parcels = 4 * 14 * 14 * 24;
      Bed b(s);
      REQUIRE(b.domain.grid().cells() > 4 * chunk_size); // so that every loop is cut
      REQUIRE(b.step.parcels().size() > 4 * chunk_size);
      b.run(8);
      for (const run::Entry& e : b.registry.entries())
        if (const auto* values = e.reals()) state.insert(state.end(), values->begin(), values->end());
    });
    if (threads == 1) reference = state;
    CHECK(state == reference);
  }
}

} // namespace corral::test
