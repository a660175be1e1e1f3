#include "stokes/mobility.hpp"
#include "stokes/near/krylov_root.hpp"
#include "tests/catch.hpp"
#include "tests/stokes/normals.hpp"
#include "tests/stokes/points.hpp"

#include <corral/error.hpp>

#include <cmath>
#include <numbers>

namespace corral::test {
namespace {

Task spheres_in(const Box& box, double radius, std::size_t n, double tolerance) {
  Task task = task_of(Sum::stokeslet, n, box, tolerance, false);
  task.radius = radius;
  return task;
}

std::vector<double> fluctuation(SumPlan& plan, const std::vector<Point>& points, std::uint64_t seed) {
  const auto n = static_cast<std::int64_t>(points.size());
  std::vector<double> u(3 * points.size(), -9);
  plan.fluctuate(Cpu{}, positions_of(points), Normals(seed),
                 {{{u.data(), n, 3}, {u.data() + 1, n, 3}, {u.data() + 2, n, 3}}});
  return u;
}

/// Row behind row: velocities along i of forces along j.
std::vector<double> matrix(SumPlan& plan, const std::vector<Point>& points) {
  const std::size_t size = 3 * points.size();
  std::vector<double> M(size * size);
  for (std::size_t j = 0; j < size; ++j) {
    std::vector<Strength> force(points.size());
    force[j / 3][j % 3] = 1;
    const auto u = by_plan(plan, points, force, points);
    for (std::size_t i = 0; i < size; ++i) M[i * size + j] = u[i];
  }
  return M;
}

} // namespace

TEST_CASE("random velocities have the sum for their covariance, however near and far field part", "[physics]") {
  const Box wrapping{.edge = {6, 5, 7}}, open{.edge = {6, 5, 7}, .periodic = {false, false, false}};
  const std::vector<Point> points{{1, 1, 1}, {2.2, 1.9, 1.1}, {4, 4, 5}}; // the first two overlap
  for (const Box& box : {wrapping, open})
    for (const double xi : {0.5, 1.1}) {
      if (!box.periodic[0] && xi > 1) continue;
      SumPlan plan(spheres_in(box, 1, points.size(), 1e-3), {.xi = xi});
      const std::size_t size = 3 * points.size();
      std::vector<double> covariance(size * size, 0.0);
      const int samples = box.periodic[0] ? 3000 : 400;
      for (int s = 0; s < samples; ++s) {
        const auto u = fluctuation(plan, points, static_cast<std::uint64_t>(s));
        for (std::size_t i = 0; i < size; ++i)
          for (std::size_t j = 0; j < size; ++j) covariance[i * size + j] += u[i] * u[j] / samples;
      }
      const auto M = matrix(plan, points);
      double squares = 0; // of deviations over their standard deviation: 1 each
      for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
          const double expected = M[i * size + j], off = covariance[i * size + j] - expected;
          const double deviation = std::sqrt((expected * expected + M[i * size + i] * M[j * size + j]) / samples);
          CAPTURE(box.periodic[0], xi, i, j, expected, covariance[i * size + j]);
          CHECK(std::abs(off) < 5 * deviation);
          squares += off * off / (deviation * deviation);
        }
      const double entries = static_cast<double>(size * (size + 1)) / 2;
      CHECK(squares / entries < 2);
    }
}

