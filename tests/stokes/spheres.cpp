#include "stokes/sums/spheres.hpp"
#include "tests/catch.hpp"
#include "tests/stokes/points.hpp"

#include <cmath>
#include <numbers>

namespace corral::test {
namespace {

Task spheres_of(double radius, std::size_t n, const Box& box, double tolerance) {
  Task task = task_of(Sum::stokeslet, n, box, tolerance, false);
  task.radius = radius;
  return task;
}
stokes::DirectSum direct_of(const Task& task) {
  return {.sum = task.sum, .all_results = false, .box = task.box, .radius = task.radius};
}

} // namespace

TEST_CASE("near and far fields of spheres make up the whole, and hold together where they bend") {
  for (const long double xi : {0.05L, 0.6L, 3.0L})
    for (const long double r : {1e-9L, 0.0005L, 0.02L / 3, 0.019L, 0.021L, 0.4L, 1.99999L, 2.00001L, 3.5L, 9.0L}) {
      CAPTURE(static_cast<double>(xi), static_cast<double>(r));
      const auto here = stokes::near_spheres<long double>(xi, 1, r),
                 next = stokes::near_spheres<long double>(xi, 1, r * (1 + 1e-7L));
      CHECK(static_cast<double>(here.across) == Approx(static_cast<double>(next.across)).margin(1e-6));
      // The flow of a force on one, as its modes have it: a sum over a large box without images, by spherical waves.
      long double across = 0, along = 0;
      const int steps = 20000;
      const long double pi = std::numbers::pi_v<long double>, end = 13 * xi, dk = end / steps;
      for (int i = 0; i < steps; ++i) {
        const long double k = (i + 0.5L) * dk, g = k * k / (4 * xi * xi), shell = stokes::sphere_mode(k), x = k * r;
        // Means over directions of exp(i k.r) (1 - kk), across r and along it.
        const long double j1 = x < 1e-3L ? 1.0L / 3 - x * x / 30 : (std::sin(x) / x - std::cos(x)) / (x * x);
        const long double j0 = x < 1e-3L ? 1 - x * x / 6 : std::sin(x) / x;
        const long double weight =
            dk * k * k / (2 * pi * pi) * 8 * pi / (k * k) * (1 + g) * std::exp(-g) * shell * shell;
        across += weight * (j0 - j1);
        along += weight * 2 * j1;
      }
      const auto whole = stokes::spheres<long double>(1, r);
      CHECK(static_cast<double>(here.across + across) == Approx(static_cast<double>(whole.across)).epsilon(1e-6));
      CHECK(static_cast<double>(here.along + along) == Approx(static_cast<double>(whole.along)).epsilon(1e-6));
    }
}

TEST_CASE("sums over spheres meet the tolerance, near, overlapping, and in one place") {
  const Box wrapping{.origin = {-3, 1, 2}, .edge = {12, 10, 14}};
  const Box open{.origin = {-3, 1, 2}, .edge = {12, 10, 14}, .periodic = {false, false, false}};
  for (const Box& box : {wrapping, open})
    for (const double radius : {0.02, 0.6, 1.5})
      for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
        CAPTURE(box.periodic[0], radius, tolerance);
        Numbers next(7);
        auto points = uniform(60, box, next);
        points[1] = points[0];
        points[3] = {points[2][0] + 1e-7, points[2][1], points[2][2]};
        const auto strength = strengths(points.size(), next);
        const Task task = spheres_of(radius, points.size(), box, tolerance);
        SumPlan plan(task);
        const auto right = direct_of(task)(points, strength, points);
        const auto off = errors(task, strength, by_plan(plan, points, strength, points), right);
        double size = 0, Q = 0;
        for (const long double u : right) size += static_cast<double>(u * u);
        for (const Strength& f : strength) Q += f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
        const double own = std::sqrt(size / static_cast<double>(points.size()) / Q) * std::cbrt(box.volume());
        CHECK(off[0] < tolerance * std::max(1.0, own));
      }
}

TEST_CASE("sums over spheres don't depend on where near and far field part") {
  const Box box{.edge = {9, 8, 10}};
  Numbers next(11);
  const auto points = uniform(80, box, next);
  const auto strength = strengths(points.size(), next);
  const Task task = spheres_of(1, points.size(), box, 1e-9);
  const auto right = direct_of(task)(points, strength, points);
  for (const double xi : {0.7, 1.0, 2.2}) {
    SumPlan plan(task, {.xi = xi});
    CHECK(errors(task, strength, by_plan(plan, points, strength, points), right)[0] < 2e-9);
  }
}

TEST_CASE("a sphere among its images falls as Hasimoto has it, and as Zick and Homsy do but for higher moments") {
  // K = 1/(1 - 1.7601 c^(1/3) + c) of a simple cubic array, by the velocity of a force averaged over the sphere.
  for (const double c : {1e-3, 0.027, 0.125}) {
    const double radius = std::cbrt(3 * c / (4 * std::numbers::pi));
    SumPlan plan(spheres_of(radius, 1, {}, 1e-8));
    const auto u = by_plan(plan, {{0.3, 0.2, 0.9}}, {{1, 0, 0}}, {{0.3, 0.2, 0.9}});
    CHECK(u[0] * 3 * radius / 4 == Approx(1 - 1.7601188 * std::cbrt(c) + c).epsilon(1e-6));
    CHECK(std::abs(u[1]) < 1e-6);
  }
}

TEST_CASE("radii that make no sense are refused") {
  CHECK_THROWS_WITH(SumPlan(spheres_of(2, 1, {}, 1e-4)),
                    Catch::Matchers::ContainsSubstring("spheres of the radius 2 m"));
  CHECK_THROWS_WITH(SumPlan(spheres_of(1e-7, 1, {}, 1e-4)), Catch::Matchers::ContainsSubstring("in this box"));
  CHECK_THROWS_WITH(SumPlan(spheres_of(std::nan(""), 1, {}, 1e-4)),
                    Catch::Matchers::ContainsSubstring("spheres of the radius"));
  CHECK_THROWS_WITH(SumPlan(spheres_of(1e-4, 1, {}, 1e-4), {.cut_off = 0.2}),
                    Catch::Matchers::ContainsSubstring("2 to 1000 radii"));
  Task task = spheres_of(0.1, 1, {}, 1e-4);
  task.all_results = true;
  CHECK_THROWS_WITH(SumPlan(task), Catch::Matchers::ContainsSubstring("forces and velocities alone"));
  task.all_results = false;
  task.sum = Sum::rotlet;
  CHECK_THROWS_WITH(SumPlan(task), Catch::Matchers::ContainsSubstring("a radius beside rotlets"));
}

} // namespace corral::test
