/// Several solids in one step: their books, and the closure for several densities.
#include "tests/catch.hpp"
#include "tests/engine/cases.hpp"
#include "tests/mppic/small_beds.hpp"
#include "tests/sanitized.hpp"
#include "tests/tolerance.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace corral::test {
namespace {

using fluid::SideKind;
using mppic::DragLaw;
using mppic::Setup;

/// A bed of heavy and light grains, blown through.
Setup blown_mixture(bool blended) {
  Setup s = empty_box({4, 4, 10}, {0.04, 0.04, 0.1});
  s.sides[5] = SideKind::outlet;
  let_in(s, 1.2, {0, 0, 0}, {0.04, 0.04, 0.1});
  s.time.dt = 5e-4;
  s.audit = true;
  s.collisions.blended = blended;
  mix(s, {7800, 1050});
  s.seeds = {bed_of(s, 0, 0.05, 0.25, 640, 1e-3), bed_of(s, 1, 0.05, 0.3, 900, 7e-4)};
  return s;
}

/// Sum of rho_p V f(i) over the parcels of a solid, below 0 of all.
template <class F> double sum_of(const Bed& b, int solid, const F& f) {
  const mppic::Parcels& p = b.step.parcels();
  const mppic::ParcelProperty rho = p.density();
  double sum = 0;
  for (std::int64_t i = 0; i < p.size(); ++i)
    if (solid < 0 || (*p.solid)[i] == solid) sum += rho[i] * p.volume[i] * f(i);
  return sum;
}

double mean_height(const Bed& b, int solid) {
  return sum_of(b, solid, [&](std::int64_t i) { return (*b.step.parcels().position[2])[i]; }) /
         sum_of(b, solid, [](std::int64_t) { return 1.0; });
}

} // namespace

TEST_CASE("gas and parcels of several densities exchange momentum to round-off, blended or not") {
  for (const bool blended : {false, true}) {
    Bed b(blown_mixture(blended));
    for (int i = 0; i < 60; ++i) {
      b.run(1);
      INFO("step " << i << (blended ? ", blended" : ""));
      CHECK(b.step.report().momentum_residual < 1e-12);
      CHECK(b.step.audit().books().momentum_residual < 1e-12);
      CHECK(b.step.audit().books().energy_residual < 1e-12);
      CHECK(b.step.audit().books().momentum_residual < 1e-12);
      CHECK(b.step.report().gas.mixture_residual <= 1.01 * b.setup.gas.tolerance);
      CHECK_NOTHROW(b.step.solid_books().check(Cpu{}, b.step.parcels()));
    }
  }
}

TEST_CASE("of one density, as seen by the closure of several, a bed moves as it does by its own") {
  Setup one = blown_mixture(false), several = one;
  one.solids.several.clear();
  one.solids.rho = 2500;
  for (mppic::Seed& seed : one.seeds) seed.solid = 0;
  several.solids.several[0].rho = 2500, several.solids.several[1].rho = 2500 * (1 + 1e-12);
  several.solids.rho = 2500;
  for (const bool blended : {false, true}) {
    one.collisions.blended = several.collisions.blended = blended;
    Bed a(one), b(several);
    a.run(20), b.run(20);
    REQUIRE(a.step.parcels().size() == b.step.parcels().size());
    double apart = 0, fastest = 0;
    for (std::int64_t i = 0; i < a.step.parcels().size(); ++i)
      for (std::size_t d = 0; d < 3; ++d) {
        const double u = (*a.step.parcels().velocity[d])[i];
        apart = std::max(apart, std::abs((*b.step.parcels().velocity[d])[i] - u));
        fastest = std::max(fastest, std::abs(u));
      }
    INFO("blended " << blended);
    CHECK(apart <= 1e-4 * fastest); // solvers stop at a tolerance, and the motion spreads what is left
    CHECK(fastest > 0.1);
  }
}

