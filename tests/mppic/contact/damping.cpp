#include "tests/catch.hpp"
#include "tests/fluid/face_fields.hpp"
#include "tests/mppic/collisions/scene.hpp"
#include "tests/tolerance.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace corral::test {

using fluid::SideKind;
using mppic::Setup;

TEST_CASE("Haff's law, exactly for every time step") {
  // O'Rourke and Snider (2010) in equilibrium: sigma = sigma0/(1 + B sigma0 t/2).
  struct Gas {
    double theta;
    std::vector<double> diameters;
    double radius, B;
  };
  const double sigma0 = std::sqrt(0.03);
  for (const Gas& gas : {Gas{0.05, {1e-3}, 5e-4, 27.00639}, Gas{0.1, {5e-4, 1e-3}, 1e-3 / 3, 89.1211}}) {
    const double g0 = 0.6 / (0.6 - gas.theta), eta = 0.95;
    const double B = 16 / std::sqrt(3 * std::numbers::pi) * gas.theta / gas.radius * g0 * eta * (1 - eta);
    CHECK(B == Approx(gas.B).epsilon(1e-6));
    for (const int steps : {1, 7, 100}) {
      Setup s = alone({1, 1, 1}, 0.1, SideKind::periodic);
      const double share = gas.theta / static_cast<double>(gas.diameters.size());
      for (const double d : gas.diameters) s.seeds.push_back(filling(s, share, 500, d));
      Bed b(s);
      stir(b, sigma0);
      double t = 0;
      for (const double until : {0.1, 1.0}) {
        b.setup.time.dt = (until - t) / steps;
        b.run(steps);
        t = until;
        const double law = sigma0 / (1 + B * sigma0 * t / 2);
        INFO("B " << B << ", " << steps << " steps, t " << t);
        CHECK(std::abs(sigma(b.step.parcels()) - law) <= 1e-10 * law);
        if (gas.diameters.size() == 1)
          CHECK(law == Approx(until < 0.5 ? 0.1403741 : 0.0518761).epsilon(1e-6));
      }
    }
  }
}

TEST_CASE("where solids of several restitutions collide, it is the mean of theirs by surface") {
  // Half the volume of .5 mm and .9, half of 1 mm and .6: two thirds of the surface and one, so .8.
  const double sigma0 = std::sqrt(0.03), theta = 0.1, g0 = 0.6 / 0.5, eta = 0.9;
  const double B = 16 / std::sqrt(3 * std::numbers::pi) * theta / (1e-3 / 3) * g0 * eta * (1 - eta);
  for (const bool isotropy : {false, true})
    for (const bool far : {false, true})
      for (const bool damping : {true, false}) {
        INFO("isotropy " << isotropy << ", far " << far << ", damping " << damping);
        Setup one = alone({1, 1, 1}, 0.1, SideKind::periodic);
        one.collisions = {.damping = damping, .far = far, .isotropy = isotropy};
        one.solids.restitution = 0.8;
        for (const double d : {5e-4, 1e-3}) one.seeds.push_back(filling(one, theta / 2, 200, d));
        one.time.dt = 0.02;
        Setup several = one;
        several.solids.restitution = 0.1; // nobody's
        for (const auto& [name, e] : {std::pair{"small", 0.9}, std::pair{"large", 0.6}})
          several.solids.several.push_back({name, one.solids.rho, one.solids.drag, e});
        several.seeds[1].solid = 1;
        Bed a(one), b(several);
        stir(a, sigma0), stir(b, sigma0);
        a.run(5), b.run(5);
        if (!far && damping) CHECK(sigma(b.step.parcels()) == Approx(sigma0 / (1 + B * sigma0 * 0.05)).epsilon(1e-10));
        if (!damping) CHECK(sigma(b.step.parcels()) == Approx(sigma0).epsilon(1e-12));
        double apart = 0;
        for (std::size_t d = 0; d < 3; ++d)
          for (std::int64_t i = 0; i < 400; ++i)
            apart = std::max(apart, std::abs((*a.step.parcels().velocity[d])[i] - (*b.step.parcels().velocity[d])[i]));
        CHECK(apart <= 1e-12 * sigma0);
      }
}

