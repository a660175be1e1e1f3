#include "tests/catch.hpp"
#include "tests/mppic/small_beds.hpp"
#include "tests/tolerance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace corral::test {
namespace {

using mppic::DragLaw;
using mppic::Setup;

/// Six tracers in a thin unit square of prescribed gas: so small that drag is infinite.
Setup tracers(double dt) {
  Setup s = empty_box({16, 16, 1}, {1, 1, 1. / 16});
  s.gas.solved = false;
  s.gravity = {0, 0, 0};
  s.solids.two_way = s.solids.packing = false;
  s.solids.drag = {DragLaw::stokes, 1.2, 1.8e-5, 1.0};
  s.time.dt = dt;
  mppic::Seed seed = bed(s, 1, 0.01, 1, 1e-9);
  seed.seeding.arrangement = mppic::Arrangement::lattice;
  seed.seeding.region = {{0.4, 0.6, 0}, {0.6, 0.7, 1. / 16}};
  seed.seeding.lattice = {3, 2, 1};
  seed.seeding.solids_fraction.reset();
  seed.seeding.particles_per_parcel = 1;
  s.seeds.push_back(seed);
  return s;
}

/// Sets the gas to `scale` times the flow whose x and y components are given at a point.
template <class U, class V> void prescribe(Bed& b, double scale, U u, V v) {
  constexpr double h = 1. / 16;
  for (int j = 0; j < 16; ++j)
    for (int i = 0; i <= 16; ++i) b.gas(0)[i + 17 * j] = scale * u(h * i, h * (j + 0.5));
  for (int j = 0; j <= 16; ++j)
    for (int i = 0; i < 16; ++i) b.gas(1)[i + 16 * j] = scale * v(h * (i + 0.5), h * j);
}

std::vector<std::array<double, 2>> places(const Bed& b) {
  const mppic::Parcels& p = b.step.parcels();
  std::vector<std::array<double, 2>> at(static_cast<std::size_t>(p.size()));
  for (std::int64_t i = 0; i < p.size(); ++i) at[p.id[i]] = {(*p.position[0])[i], (*p.position[1])[i]};
  return at;
}

double largest_distance(const std::vector<std::array<double, 2>>& a, const std::vector<std::array<double, 2>>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, std::hypot(a[i][0] - b[i][0], a[i][1] - b[i][1]));
  return largest;
}

/// How far tracers are from where they belong after a quarter turn of a solid-body rotation in n steps.
double rotation_error(int n) {
  Bed b(tracers(1.0 / n));
  const double omega = 0.5 * std::numbers::pi;
  prescribe(b, omega, [](double, double y) { return 0.5 - y; }, [](double x, double) { return x - 0.5; });
  auto exact = places(b);
  for (auto& [x, y] : exact) {
    const double before = x;
    x = 1 - y;
    y = before;
  }
  b.run(n);
  return largest_distance(places(b), exact);
}

/// How far tracers are from where they began after a vortex has turned them and, reversed, should have brought them
/// back, in n steps (LeVeque 1996). Whatever the interpolation errs, it errs both ways.
double vortex_error(int n) {
  Bed b(tracers(1.0 / n));
  const auto begin = places(b);
  const double pi = std::numbers::pi;
  for (int step = 0; step < n; ++step) {
    prescribe(
        b, std::cos(pi * step / n),
        [pi](double x, double y) { return -std::pow(std::sin(pi * x), 2) * std::sin(2 * pi * y); },
        [pi](double x, double y) { return std::pow(std::sin(pi * y), 2) * std::sin(2 * pi * x); });
    b.run(1);
  }
  return largest_distance(places(b), begin);
}

} // namespace

TEST_CASE("a falling parcel in prescribed gas follows its equation of motion", "[physics]") {
  Setup s = empty_box({2, 2, 20}, {0.02, 0.02, 2});
  s.gas.solved = false;
  s.gas.velocity = {0, 0, 0.4};
  s.solids.two_way = false;
  s.solids.packing = false;
  s.solids.rho = 2000;
  s.solids.drag = {DragLaw::constant, 1.2, 1.8e-5, 1.0};
  s.time.dt = 1e-4;
  mppic::Seed one = bed(s, 2, 0.01, 1, 1e-4);
  one.seeding.arrangement = mppic::Arrangement::lattice;
  one.seeding.region = {{0, 0, 1.85}, {0.02, 0.02, 1.95}};
  one.seeding.solids_fraction.reset();
  one.seeding.particles_per_parcel = 1;
  s.seeds.push_back(one);
  Bed b(s);

  double v = 0, z = 1.9;
  const auto acceleration = [&](double w) {
    const double slip = 0.4 - w;
    return 0.75 * 1.2 * std::abs(slip) * slip / (1e-4 * 2000) - 9.81 * (1 - 1.2 / 2000);
  };
  for (int i = 0; i < 10000; ++i) {
    const double h = s.time.dt, k1 = acceleration(v), k2 = acceleration(v + h / 2 * k1),
                 k3 = acceleration(v + h / 2 * k2), k4 = acceleration(v + h * k3);
    z += h * (v + h / 6 * (k1 + k2 + k3));
    v += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  b.run(10000);
  CHECK(v == Approx(-1.0760).epsilon(1e-3));
  CHECK((*b.step.parcels().velocity[2])[0] == Approx(v).epsilon(1e-3));
  CHECK((*b.step.parcels().position[2])[0] - 1.9 == Approx(z - 1.9).epsilon(1e-3));
}

TEST_CASE("the mover is of first order: halving dt halves the error") {
  for (double (*error)(int) : {rotation_error, vortex_error}) {
    const double coarse = error(100), fine = error(200), finer = error(400);
    CHECK(coarse < 0.1);
    CHECK(coarse / fine == Approx(2).epsilon(truncation(1, 0.01, 10)));
    CHECK(fine / finer == Approx(2).epsilon(truncation(1, 0.005, 10)));
  }
}

} // namespace corral::test
