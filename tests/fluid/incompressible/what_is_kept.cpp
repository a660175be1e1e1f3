#include "fluid/incompressible/measures.hpp"
#include "tests/fluid/incompressible/flow_case.hpp"
#include "tests/fluid/projection_flow.hpp"
#include "tests/sanitized.hpp"

#include "engine/cpu/machine/instruction_sets.hpp"

#include <corral/error.hpp>

#include <numbers>
#include <optional>

/// Momentum, energy, profiles, bits.
namespace corral::test {
namespace {

using fluid::FaceArrays;
using fluid::IncompressibleFlow;
using fluid::Inertia;
using fluid::MeanForce;
using fluid::Projection;

constexpr double rho = 1e3, mu = 1e-3, h = 0.25e-6, dt = 1e-7, speed = 5e-3;

/// What a run needs, at random; the same for one seed.
struct Start {
  fluid::Domain domain;
  FlowFields fields;

  Start(const std::array<std::int64_t, 3>& cells, bool walled)
      : domain(flow_box(cells, walled, h)), fields(domain.grid()) {
    if (walled) domain.set_wall_velocity(3, {speed, 0, -speed});
    const FaceArrays u = random_velocity(domain, 1), f = random_velocity(domain, 2);
    for (std::size_t d = 0; d < 3; ++d)
      for (std::int64_t i = 0; i < u[d].size(); ++i) {
        fields.u[d][i] = speed * u[d][i];
        fields.force[d][i] = 1e6 * f[d][i];
      }
    IncompressibleFlow(domain, {.density = rho, .viscosity = mu}).project(Cpu{}, fluid::writable_pointers(fields.u));
  }
};

struct Kind {
  bool walled;
  Projection projection;
  Inertia inertia = Inertia::full;
  bool varying = false; ///< viscosity
};
const std::vector<Kind> kinds{{false, Projection::exact},
                              {true, Projection::exact},
                              {true, Projection::pm2},
                              {true, Projection::pm3},
                              {false, Projection::exact, Inertia::none},
                              {true, Projection::exact, Inertia::none},
                              {false, Projection::exact, Inertia::full, true},
                              {true, Projection::exact, Inertia::full, true},
                              {false, Projection::exact, Inertia::none, true},
                              {true, Projection::exact, Inertia::none, true}};

/// One that varies from `least` to five times as much, smoothly.
std::vector<double> viscosities(const Grid& grid, double least) {
  std::vector<double> all;
  for (std::int64_t c = 0; c < grid.cells(); ++c) {
    const std::int64_t nx = grid.axis(0).cells, ny = grid.axis(1).cells;
    const double x = double(c % nx) / double(nx), y = double(c / nx % ny) / double(ny), z = double(c / (nx * ny)) * 0.3;
    all.push_back(least * (3 + 2 * std::sin(2 * std::numbers::pi * x + 5 * y) * std::cos(z)));
  }
  return all;
}

/// Velocity, pressure and potential after steps; anew says after which a new object goes on.
FlowFields run(const Kind& kind, int steps, std::optional<int> anew = {}) {
  Start start({18, 14, 12}, kind.walled);
  const fluid::FlowProperties properties{.density = rho,
                                         .viscosity = mu,
                                         .projection = kind.projection,
                                         .inertia = kind.inertia,
                                         .mean_force = kind.walled ? MeanForce::acts : MeanForce::balanced};
  const auto make = [&] {
    auto flow = std::make_unique<IncompressibleFlow>(start.domain, properties);
    if (kind.varying) flow->set_viscosity(Cpu{}, viscosities(start.domain.grid(), mu).data());
    return flow;
  };
  auto flow = make();
  for (int s = 0; s < steps; ++s) {
    if (anew && s == *anew) flow = make();
    start.fields.step(*flow, (1 + 0.1 * s) * dt);
  }
  return start.fields;
}

bool same(const FlowFields& a, const FlowFields& b) {
  return same_bits(a.u, b.u) && std::equal(a.pressure.begin(), a.pressure.end(), b.pressure.begin()) &&
         std::equal(a.potential.begin(), a.potential.end(), b.potential.begin());
}

fluid::Domain energy_box(bool walled) {
  fluid::Domain domain = flow_box({12, 12, 10}, walled, 1.0 / 12);
  if (walled) domain.set_wall_velocity(3, {1, 0, -0.5});
  return domain;
}

/// Of velocity 1 m/s about, without what shakes from cell to cell, which has no order in time; under a force that
/// varies.
FlowFields smooth_flow(const fluid::Domain& domain) {
  FlowFields f(domain.grid());
  f.u = random_velocity(domain, 7);
  IncompressibleFlow viscous(domain, {.density = 1, .viscosity = 0.2});
  viscous.project(Cpu{}, fluid::writable_pointers(f.u));
  for (int s = 0; s < 10; ++s) f.step(viscous, 0.005);
  for (std::size_t d = 0; d < 3; ++d)
    for (std::int64_t i = 0; i < f.u[d].size(); ++i) f.force[d][i] = 3 * f.u[d][i];
  f.pressure.fill(0);
  return f;
}

} // namespace

TEST_CASE("a flow has the same bits for any number of threads") {
  for (const Kind& kind : kinds) {
    std::optional<FlowFields> one;
    run_with_threads(1, [&] { one = run(kind, 3); });
    for (const int threads : sanitized ? thread_counts : some_threads)
      run_with_threads(threads, [&] { CHECK(same(*one, run(kind, 3))); });
  }
}

TEST_CASE("a flow goes on with the same bits from its state alone", "[values]") {
  for (const Kind& kind : kinds) {
    const FlowFields whole = run(kind, 5);
    CHECK(same(whole, run(kind, 5, 2)));
    if (kind.inertia == Inertia::full) CHECK_FALSE(same(whole, run(kind, 4)));
  }
}

TEST_CASE("AVX2 and AVX-512 give the same flow") {
  const std::int64_t supported = hwy::SupportedTargets() & HWY_TARGETS; // what is compiled, too
  if ((supported & HWY_AVX2) == 0 || (supported & HWY_AVX3) == 0) {
    WARN("this processor or build doesn't have both: nothing to compare");
    return;
  }
  for (const Kind& kind : kinds) {
    const auto on = [&](std::int64_t target) {
      hwy::SetSupportedTargetsForTest(target);
      const FlowFields found = run(kind, 2);
      hwy::SetSupportedTargetsForTest(0);
      return found;
    };
    const FlowFields avx2 = on(HWY_AVX2), plain = on(HWY_SCALAR);
    CHECK(same(avx2, on(HWY_AVX3)));
    CHECK_FALSE(same(avx2, plain)); // so that they were compared
    CHECK(largest_difference(avx2.u, plain.u) < (kind.varying ? 1e-6 : round_off(200)) * largest(plain.u));
  }
}

TEST_CASE("a box that wraps keeps its momentum, or takes up what a mean force gives", "[values]") {
  for (const MeanForce mean : {MeanForce::balanced, MeanForce::acts}) {
    Start start({16, 15, 14}, false);
    FlowFields& f = start.fields;
    const std::array<double, 3> body{1e5, -2e5, 5e4};
    IncompressibleFlow flow(start.domain, {.density = rho, .viscosity = mu, .mean_force = mean, .body_force = body});
    const double volume = start.domain.grid().cell_volume();
    std::array<double, 3> given{};
    double size = 0;
    for (std::size_t d = 0; d < 3; ++d)
      for (std::int64_t i = 0; i < f.u[d].size(); ++i) {
        given[d] += mean == MeanForce::acts ? (f.force[d][i] + body[d]) * volume : 0;
        size += rho * std::abs(f.u[d][i]) * volume;
      }
    const auto before = fluid::momentum(Cpu{}, start.domain, rho, fluid::pointers(f.u));
    const double at_first = largest(f.u);
    const int steps = 50;
    for (int s = 0; s < steps; ++s) f.step(flow, dt);
    const auto after = fluid::momentum(Cpu{}, start.domain, rho, fluid::pointers(f.u));
    for (std::size_t d = 0; d < 3; ++d) CHECK(std::abs(after[d] - before[d] - steps * dt * given[d]) < 1e-13 * size);
    CHECK(relative_divergence(start.domain, f.u) * largest(f.u) < round_off(200) * at_first);
  }
}

TEST_CASE("viscous work is what viscosity takes and walls give") {
  for (const bool walled : {false, true}) {
    const Start start({9, 8, 7}, walled);
    const FaceArrays& u = start.fields.u;
    const FaceArrays viscous = viscous_force(start.domain, u, mu);
    double work = 0, size = 0;
    each_inner_face(start.domain, [&](int, const fluid::Face& f, std::size_t i) {
      const double term = u[i][f.index] * viscous[i][f.index] * start.domain.grid().cell_volume();
      work += term;
      size += std::abs(term);
    });
    const auto found = fluid::viscous_work(Cpu{}, start.domain, mu, fluid::pointers(u));
    CHECK(std::abs(found.by_walls - found.dissipated - work) < round_off(3 * 9 * 8 * 7) * size);
    CHECK((found.by_walls != 0) == walled);
    CHECK(fluid::power(Cpu{}, start.domain, fluid::pointers(viscous), fluid::pointers(u)) ==
          Approx(work).epsilon(round_off(3 * 9 * 8 * 7)).margin(round_off(3 * 9 * 8 * 7) * size));
  }
}

TEST_CASE("the fastest of each component is found wherever it is, and so is what is no number") {
  for (const bool walled : {false, true}) {
    const Start start({18, 4, 3}, walled);
    for (std::size_t d = 0; d < 3; ++d) {
      FaceArrays u = copy_of(start.domain.grid(), fluid::pointers(start.fields.u));
      double before = 0;
      each_inner_face(start.domain, [&](int axis, const fluid::Face& f, std::size_t i) {
        if (static_cast<std::size_t>(axis) == d) before = std::max(before, std::abs(u[i][f.index]));
      });
      CHECK(fluid::fastest(Cpu{}, start.domain, fluid::pointers(u))[d] == before);
      each_inner_face(start.domain, [&](int axis, const fluid::Face& f, std::size_t i) {
        if (static_cast<std::size_t>(axis) != d) return;
        const double kept = u[i][f.index];
        u[i][f.index] = -2 * before;
        bool found = fluid::fastest(Cpu{}, start.domain, fluid::pointers(u))[d] == 2 * before;
        for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
          u[i][f.index] = bad;
          found = found && std::isnan(fluid::fastest(Cpu{}, start.domain, fluid::pointers(u))[d]);
        }
        if (!found) FAIL("component " << d << ", face " << f.index);
        u[i][f.index] = kept;
      });
    }
  }
}

