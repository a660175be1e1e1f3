#include "tests/catch.hpp"
#include "tests/mppic/collisions/scene.hpp"
#include "tests/tolerance.hpp"

#include <cmath>
#include <numbers>
#include <vector>

namespace corral::test {

using fluid::SideKind;
using mppic::Setup;

TEST_CASE("two beams of one size slow down as both rates say, exactly for every time step") {
  constexpr double theta = 0.1, d = 0.65e-3, u0 = 10, g0 = 0.58 / 0.48, losses = 0.95 * 0.05;
  const double pi = std::numbers::pi;
  const double near = 16 / std::sqrt(3 * pi) * theta * u0 / (0.5 * d) * g0 * losses;
  const double far = 8 * std::numbers::sqrt2 / (3 * pi) * 4 * theta * u0 / (0.5 * d) * g0 * losses;
  CHECK(far / near == Approx(0.921).epsilon(1e-3));
  for (const bool is_far : {false, true})
    for (const int steps : {1, 10, 100}) {
      Setup s = alone({1, 1, 1}, 0.01, SideKind::periodic);
      s.solids.stress.theta_cp = 0.58;
      s.collisions.far = is_far;
      for (const double sign : {1., -1.}) {
        s.seeds.push_back(filling(s, 0.5 * theta, 50, d));
        s.seeds.back().velocity = {0, sign * u0, 0};
      }
      Bed b(s);
      double t = 0;
      for (const double until : {1e-3, 1e-2}) {
        b.setup.time.dt = (until - t) / steps;
        b.run(steps);
        t = until;
        const double law = u0 / (1 + 0.5 * (is_far ? far : near) * t);
        if (!is_far) CHECK(law == Approx(until < 5e-3 ? 6.84835 : 1.78506).epsilon(1e-6));
        for (const double u : *b.step.parcels().velocity[1]) CHECK(std::abs(std::abs(u) - law) <= 1e-10 * law);
      }
    }
}

TEST_CASE("the rate far from equilibrium is that of the formula, for any sizes and exactly for every time step") {
  for (const int steps : {1, 30}) {
    Setup s = alone({1, 1, 1}, 0.1, SideKind::periodic);
    s.collisions.far = true;
    for (const double d : {3e-4, 5e-4, 1e-3}) s.seeds.push_back(filling(s, 0.07, 200, d));
    Bed b(s);
    stir(b, 0.2);
    const mppic::Parcels& p = b.step.parcels();
    double volume = 0, over_r = 0, first = 0, second = 0;
    std::array<double, 3> mean{};
    for (std::int64_t i = 0; i < p.size(); ++i) {
      volume += p.volume[i];
      over_r += 2 * p.volume[i] / p.diameter[i];
      for (std::size_t d = 0; d < 3; ++d) mean[d] += p.volume[i] * (*p.velocity[d])[i];
    }
    const double r32 = volume / over_r, theta = 0.21;
    for (std::int64_t i = 0; i < p.size(); ++i) {
      double square = 0;
      for (std::size_t d = 0; d < 3; ++d) square += std::pow((*p.velocity[d])[i] - mean[d] / volume, 2);
      const double r = 0.5 * p.diameter[i], number = p.volume[i] / (4 * std::numbers::pi / 3 * r * r * r);
      const double f = theta / (r32 * r32 * r32) * (r + r32) * (r + r32) * std::sqrt(square);
      first += number * f;
      second += number * f * f;
    }
    const double rate =
        8 * std::numbers::sqrt2 / (3 * std::numbers::pi) * second / first * 0.6 / (0.6 - theta) * 0.95 * 0.05;
    b.setup.time.dt = 0.05 / steps;
    b.run(steps);
    const double law = 0.2 / (1 + 0.5 * rate * 0.05);
    CHECK(law < 0.15); // it matters
    CHECK(std::abs(sigma(p) - law) <= 1e-10 * law);
  }
}

TEST_CASE("both rates are Haff's where velocities are Maxwell's, and a smooth gradient is no fluctuation") {
  Setup s = alone({1, 1, 1}, 0.1, SideKind::periodic);
  s.collisions.far = true;
  const run::Random random(4);
  StirredBox cloud(s, 200'000, [](std::int64_t, Random&) {});
  cloud.parcels.diameter.fill(1e-3);
  for (std::int64_t i = 0; i < cloud.parcels.size(); ++i)
    for (int d = 0; d < 3; ++d)
      (*cloud.parcels.velocity[d])[i] = random.normal(run::Purpose::velocity, 0, static_cast<std::uint64_t>(i), d);
  cloud.spread(1e-3);
  const double far = cloud.damped(1e-3).a()[0];
  cloud.damping.advance(Cpu{}, cloud.sums, 1e-3, cloud.flow);
  CHECK(far / (1 - far) == Approx(cloud.damping.a()[0] / (1 - cloud.damping.a()[0])).epsilon(0.01));

  Setup sheared = alone({3, 3, 12}, 0.1, SideKind::free_slip);
  sheared.collisions.far = true;
  sheared.solids.friction = 0;
  StirredBox scene(sheared, 40'000, [](std::int64_t, Random&) {});
  const auto rate = [&](double gradient, double noise) {
    Random of(3);
    for (std::int64_t i = 0; i < scene.parcels.size(); ++i)
      (*scene.parcels.velocity[0])[i] = gradient * (*scene.parcels.position[2])[i] + noise * of.uniform(-1, 1);
    scene.spread(1e-3);
    return scene.damped(1e-3).a()[4 + 9 * 6]; // in the middle
  };
  CHECK(rate(10, 0) < 0.02 * rate(0, 10 * 0.1 / 12)); // as much from cell to cell as by chance
}

} // namespace corral::test