TEST_CASE("a Krylov space finds the root of a matrix, and of few vectors all of it") {
  // 1 + 3 nn of a unit vector n has the root 1 + nn.
  const std::int64_t points = 40, n = 3 * points;
  std::vector<double> along(static_cast<std::size_t>(n)), u(along.size(), 0), z(along.size());
  double square = 0;
  for (std::size_t i = 0; i < along.size(); ++i)
    along[i] = std::sin(1.0 + static_cast<double>(i)), square += along[i] * along[i];
  for (double& a : along) a /= std::sqrt(square);
  const auto component = [&](std::size_t c, std::int64_t i) { return along[c * points + static_cast<std::size_t>(i)]; };
  stokes::KrylovSpace krylov;
  const Normals normals(3);
  std::vector<Column<double>> to;
  for (std::int64_t c = 0; c < 3; ++c) to.push_back({u.data() + c * points, points, 1});
  krylov.add_root(
      Cpu{}, points, 1e-10, normals,
      [&](const std::vector<Column<const double>>& x, const std::vector<Column<double>>& y) {
        double dot = 0;
        for (std::size_t c = 0; c < 3; ++c)
          for (std::int64_t i = 0; i < points; ++i) dot += component(c, i) * x[c][i];
        for (std::size_t c = 0; c < 3; ++c)
          for (std::int64_t i = 0; i < points; ++i) y[c][i] += x[c][i] + 3 * dot * component(c, i);
      },
      to);
  CHECK(krylov.vectors() <= 3);
  for (int c = 0; c < 3; ++c) normals.fill(3 + c, 0, {z.data() + c * points, static_cast<std::size_t>(points)});
  double dot = 0;
  for (std::size_t i = 0; i < z.size(); ++i) dot += along[i] * z[i];
  for (std::size_t i = 0; i < z.size(); ++i) CHECK(u[i] == Approx(z[i] + dot * along[i]).margin(1e-9));
}

TEST_CASE("random velocities have the same bits for any number of threads, and are refused for points") {
  const Box box{.edge = {30, 30, 30}};
  Numbers next(5);
  const auto points = uniform(500, box, next);
  SumPlan plan(spheres_in(box, 1, points.size(), 1e-4));
  const auto all = fluctuation(plan, points, 8);
  std::vector<double> one(all.size());
  run_with_threads(1, [&] { one = fluctuation(plan, points, 8); });
  CHECK(one == all);
  CHECK(fluctuation(plan, {}, 8).empty());
  SumPlan of_points(task_of(Sum::stokeslet, 10, box, 1e-3, false));
  CHECK_THROWS_WITH(fluctuation(of_points, points, 8), Catch::Matchers::ContainsSubstring("give the plan a radius"));
  SumPlan layer(spheres_in({.edge = {9, 9, 9}, .periodic = {true, true, false}}, 1, 10, 1e-3));
  CHECK_THROWS_WITH(fluctuation(layer, {{1, 1, 1}}, 8), Catch::Matchers::ContainsSubstring("some free axes"));
}

TEST_CASE("a sphere alone moves by Stokes' law, and diffuses by Einstein's") {
  const double a = 2e-6, mu = 1e-3, L = 4e-4;
  stokes::Mobility mobility({.box = {.edge = {L, L, L}}, .radius = a, .viscosity = mu, .tolerance = 1e-5});
  std::vector<double> force{0, 0, 1e-12}, u(3);
  const std::vector<Point> at{{1e-5, 2e-5, 3e-5}};
  const std::array<Column<double>, 3> columns{{{u.data(), 1, 3}, {u.data() + 1, 1, 3}, {u.data() + 2, 1, 3}}};
  mobility(Cpu{}, positions_of(at), {{{force.data(), 1, 3}, {force.data() + 1, 1, 3}, {force.data() + 2, 1, 3}}},
           columns);
  const double alone = 1 / (6 * std::numbers::pi * mu * a), x = a / L;
  const double among_images = 1 - 2.837297 * x + 4 * std::numbers::pi / 3 * x * x * x;
  CHECK(u[2] == Approx(1e-12 * alone * among_images).epsilon(1e-5));
  const double energy = 4.1e-21, dt = 1e-3;
  double square = 0;
  const int samples = 600;
  for (int s = 0; s < samples; ++s) {
    mobility.fluctuate(Cpu{}, positions_of(at), energy, dt, Normals(static_cast<std::uint64_t>(s)), columns);
    for (const double v : u) square += v * v / (3 * samples);
  }
  CHECK(square == Approx(2 * energy * alone * among_images / dt).epsilon(5 * std::sqrt(2.0 / (3 * samples))));
  CHECK_THROWS_AS(stokes::Mobility({.radius = a, .viscosity = 0}), Error);
}

} // namespace corral::test