TEST_CASE("energy is what forces and walls give less what is dissipated, to second order in time", "[values][physics]") {
  for (const Kind& kind : kinds) {
    if (kind.inertia == Inertia::none) continue;
    const fluid::Domain domain = energy_box(kind.walled);
    const FlowFields smooth = smooth_flow(domain);
    std::vector<double> errors;
    for (const int steps : sanitized ? std::vector<int>{16, 32} : std::vector<int>{16, 32, 64}) {
      FlowFields f = smooth;
      const double density = 2, viscosity = 0.004, span = 0.4 / steps;
      IncompressibleFlow flow(domain, {.density = density, .viscosity = viscosity, .projection = kind.projection});
      if (kind.varying) flow.set_viscosity(Cpu{}, viscosities(domain.grid(), viscosity).data());
      const auto energy = [&] { return fluid::kinetic_energy(Cpu{}, domain, density, fluid::pointers(f.u)); };
      const double begin = energy();
      double given = 0;
      for (int s = 0; s < steps; ++s) {
        FaceArrays middle = f.u;
        f.step(flow, span);
        for (std::size_t d = 0; d < 3; ++d)
          for (std::int64_t i = 0; i < middle[d].size(); ++i) middle[d][i] = 0.5 * (middle[d][i] + f.u[d][i]);
        const auto work = flow.viscous_work(Cpu{}, fluid::pointers(middle));
        given += span * (work.by_walls - work.dissipated +
                         fluid::power(Cpu{}, domain, fluid::pointers(f.force), fluid::pointers(middle)));
      }
      errors.push_back(std::abs(energy() - begin - given) / begin);
    }
    const std::string what =
        std::string("energy, ") + (kind.walled ? "walls, " : "") +
                             (kind.varying ? "a viscosity that varies, " : "") + std::string(name(kind.projection));
    CHECK(observed_order(what.c_str(), errors) > 1.9);
  }
}