TEST_CASE("contact foresees the flux of parcels of several densities exactly, whatever the gas expects of it") {
  // One cell: interpolation and spread change nothing. Nothing presses but a fluid that is prescribed, by its head.
  for (const auto& [blended, head] : {std::pair{false, false}, {true, false}, {false, true}, {true, true}})
    for (const double theta : {0.2, 0.53, 0.59}) {
      Setup s = empty_box({1, 1, 1}, {0.01, 0.01, 0.01});
      s.sides.fill(SideKind::periodic);
      s.gravity = {3, -1, -9.81};
      if (head) s.gas.solved = false, s.gas.rho = 900;
      s.solids.restitution = 1;
      s.solids.friction = 0;
      s.collisions.blended = blended;
      mix(s, {7800, 1050, 2500});
      for (int solid = 0; solid < 3; ++solid) s.seeds.push_back(bed_of(s, solid, 0.01, theta / 3, 5, 3e-4 * (1 + solid)));
      Bed b(s);
      Random random(3);
      for (int d = 0; d < 3; ++d) {
        b.field("contact_acceleration", d).fill(random.uniform(-30, 30));
        for (double& u : b.field("velocity", d)) u = random.uniform(-0.2, 0.2);
      }
      std::array<double, 3> foreseen{};
      b.run_and_look(mppic::StepPlace::contact_law, [&] {
        for (std::size_t d = 0; d < 3; ++d) foreseen[d] = b.step.contact().velocity()[d][0];
      });
      const mppic::Parcels& p = b.step.parcels();
      for (std::size_t d = 0; d < 3; ++d) {
        double volume = 0, flux = 0;
        for (std::int64_t i = 0; i < p.size(); ++i)
          volume += p.volume[i], flux += p.volume[i] * (*p.velocity[d])[i];
        INFO("theta " << theta << ", axis " << d << (blended ? ", blended" : "") << (head ? ", head" : ""));
        CHECK(foreseen[d] == Approx(flux / volume).epsilon(1e-11));
        CHECK(b.step.report().momentum_residual < 1e-12);
      }
    }
}

TEST_CASE("grains of two densities settle at the speeds of their mixture", "[physics]") {
  // Masliyah (1979) with F = eps^2.65: slip v_i = -(rho_i - rho_m) g d^2 eps^2.65/(18 mu), u_i = v_i - sum theta_j v_j.
  for (const double light : {1500., 1050.}) {
    Setup s = empty_box({3, 3, 30}, {0.012, 0.012, 0.3});
    s.gas.rho = 1000;
    s.gas.mu = 1e-3;
    s.gas.counterflow = true;
    s.solids.drag = {DragLaw::stokes_hindered, s.gas.rho, s.gas.mu, 0.44};
    mix(s, {2000, light});
    const double theta[2]{0.1, 0.05}, rho[2]{2000, light}, d = 3e-4, eps = 0.85;
    double mixture = eps * s.gas.rho, mean = 0, u[2];
    for (int i = 0; i < 2; ++i) mixture += theta[i] * rho[i];
    for (int i = 0; i < 2; ++i) u[i] = -(rho[i] - mixture) * 9.81 * d * d * std::pow(eps, 2.65) / 18e-3;
    for (int i = 0; i < 2; ++i) mean += theta[i] * u[i];
    for (int i = 0; i < 2; ++i) {
      mppic::Seed seed = bed_of(s, i, 0.3, theta[i], 0, d);
      seed.seeding.arrangement = mppic::Arrangement::cell_lattice;
      seed.seeding.lattice = {2, 2, 2};
      seed.velocity = {0, 0, u[i] - mean};
      s.seeds.push_back(seed);
    }
    Bed b(s);
    b.run(300);
    for (int i = 0; i < 2; ++i) {
      double speed = 0, parcels = 0;
      const mppic::Parcels& p = b.step.parcels();
      for (std::int64_t k = 0; k < p.size(); ++k) {
        const double z = (*p.position[2])[k];
        if ((*p.solid)[k] != i || z < 0.1 || z > 0.2) continue;
        speed += (*p.velocity[2])[k];
        ++parcels;
      }
      INFO(light << " kg/m3, solid " << i);
      CHECK(speed / parcels == Approx(u[i] - mean).epsilon(0.02));
    }
    if (light < mixture) CHECK(mean_height(b, 1) > mean_height(b, 0) + 2e-3); // it rises
  }
}

