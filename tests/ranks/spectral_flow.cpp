#include "tests/catch.hpp"

#include "distributed/make_team.hpp"
#include "fluid/ghosts.hpp"
#include "fluid/incompressible/flow.hpp"
#include "fluid/spectral/helmholtz.hpp"
#include "fluid/spectral/spectra.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

/// The incompressible flow in slabs that ranks share, beside the same flow in one process, which every rank has, too.
namespace corral::test {
namespace {

using distributed::Uncut;
using fluid::Domain;
using fluid::FlowProperties;
using fluid::IncompressibleFlow;
using fluid::Inertia;
using fluid::MeanForce;
using fluid::Projection;
using fluid::SideKind;
using Sides = std::array<SideKind, 6>;
using Three = std::array<std::int64_t, 3>;
using Values = std::vector<double>;

constexpr SideKind p = SideKind::periodic, w = SideKind::no_slip;
constexpr Sides wrapping{p, p, p, p, p, p}, walled{p, p, w, w, p, p};
constexpr double dt = 0.01;

Grid grid_of(const Three& cells, const Sides& sides) {
  return Domain::make_grid(cells, {-0.3, 0.7, 0.1}, {0.1 * double(cells[0]), 0.12 * double(cells[1]), 0.09 * double(cells[2])}, sides);
}
Uncut slabs(const Sides& sides) { return {true, sides[2] == p, sides[2] == w}; }
Domain slid(Domain domain, const Sides& sides) {
  if (sides[2] == w) domain.set_wall_velocity(2, {0.3, 0, -0.2}), domain.set_wall_velocity(3, {-0.1, 0, 0.4});
  return domain;
}

/// f(number here, number in the whole, place in the whole, own?) of each point of a field in a rank's box.
template <class F> void each_point(const Domain& domain, Staggering s, const F& f) {
  const Grid &box = domain.grid(), &whole = domain.whole();
  const fluid::CellBox own = domain.own_points(s);
  const auto in_whole = [&](int d, std::int64_t i) {
    const std::int64_t n = whole.points(s, d), place = (domain.shared() ? domain.shared()->first(d) : 0) + i;
    return whole.axis(d).periodic() ? (place + n) % n : place;
  };
  Three i{};
  for (i[2] = 0; i[2] < box.points(s, 2); ++i[2])
    for (i[1] = 0; i[1] < box.points(s, 1); ++i[1])
      for (i[0] = 0; i[0] < box.points(s, 0); ++i[0]) {
        const Three at{in_whole(0, i[0]), in_whole(1, i[1]), in_whole(2, i[2])};
        bool mine = true;
        for (std::size_t d = 0; d < 3; ++d) mine = mine && i[d] >= own.begin[d] && i[d] < own.end[d];
        f(static_cast<std::size_t>(i[0] + box.points(s, 0) * (i[1] + box.points(s, 1) * i[2])),
          static_cast<std::size_t>(at[0] + whole.points(s, 0) * (at[1] + whole.points(s, 1) * at[2])), at, mine);
      }
}

/// Anything, the same wherever it is asked for.
double anything(std::size_t field, const Three& at) {
  return std::sin(static_cast<double>(3 * at[0] + 5 * at[1] + 7 * at[2]) + 1.3 * static_cast<double>(field)) + 0.1 * static_cast<double>(at[1] % 3);
}
/// Of one staggering for each component, or in cells.
Values made(const Domain& domain, Staggering s, std::size_t field) {
  Values values(static_cast<std::size_t>(domain.grid().points(s)));
  each_point(domain, s, [&](std::size_t here, std::size_t, const Three& at, bool) { values[here] = anything(field, at); });
  return values;
}

struct Flow {
  Flow(Domain of, const Sides& sides, const FlowProperties& properties, bool varies) : domain(slid(std::move(of), sides)), flow(domain, properties) {
    for (std::size_t d = 0; d < 3; ++d) {
      velocity[d] = made(domain, face(static_cast<int>(d)), d);
      force[d] = made(domain, face(static_cast<int>(d)), 3 + d);
      field[d] = made(domain, face(static_cast<int>(d)), 6 + d);
    }
    pressure.assign(static_cast<std::size_t>(domain.grid().cells()), 0);
    potential = pressure;
    if (varies) {
      Values mu = made(domain, Staggering::centre, 9);
      for (double& m : mu) m = 0.02 * (2.2 + m);
      flow.set_viscosity(Cpu{}, mu.data());
    }
    flow.project(Cpu{}, pointers(velocity));
  }
  void step() { flow.step(Cpu{}, {pointers(velocity), pressure.data(), potential.data()}, const_pointers(force), dt); }
  void foresee() { flow.foresee(Cpu{}, {pointers(velocity), pressure.data(), potential.data()}, const_pointers(force), dt); }