TEST_CASE("a sheared box keeps its profile under its force", "[values]") {
  for (const Inertia inertia : {Inertia::full, Inertia::none})
    for (const fluid::BoxShear& shear : {fluid::BoxShear{2, 1, 1000}, fluid::BoxShear{0, 2, -500}}) {
      const fluid::Domain domain = flow_box({8, 10, 12}, false, h);
      IncompressibleFlow flow(domain, {.density = rho, .viscosity = mu, .inertia = inertia});
      FlowFields fields(domain.grid());
      fluid::add_shear(Cpu{}, domain.grid(), shear, fluid::writable_pointers(fields.u));
      fluid::add_shear_force(Cpu{}, domain.grid(), shear, mu, fluid::writable_pointers(fields.force));
      const FaceArrays profile = fields.u;
      const auto d = static_cast<std::size_t>(shear.flow);
      const double length = h * static_cast<double>(domain.grid().axis(shear.gradient).cells);
      CHECK(largest(profile[d]) == Approx(0.5 * std::abs(shear.rate) * (length - h)));
      const FaceArrays viscous = viscous_force(domain, profile, mu);
      for (std::int64_t i = 0; i < viscous[d].size(); ++i)
        REQUIRE(std::abs(viscous[d][i] + fields.force[d][i]) < round_off(8) * mu * largest(profile) / (h * h));
      for (int s = 0; s < 100; ++s) fields.step(flow, dt);
      CHECK(largest_difference(fields.u, profile) < 100 * round_off(8) * largest(profile));
    }
  const fluid::Domain walled = flow_box({4, 4, 4}, true, h);
  FlowFields fields(walled.grid());
  CHECK_THROWS_AS(fluid::add_shear(Cpu{}, walled.grid(), {2, 1, 1}, fluid::writable_pointers(fields.u)), Error);
  CHECK_THROWS_AS(fluid::add_shear(Cpu{}, walled.grid(), {2, 2, 1}, fluid::writable_pointers(fields.u)), Error);
}

} // namespace corral::test