TEST_CASE("the floor carries a mixed bed, and what is packed stays mixed where accelerations are blended", "[physics]") {
  double apart[2];
  for (const bool blended : {false, true}) {
    Setup s = empty_box({2, 2, 12}, {0.01, 0.01, 0.06});
    s.solids.stress.ps = 1;
    s.collisions.blended = blended;
    mix(s, {2500, 1250});
    for (int i = 0; i < 2; ++i) s.seeds.push_back(bed_of(s, i, 0.04, 0.28, 1000, 1e-3));
    Bed b(s);
    b.run(300);
    double load = 0;
    for (int i = 0; i < 200; ++i) {
      b.run(1);
      for (std::int64_t f = 0; f < 4; ++f) load += b.step.contact().floor_load()[f] / 4 / 200;
    }
    const double weight = sum_of(b, -1, [](std::int64_t) { return 9.81; }) / 1e-4;
    INFO((blended ? "blended" : "own"));
    CHECK(load == Approx(weight).epsilon(0.02));
    CHECK(b.step.report().theta_max < 0.63);
    apart[blended ? 1 : 0] = mean_height(b, 1) - mean_height(b, 0);
  }
  CHECK(apart[0] > 2e-3);
  CHECK(apart[1] < 0.1 * apart[0]);
}

TEST_CASE("solids far apart in density are stable for steps of 1 to 5 ms, and packed keep to close packing", "[physics]") {
  for (const double dt : !sanitized && thorough() ? std::vector{1e-3, 2e-3, 5e-3} : std::vector{5e-3})
    for (const bool liquid : {false, true})
      for (const bool blended : {false, true}) {
        Setup s = empty_box({4, 4, 16}, {0.02, 0.02, 0.08});
        if (liquid) s.gas.rho = 1000, s.gas.mu = 1e-3;
        s.solids.drag = {DragLaw::gidaspow_blended, s.gas.rho, s.gas.mu, 0.44};
        s.time.dt = dt;
        s.collisions.blended = blended;
        s.audit = true;
        mix(s, {1050, 7800});
        for (int i = 0; i < 2; ++i) s.seeds.push_back(bed_of(s, i, 0.06, 0.15, 1200, 5e-4));
        Bed b(s);
        double most[2] = {}; // where the bed lands, and lies
        for (double time = 0; time < 1; time += 10 * dt) {
          b.run(10);
          most[time < 0.4 ? 0 : 1] = std::max(most[time < 0.4 ? 0 : 1], b.step.report().theta_max);
        }
        INFO("step " << dt << (liquid ? ", water" : ", air") << (blended ? ", blended" : ""));
        CHECK(most[0] < (dt < 5e-3 ? 0.65 : 0.8)); // as of one density, where steps are long
        CHECK(most[1] < 0.65);
        CHECK(std::sqrt(b.step.report().moved.speed_squared) < (liquid ? 0.2 : 1));
        const mppic::StepBooks& books = b.step.audit().books();
        CHECK(std::max({b.step.report().momentum_residual, books.energy_residual, books.momentum_residual}) < 1e-12);
        if (liquid) CHECK(mean_height(b, 0) > mean_height(b, 1)); // the heavy ones lie below
      }
}

TEST_CASE("unblended, contact drives packed grains through each other as much as leaves no flux of volume") {
  const double light = 1000, heavy = 3000, g = 9.81;
  Setup s = empty_box({1, 1, 10}, {0.01, 0.01, 0.1});
  s.gas.solved = s.solids.two_way = false;
  s.gas.rho = 1e-6, s.gas.mu = 1e-15;
  s.solids.drag.rho = s.gas.rho, s.solids.drag.mu = s.gas.mu;
  s.solids.friction = 0;
  s.collisions.damping = false;
  mix(s, {light, heavy});
  for (int solid = 0; solid < 2; ++solid) {
    s.seeds.push_back(bed_of(s, solid, 0.1, 0.5 * s.solids.stress.theta_cp, 1, 1e-3));
    s.seeds.back().seeding.arrangement = mppic::Arrangement::cell_lattice;
    s.seeds.back().seeding.lattice = {4, 4, 4};
  }
  Bed b(s);
  b.run(1);
  const double harmonic = 2 / (1 / light + 1 / heavy); // of equal volumes
  for (const auto& [solid, rho] : {std::pair{0, light}, std::pair{1, heavy}}) {
    double sum = 0, count = 0;
    const mppic::Parcels& p = b.step.parcels();
    for (std::int64_t i = 0; i < p.size(); ++i) {
      const double z = (*p.position[2])[i];
      if ((*p.solid)[i] == solid && z > 0.04 && z < 0.06) sum += (*p.velocity[2])[i], ++count;
    }
    INFO(solid);
    CHECK(sum / count / s.time.dt == Approx((harmonic / rho - 1) * g).epsilon(0.02)); // .5 g, and as much down
  }
}