TEST_CASE("damping keeps momentum and takes energy, of any parcels in any time step") {
  for (const auto& cells : {std::array<std::int64_t, 3>{4, 5, 3}, {1, 1, 6}, {1, 1, 1}})
    for (const SideKind side : {SideKind::no_slip, SideKind::periodic})
      for (const auto& [dt, far] : {std::pair{1e-5, false}, {1e-2, false}, {1e3, false}, {1e-5, true}, {1e3, true}}) {
        Setup s = alone(cells, 0.05, side);
        s.solids.friction = 0.5;
        s.collisions.far = far;
        StirredBox scene(s, 400, [](std::int64_t, Random&) {});
        Random random(21);
        for (auto* u : scene.parcels.velocity)
          for (double& v : *u) v = random.uniform(-3, 1) * std::pow(10, random.uniform(-2, 0));
        scene.sums.spread(Cpu{}, scene.order, scene.parcels, dt, scene.flow);
        for (double& pi : scene.flow.contact_pressure) pi = random.coin() ? random.uniform(0, 1e3) : 0;
        const mppic::Damping& damping = scene.damped(dt);
        const Array<double> a = scene.at_parcels(damping.a());
        double before = 0, after = 0;
        for (std::size_t d = 0; d < 3; ++d) {
          const Array<double> mean = scene.at_parcels(damping.a_mean()[d]);
          double change = 0, carried = 0;
          for (std::int64_t i = 0; i < a.size(); ++i) {
            const double v = scene.parcels.volume[i], u = (*scene.parcels.velocity[d])[i];
            const double next = u + mean[i] - a[i] * u;
            CHECK((a[i] > 0 && a[i] <= 1));
            change += v * (next - u);
            carried += v * std::abs(u);
            before += v * u * u;
            after += v * next * next;
          }
          CHECK(std::abs(change) <= round_off(a.size() + scene.domain.grid().cells()) * carried);
        }
        INFO("dt " << dt << ", before " << before << ", after " << after);
        CHECK(after < before);
        if (dt > 1) CHECK(after < 0.9 * before);
      }
}

TEST_CASE("friction is Coulomb's: pressure over shear, and none without pressure") {
  Setup s = alone({4, 4, 16}, 0.16, SideKind::free_slip);
  s.solids.restitution = 1;
  s.solids.friction = 0.3;
  constexpr double dt = 1e-3, pi = 200;
  double rate = 1e300;
  for (const double shear : {1e-6, 1., 10., 100.}) {
    StirredBox scene(s, 5000, [](std::int64_t, Random&) {});
    const mppic::Parcels& p = scene.parcels;
    for (std::int64_t i = 0; i < p.size(); ++i) (*p.velocity[0])[i] = shear * (*p.position[2])[i];
    scene.sums.spread(Cpu{}, scene.order, scene.parcels, dt, scene.flow);
    for (const double a : scene.damped(dt).a()) CHECK(a == 0);
    scene.flow.contact_pressure.fill(pi);
    const mppic::Damping& damping = scene.damped(dt);
    double mean = 0;
    each_cell_in_turn(scene.domain.grid(), [&](const fluid::Cell& c) {
      const double a = damping.a()[c.index], x = 2 * a / (1 - a), h = 0.01;
      const double slowest = 1e-3 * std::sqrt(9.81 / h);
      const double measured = std::max(scene.sums.view().shear(c), slowest);
      const double law = dt * 12 * 0.3 * pi / (s.solids.rho * scene.flow.solids_fraction[c.index] * measured * h * h);
      CHECK(std::abs(x - law) <= 1e-10 * (law + x * x)); // a near 1 loses digits of 1 - a
    });
    for (const double a : damping.a()) mean += a / static_cast<double>(damping.a().size());
    INFO("shear " << shear << ", mean a " << mean);
    CHECK(mean < rate);
    rate = mean;
  }
}

TEST_CASE("elastic particles without friction are not damped, to the last bit") {
  Setup s = alone({3, 3, 4}, 0.05, SideKind::periodic);
  s.solids.restitution = 1;
  s.solids.friction = 0;
  StirredBox scene(s, 300, [](std::int64_t, Random&) {});
  Random random(2);
  for (auto* u : scene.parcels.velocity)
    for (double& v : *u) v = random.uniform(-1, 1);
  scene.flow.contact_pressure.fill(100);
  scene.sums.spread(Cpu{}, scene.order, scene.parcels, 1e-3, scene.flow);
  const mppic::Damping& damping = scene.damped(1e-3);
  for (const double a : damping.a()) CHECK(a == 0);
  for (const auto& mean : damping.a_mean())
    for (const double v : mean) CHECK(v == 0);

  s.seeds.push_back(filling(s, 0.3, 200, 1e-3));
  Bed b(s);
  stir(b, 0.1);
  std::vector<std::array<double, 3>> start(200);
  const mppic::Parcels& p = b.step.parcels();
  const auto velocity = [&](std::int64_t i) {
    return std::array<double, 3>{(*p.velocity[0])[i], (*p.velocity[1])[i], (*p.velocity[2])[i]};
  };
  for (std::int64_t i = 0; i < 200; ++i) start[p.id[i]] = velocity(i);
  b.run(10);
  for (std::int64_t i = 0; i < 200; ++i) CHECK(velocity(i) == start[p.id[i]]);
}

} // namespace corral::test