  static fluid::FacePointers pointers(std::array<Values, 3>& v) { return {v[0].data(), v[1].data(), v[2].data()}; }
  static fluid::ConstFacePointers const_pointers(const std::array<Values, 3>& v) { return {v[0].data(), v[1].data(), v[2].data()}; }

  Domain domain;
  IncompressibleFlow flow;
  std::array<Values, 3> velocity, force, field;
  Values pressure, potential;
};

double farthest(const Domain& part, Staggering s, const double* here, const double* there, bool ghosts = true) {
  double most = 0;
  each_point(part, s, [&](std::size_t i, std::size_t in_whole, const Three&, bool own) {
    if (own || ghosts) most = std::max(most, std::abs(here[i] - there[in_whole]));
  });
  return most;
}
double farthest(const Domain& part, const fluid::ConstFacePointers& here, const fluid::ConstFacePointers& there) {
  double most = 0;
  for (std::size_t d = 0; d < 3; ++d) most = std::max(most, farthest(part, face(static_cast<int>(d)), here[d], there[d]));
  return most;
}

void check_measures(Flow& part, Flow& whole) {
  const auto near = [](double a, double b) { CHECK(a == Approx(b).epsilon(1e-11).margin(1e-12)); };
  const auto u = Flow::const_pointers(part.velocity), v = Flow::const_pointers(whole.velocity);
  for (std::size_t d = 0; d < 3; ++d) near(fluid::fastest(Cpu{}, part.domain, u)[d], fluid::fastest(Cpu{}, whole.domain, v)[d]);
  near(fluid::kinetic_energy(Cpu{}, part.domain, 1.3, u), fluid::kinetic_energy(Cpu{}, whole.domain, 1.3, v));
  near(fluid::power(Cpu{}, part.domain, Flow::const_pointers(part.force), u), fluid::power(Cpu{}, whole.domain, Flow::const_pointers(whole.force), v));
  const fluid::ViscousWork mine = part.flow.viscous_work(Cpu{}, u), all = whole.flow.viscous_work(Cpu{}, v);
  near(mine.dissipated, all.dissipated), near(mine.by_walls, all.by_walls);
  for (std::size_t d = 0; d < 3; ++d) near(fluid::momentum(Cpu{}, part.domain, 1.3, u)[d], fluid::momentum(Cpu{}, whole.domain, 1.3, v)[d]);
  for (std::size_t i = 0; i < 6; ++i) near(part.flow.excess_stress(Cpu{}, u)[i], whole.flow.excess_stress(Cpu{}, v)[i]);
}

/// Ghosts of velocities, too. A viscosity that varies takes sums, whose order ranks decide.
void check_steps(const distributed::Team& team, const Sides& sides, const FlowProperties& properties, bool varies = false) {
  INFO((sides[2] == w ? "between walls, " : "wrapping, ") << fluid::name(properties.projection) << (properties.inertia == Inertia::none ? ", Stokes" : "")
                                                          << (varies ? ", viscosity varies" : ""));
  const Grid grid = grid_of(sides[2] == w ? Three{12, 13, 10} : Three{15, 10, 14}, sides);
  const auto shared = team.share(grid, 2, slabs(sides));
  Flow part(Domain(*shared, sides, {}), sides, properties, varies), whole(Domain(grid, sides, {}), sides, properties, varies);
  const double tolerance = varies ? 1e-11 : 0;
  const auto check_state = [&] {
    CHECK(farthest(part.domain, Flow::const_pointers(part.velocity), Flow::const_pointers(whole.velocity)) <= tolerance);
    CHECK(farthest(part.domain, Staggering::centre, part.pressure.data(), whole.pressure.data(), false) <= tolerance);
    if (part.flow.half_velocity()[0]) CHECK(farthest(part.domain, part.flow.half_velocity(), whole.flow.half_velocity()) <= tolerance);
  };
  check_state();
  for (int step = 0; step < 3; ++step) {
    part.step(), whole.step();
    check_state();
  }
  if (!varies) CHECK(fluid::fastest(Cpu{}, part.domain, Flow::const_pointers(part.velocity)) == fluid::fastest(Cpu{}, whole.domain, Flow::const_pointers(whole.velocity)));
  CHECK(part.flow.effort().iterations == whole.flow.effort().iterations);
  check_measures(part, whole);
  if (properties.projection == Projection::exact) part.foresee(), whole.foresee();
  check_state();
  for (const bool midway : {false, true}) {
    for (Flow* const f : {&part, &whole})
      midway ? f->flow.respond_midway(Cpu{}, Flow::pointers(f->field), dt) : f->flow.respond(Cpu{}, Flow::pointers(f->field));
    CHECK(farthest(part.domain, Flow::const_pointers(part.field), Flow::const_pointers(whole.field)) <= tolerance);
  }
}

} // namespace

TEST_CASE("An incompressible flow in slabs has one process's bits, and its sums") {
  const auto team = distributed::make_team(distributed::Ranks::world());
  const FlowProperties full{.density = 1.3, .viscosity = 0.04, .body_force = {0.2, 0, -0.1}};
  FlowProperties slow = full;
  slow.inertia = Inertia::none;
  for (const Sides& sides : {wrapping, walled}) {
    slow.mean_force = sides[2] == w ? MeanForce::acts : MeanForce::balanced;
    for (const FlowProperties& properties : {full, slow}) check_steps(*team, sides, properties);
  }
  for (const Projection projection : {Projection::pm2, Projection::pm3}) {
    FlowProperties split = full;
    split.projection = projection;
    check_steps(*team, walled, split);
  }
}

TEST_CASE("One whose viscosity varies has them to round-off") {
  const auto team = distributed::make_team(distributed::Ranks::world());
  for (const Sides& sides : {wrapping, walled})
    for (const Inertia inertia : {Inertia::full, Inertia::none})
      check_steps(*team, sides, {.density = 1.3, .viscosity = 0.04, .inertia = inertia, .mean_force = sides[2] == w ? MeanForce::acts : MeanForce::balanced}, true);
}

TEST_CASE("A mean force that nothing balances is seen by all ranks") {
  const auto team = distributed::make_team(distributed::Ranks::world());
  const Grid grid = grid_of({8, 8, 12}, wrapping);
  const auto shared = team->share(grid, 2, slabs(wrapping));
  Flow flow(Domain(*shared, wrapping, {}), wrapping, {.viscosity = 0.04, .inertia = Inertia::none}, false);
  // Upwards on one half of the box, along z, and downwards on the other: no rank has no mean.
  each_point(flow.domain, face(0), [&](std::size_t here, std::size_t, const Three& at, bool) {
    for (auto& component : flow.force) component[here] = at[2] < 6 ? 1 : -1;
  });
  CHECK_NOTHROW(flow.step());
  for (double& f : flow.force[1]) f += 1e-3;
  CHECK_THROWS_WITH(flow.step(), Catch::Matchers::ContainsSubstring("a mean force along y of 0.001"));
}

TEST_CASE("A Helmholtz solve in slabs has one process's bits") {
  const auto team = distributed::make_team(distributed::Ranks::world());
  for (const Sides& sides : {wrapping, walled})
    for (const Staggering s : {Staggering::centre, face(0), face(1), face(2)}) {
      INFO((sides[2] == w ? "between walls, " : "wrapping, ") << name(s));
      const Grid grid = grid_of(sides[2] == w ? Three{20, 11, 15} : Three{20, 9, 15}, sides);
      const auto shared = team->share(grid, 2, slabs(sides));
      const Domain part(*shared, sides, {}), whole(grid, sides, {});
      const Values b = made(part, s, 1), all = made(whole, s, 1);
      Values x(b.size()), y(all.size());
      for (const double mass : {1.5, 0.0}) {
        fluid::spectral::HelmholtzSolver(part, s).solve(Cpu{}, mass, 0.3, b.data(), x.data());
        fluid::spectral::HelmholtzSolver(whole, s).solve(Cpu{}, mass, 0.3, all.data(), y.data());
        CHECK(farthest(part, s, x.data(), y.data(), false) == 0);
      }
    }
}

TEST_CASE("Boxes that are no slabs are refused") {
  const auto team = distributed::make_team(distributed::Ranks::world());
  if (team->size() == 1) return;
  const FlowProperties properties{.density = 1, .viscosity = 0.04};
  const auto refused = [&](const Sides& sides, const Uncut& uncut, const std::string& said) {
    const auto shared = team->share(grid_of({12, 12, 12}, sides), 2, uncut);
    const Domain domain(*shared, sides, {});
    CHECK_THROWS_WITH(IncompressibleFlow(domain, properties), Catch::Matchers::ContainsSubstring(said));
  };
  refused(wrapping, {false, true, true}, "share along x (Fourier solves share it along z alone)");
  refused(walled, {true, true, false}, "share along z (Fourier solves share it along y alone)");
}

/// Of docs/ranks.md: mpirun -n RANKS test_fluid_over_ranks "[costs]". No run of all tests has it.
TEST_CASE("Costs of slabs", "[.][costs]") {
  const auto team = distributed::make_team(distributed::Ranks::world());
  // The least of some times on the slowest rank [ms].
  const auto least = [&](const auto& f) {
    double best = 1e9;
    for (int i = 0; i < 100; ++i) {
      team->sums(std::array{0.0}); // all begin
      const auto begin = std::chrono::steady_clock::now();
      f();
      best = std::min(best, team->maximum(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()));
    }
    return 1e3 * best;
  };
  for (const std::int64_t n : {64, 96})
    for (const Sides& sides : {wrapping, walled}) {
      const auto shared = team->share(grid_of({n, n, n}, sides), 2, slabs(sides));
      Flow flow(Domain(*shared, sides, {}), sides, {.density = 1.3, .viscosity = 0.04}, false);
      fluid::spectral::Spectra spectra{fluid::spectral::BoxLayout(flow.domain)};
      spectra.need(3);
      const fluid::Ghosts ghosts(flow.domain);
      const std::clock_t begin = std::clock();
      for (int i = 0; i < 20; ++i) flow.step();
      const double step = 1e3 / 20 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC; // what is waited for counts, too
      const double there = least([&] { spectra.to_columns(3); }), back = least([&] { spectra.to_planes(3); });
      const double filled = least([&] { ghosts.fill(Flow::pointers(flow.velocity)); });
      if (team->rank() == 0)
        std::printf("%lld^3 %s on %d: processor time of a step %.1f ms; three fields to columns %.2f, back %.2f; ghosts of a velocity %.2f\n",
                    static_cast<long long>(n), sides[2] == w ? "between walls" : "wrapping", team->size(), step, there, back, filled);
    }
}

} // namespace corral::test