TEST_CASE("each solid is where its books say, and what lacks one of them is told") {
  Setup s = blown_mixture(false);
  s.inlets[0].velocity = [](const std::array<double, 3>&) { return 4.0; };
  mppic::SolidsInlet feed{s.inlets[0], 2e-2, 0.2, 40, mppic::SizeDistribution::one_size(1e-3)};
  feed.solid = 0;
  s.solids_inlets.push_back(feed);
  Bed b(s);
  b.run(100);
  const std::vector<double> row = b.step.solid_books().row(Cpu{}, b.step.parcels());
  REQUIRE(row.size() == mppic::SolidBooks::columns(s).size());
  CHECK(row[5 + 1] > 10); // light ones are blown out
  CHECK(row[0] + row[1] > 640); // heavy ones came in
  CHECK(row[0] + row[5] == static_cast<double>(b.step.parcels().size()));
  CHECK(row[2] == Approx(sum_of(b, 0, [](std::int64_t) { return 1.0; })).epsilon(1e-12));
  CHECK(row[5 + 4] == Approx(mean_height(b, 1)).epsilon(1e-12));
  CHECK_NOTHROW(b.step.solid_books().check(Cpu{}, b.step.parcels()));
  Array<std::int32_t>& solid = *b.step.parcels().solid;
  solid[0] = 1 - solid[0];
  CHECK_THROWS_AS(b.step.solid_books().check(Cpu{}, b.step.parcels()), Error);
}

TEST_CASE("solids have drag laws of their own") {
  Setup s = empty_box({2, 2, 8}, {0.02, 0.02, 0.08});
  mix(s, {2500, 2500});
  s.solids.several[1].drag.law = DragLaw::constant;
  s.solids.several[1].drag.cd = 0; // falls as in a vacuum
  s.solids.two_way = s.solids.packing = false;
  for (int i = 0; i < 2; ++i) s.seeds.push_back(bed_of(s, i, 0.08, 1e-3, 64, 1e-4));
  Bed b(s);
  b.run(10);
  const mppic::Parcels& p = b.step.parcels();
  for (std::int64_t i = 0; i < p.size(); ++i) {
    if ((*p.position[2])[i] < 5e-3) continue; // may have met the floor
    const double fall = -(*p.velocity[2])[i] / (10 * s.time.dt * 9.81);
    if ((*p.solid)[i] == 1) CHECK(fall == Approx(1).epsilon(2e-3));
    else CHECK(fall < 0.95);
    CHECK((p.drag[i] == 0) == ((*p.solid)[i] == 1));
  }
}

TEST_CASE("drag that knows a mixture gives each size its share of the mean") {
  Setup s = empty_box({3, 3, 6}, {0.03, 0.03, 0.06});
  s.sides.fill(SideKind::periodic);
  s.gravity = {0, 0, 0};
  s.solids.drag.law = DragLaw::beetstra_polydisperse;
  s.solids.frozen = true;
  mix(s, {2500, 1000});
  for (int i = 0; i < 2; ++i) {
    mppic::Seed seed = bed_of(s, i, 0.06, 0.2, 0, i == 0 ? 1e-3 : 2e-3);
    seed.seeding.arrangement = mppic::Arrangement::cell_lattice;
    seed.seeding.lattice = {2, 2, 2};
    s.seeds.push_back(seed);
  }
  s.gas.velocity = {0, 0, 0.7};
  Bed b(s);
  const double d32 = 0.4 / (0.2 / 1e-3 + 0.2 / 2e-3);
  const mppic::Parcels& p = b.step.parcels();
  for (std::int64_t i = 0; i < p.size(); ++i) {
    const double K = mppic::drag_per_volume(s.solids.drag, 0.6, 0.7, p.diameter[i], d32);
    CHECK(p.drag[i] == Approx(K / s.solids.density(static_cast<int>((*p.solid)[i]))).epsilon(1e-10));
  }
}

} // namespace corral::test
