// Spheres in free space, pair by pair.
#include "stokes/lubrication/lubricated_mobility.hpp"
#include "stokes/mobility.hpp"
#include "stokes/rigid/rigid_mobility.hpp"
#include "tests/catch.hpp"
#include "tests/stokes/normals.hpp"
#include "tests/stokes/points.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace corral::test {
namespace {

using Catch::Matchers::ContainsSubstring;
using stokes::Mobility;
using stokes::Spheres;
using stokes::SphereSum;

constexpr double pi = std::numbers::pi;

/// In a fluid in which a sphere alone moves by F/a.
Spheres free_spheres(SphereSum sum, double edge, double tolerance = 1e-6, double radius = 1) {
  return {.box = {.edge = {edge, edge, edge}, .periodic = {false, false, false}},
          .radius = radius,
          .viscosity = 1 / (6 * pi),
          .tolerance = tolerance,
          .count = 20,
          .sum = sum};
}

std::array<Column<double>, 3> columns(std::vector<Point>& x) {
  const auto n = static_cast<std::int64_t>(x.size());
  double* const first = x.empty() ? nullptr : x[0].data();
  return {{{first, n, 3}, {first + 1, n, 3}, {first + 2, n, 3}}};
}
std::vector<Point> velocities(Mobility& mobility, const std::vector<Point>& at, std::vector<Point> force) {
  std::vector<Point> u(at.size(), {-9, -9, -9});
  const auto f = columns(force);
  mobility(Cpu{}, positions_of(at), {f[0], f[1], f[2]}, columns(u));
  return u;
}
std::vector<Point> random_forces(std::size_t n, Numbers& next) {
  std::vector<Point> f(n);
  for (Point& x : f) x = {2 * next() - 1, 2 * next() - 1, 2 * next() - 1};
  return f;
}

/// Term by term in long double.
std::vector<long double> exact(const Spheres& spheres, const std::vector<Point>& at, const std::vector<Point>& force) {
  std::vector<Strength> strength;
  for (const Point& f : force) strength.push_back({f[0], f[1], f[2]});
  const Box open{.periodic = {false, false, false}};
  auto u = stokes::DirectSum{.sum = Sum::stokeslet, .box = open, .radius = spheres.radius}(at, strength, at);
  for (long double& v : u) v /= 8 * std::numbers::pi_v<long double> * spheres.viscosity;
  return u;
}

/// The root mean square of a difference over that of what is right.
template <class Right> double error_of(const std::vector<Point>& got, const Right& right) {
  double off = 0, size = 0;
  for (std::size_t i = 0; i < got.size(); ++i)
    for (std::size_t d = 0; d < 3; ++d) {
      const auto wanted = static_cast<double>(right(i, d));
      off += (got[i][d] - wanted) * (got[i][d] - wanted);
      size += wanted * wanted;
    }
  return std::sqrt(off / size);
}
double error_of(const std::vector<Point>& got, const std::vector<Point>& right) {
  return error_of(got, [&](std::size_t i, std::size_t d) { return right[i][d]; });
}

/// Noise of which one number is 1, and all others 0.
class OneNumber final : public stokes::NormalNumbers {
public:
  OneNumber(int axis, std::int64_t sphere) : axis_(axis), sphere_(sphere) {}
  void fill(int stream, std::int64_t first, std::span<double> to) const override {
    for (std::size_t i = 0; i < to.size(); ++i)
      to[i] = stream == 3 + axis_ && first + static_cast<std::int64_t>(i) == sphere_ ? 1 : 0;
  }

private:
  int axis_;
  std::int64_t sphere_;
};

using Matrix = std::vector<std::vector<double>>;

/// Columns: what each number alone makes of it, of forces or of noise.
Matrix mobility_matrix(Mobility& mobility, const std::vector<Point>& at) {
  Matrix M;
  for (std::size_t j = 0; j < 3 * at.size(); ++j) {
    std::vector<Point> force(at.size(), Point{});
    force[j / 3][j % 3] = 1;
    const auto u = velocities(mobility, at, force);
    M.emplace_back();
    for (const Point& v : u) M.back().insert(M.back().end(), v.begin(), v.end());
  }
  return M;
}
Matrix root_matrix(Mobility& mobility, const std::vector<Point>& at, double energy, double dt) {
  Matrix B;
  std::vector<Point> u(at.size());
  for (std::size_t j = 0; j < 3 * at.size(); ++j) {
    mobility.fluctuate(Cpu{}, positions_of(at), energy, dt,
                       OneNumber(static_cast<int>(j % 3), static_cast<std::int64_t>(j / 3)), columns(u));
    B.emplace_back();
    for (const Point& v : u) B.back().insert(B.back().end(), v.begin(), v.end());
  }
  return B;
}

} // namespace

TEST_CASE("few spheres in free space are summed pair by pair, more of them, images and a grid's parameters by a grid") {
  Spheres s = free_spheres(SphereSum::automatic, 12);
  const auto chosen = [&](std::int64_t count, bool fluctuates, const stokes::Parameters& fixed = {}) {
    s.count = count, s.fluctuates = fluctuates;
    return stokes::chosen_sum(s, fixed);
  };
  CHECK(chosen(1, false) == SphereSum::pairs);
  CHECK(chosen(stokes::most_by_pairs, false) == SphereSum::pairs);
  CHECK(chosen(stokes::most_by_pairs + 1, false) == SphereSum::grid);
  CHECK(chosen(stokes::most_fluctuating_by_pairs, true) == SphereSum::pairs);
  CHECK(chosen(stokes::most_fluctuating_by_pairs + 1, true) == SphereSum::grid);
  CHECK(chosen(1, false, {.xi = 0.5}) == SphereSum::grid);
  CHECK(chosen(1, false, {.modes = {0, 0, 48}}) == SphereSum::grid);
  s.box.periodic[1] = true;
  CHECK(chosen(1, false) == SphereSum::grid);
  s.sum = SphereSum::pairs;
  CHECK_THROWS_WITH(chosen(1, false), ContainsSubstring("images have no end"));
  s.box.periodic[1] = false;
  CHECK(chosen(1 << 20, true) == SphereSum::pairs);
  CHECK_THROWS_WITH(chosen(1, false, {.support = 6}), ContainsSubstring("parameters of a grid"));

  const Mobility few(free_spheres(SphereSum::automatic, 12)), by_grid(free_spheres(SphereSum::grid, 12));
  CHECK(few.plan() == nullptr);
  CHECK(few.spheres().sum == SphereSum::pairs);
  CHECK(few.bytes() < 100'000);
  CHECK(by_grid.plan() != nullptr);
  CHECK(by_grid.spheres().sum == SphereSum::grid);
  CHECK(by_grid.bytes() > 1'000'000);
}

TEST_CASE("pair by pair spheres have exact velocities: apart, overlapping, in one place, and out of their box") {
  for (const std::size_t n : {1u, 2u, 7u, 8u, 9u, 60u})
    for (const double radius : {0.02, 1.5}) {
      const Spheres spheres = free_spheres(SphereSum::automatic, 12, 1e-6, radius);
      Mobility mobility(spheres);
      Numbers next(7 + n);
      auto at = uniform(n, {.origin = {-40, 1, 300}, .edge = {12, 10, 14}}, next);
      if (n > 4) {
        at[1] = at[0];
        at[3] = {at[2][0] + 1e-7 * radius, at[2][1], at[2][2]};
        at[4] = {at[2][0], at[2][1] + 2 * radius, at[2][2]};
      }
      const auto force = random_forces(n, next);
      const auto right = exact(spheres, at, force);
      CAPTURE(n, radius);
      CHECK(error_of(velocities(mobility, at, force), [&](std::size_t i, std::size_t d) { return right[3 * i + d]; }) <
            1e-13);
    }
  Mobility mobility(free_spheres(SphereSum::automatic, 12));
  CHECK(velocities(mobility, {}, {}).empty());
  const auto far = velocities(mobility, {{0, 0, 0}, {1e12, 0, 0}}, {{1, 2, 3}, {0, 0, 1}});
  CHECK(far[0][1] == Approx(2).epsilon(1e-11)); // 0.75 of a radius over the distance is what one does to the other
  CHECK(far[1][2] == Approx(1).epsilon(1e-11));
  // Nor does one far away cost the others their digits.
  const std::vector<Point> three{{1e12, 1e12, 0}, {0.25, 0, 0.5}, {0.25, 3.3, 0.5}},
      force{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}};
  const auto near = velocities(mobility, three, force);
  CHECK(near[2][1] == Approx(1.5 / 3.3 - 1 / std::pow(3.3, 3)).epsilon(1e-13));
}

TEST_CASE("pairs and grid of one cloud differ by the tolerance") {
  for (const double tolerance : {1e-3, 1e-6}) {
    Mobility pairs(free_spheres(SphereSum::pairs, 12, tolerance)), grid(free_spheres(SphereSum::grid, 12, tolerance));
    Numbers next(23);
    const auto at = uniform(40, free_spheres(SphereSum::pairs, 12).box, next);
    const auto force = random_forces(at.size(), next);
    CHECK(error_of(velocities(grid, at, force), velocities(pairs, at, force)) < tolerance);
  }
}

TEST_CASE("random velocities pair by pair are a root of 2 k_B T M/dt times noise, of spheres in one place, too") {
  const double energy = 3, dt = 0.5, tolerance = 1e-9;
  Numbers next(31);
  auto crowd = uniform(14, {.edge = {9, 9, 9}}, next);
  crowd[1] = crowd[0]; // M has no inverse
  crowd[3] = {crowd[2][0] + 1e-9, crowd[2][1], crowd[2][2]};
  const std::vector<Point> ball(6, Point{1, 2, 3}), one{{1, 2, 3}};
  const std::vector<Point> row{{0, 0, 0}, {0, 0, 2}, {0, 0, 4}, {0, 0, 6}, {0, 0, 8}};
  for (const auto& at : {crowd, ball, one, row}) {
    Mobility mobility(free_spheres(SphereSum::automatic, 9, tolerance, 0.9));
    const Matrix M = mobility_matrix(mobility, at), B = root_matrix(mobility, at, energy, dt);
    for (std::size_t i = 0; i < M.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        double covariance = 0;
        for (const auto& of_number : B) covariance += of_number[i] * of_number[j];
        CAPTURE(at.size(), i, j);
        CHECK(covariance == Approx(2 * energy * M[i][j] / dt).margin(300 * tolerance * M[i][i]));
      }
  }
}

TEST_CASE("random velocities pair by pair of normal numbers have that covariance, and are no one's twice") {
  const double energy = 3, dt = 0.5;
  const std::vector<Point> at{{1, 1, 1}, {2.2, 1.9, 1.1}, {4, 4, 5}};
  Mobility mobility(free_spheres(SphereSum::automatic, 9));
  constexpr std::size_t size = 9;
  constexpr int samples = 4000;
  std::array<std::array<double, size>, size> covariance{};
  std::array<double, size> mean{};
  for (int s = 0; s < samples; ++s) {
    std::vector<Point> u(at.size());
    mobility.fluctuate(Cpu{}, positions_of(at), energy, dt, Normals(static_cast<std::uint64_t>(s)), columns(u));
    for (std::size_t i = 0; i < size; ++i) {
      mean[i] += u[i / 3][i % 3] / samples;
      for (std::size_t j = 0; j < size; ++j) covariance[i][j] += u[i / 3][i % 3] * u[j / 3][j % 3] / samples;
    }
  }
  const Matrix M = mobility_matrix(mobility, at);
  double squares = 0; // of deviations over their standard deviation: 1 each
  const double unit = 2 * energy / dt;
  for (std::size_t i = 0; i < size; ++i) {
    CHECK(std::abs(mean[i]) < 5 * std::sqrt(unit * M[i][i] / samples));
    for (std::size_t j = 0; j <= i; ++j) {
      const double expected = unit * M[i][j], off = covariance[i][j] - expected;
      const double deviation = std::sqrt((expected * expected + unit * unit * M[i][i] * M[j][j]) / samples);
      CAPTURE(i, j, expected, covariance[i][j]);
      CHECK(std::abs(off) < 5 * deviation);
      squares += off * off / (deviation * deviation);
    }
  }
  CHECK(squares / (size * (size + 1) / 2.0) < 2);
}

TEST_CASE("sums pair by pair have the same bits for any number of threads") {
  Numbers next(5);
  const auto at = uniform(333, {.edge = {30, 30, 30}}, next);
  const auto force = random_forces(at.size(), next);
  const auto both = [&](int threads) {
    std::array<std::vector<Point>, 2> u{std::vector<Point>(at.size()), std::vector<Point>(at.size())};
    run_with_threads(threads, [&] {
      Mobility mobility(free_spheres(SphereSum::pairs, 30, 1e-4));
      u[0] = velocities(mobility, at, force);
      mobility.fluctuate(Cpu{}, positions_of(at), 1, 1, Normals(8), columns(u[1]));
    });
    return u;
  };
  const auto one = both(1);
  CHECK(both(3) == one);
  CHECK(one[0] != one[1]);
}

TEST_CASE("what cannot be summed pair by pair is refused before anything is written") {
  Mobility mobility(free_spheres(SphereSum::automatic, 9));
  std::vector<Point> at{{1, 1, 1}, {2, 2, 2}}, force{{1, 0, 0}, {0, 1, 0}}, u(2, Point{7, 7, 7});
  const auto sum = [&] {
    const auto f = columns(force);
    mobility(Cpu{}, positions_of(at), {f[0], f[1], f[2]}, columns(u));
  };
  const auto shake = [&] { mobility.fluctuate(Cpu{}, positions_of(at), 1, 1, Normals(1), columns(u)); };
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity(), -1e200}) {
    at[1][2] = bad;
    CHECK_THROWS_WITH(sum(), ContainsSubstring("not finite"));
    CHECK_THROWS_WITH(shake(), ContainsSubstring("not finite"));
    std::swap(at[0], at[1]);
    CHECK_THROWS_WITH(sum(), ContainsSubstring("not finite"));
    std::swap(at[0], at[1]);
    at[1][2] = 2;
  }
  force[0][1] = std::nan("");
  CHECK_THROWS_WITH(sum(), ContainsSubstring("strength 1 is not finite at 1 sources"));
  force[0][1] = 0;
  force.pop_back();
  CHECK_THROWS_WITH(sum(), ContainsSubstring("strength 0 of a stokeslet has 1 values (there are 2 points)"));
  force.push_back({0, 0, 0});
  at.push_back({3, 3, 3}), force.push_back({0, 0, 0});
  CHECK_THROWS_WITH(sum(), ContainsSubstring("velocity has 2 values (there are 3 points)"));
  CHECK_THROWS_WITH(shake(), ContainsSubstring("velocity has 2 values (there are 3 points)"));
  CHECK_THROWS_WITH(mobility.fluctuate(Cpu{}, positions_of(at), -1, 1, Normals(1), columns(u)),
                    ContainsSubstring("negative energy"));
  CHECK(u == std::vector<Point>(2, Point{7, 7, 7}));
  CHECK_THROWS_WITH(Mobility(free_spheres(SphereSum::automatic, 9, 0.0)), ContainsSubstring("tolerance"));
  CHECK_THROWS_WITH(Mobility(free_spheres(SphereSum::automatic, 9, 1e-4, HUGE_VAL)),
                    ContainsSubstring("positive and finite"));
}

TEST_CASE("lubricated spheres move pair by pair as they do with a grid, in their box") {
  Mobility pairs(free_spheres(SphereSum::pairs, 14, 1e-5)), grid(free_spheres(SphereSum::grid, 14, 1e-5));
  std::vector<Point> at{{3, 3, 3}, {3, 3, 5.01}, {5.1, 3, 3.2}, {9, 9, 9}, {9, 11.1, 9.1}, {3.2, 5.1, 3.1}};
  std::vector<Point> force{{0, 0, 1}, {1, 0, -1}, {0, 1, 0}, {0, 1, 1}, {0, -1, 0}, {1, -1, 0}}, u(at.size());
  const std::vector<std::int32_t> assembly{0, 1, 2, 3, 4, 5};
  const auto f = columns(force);
  const auto lubricated = [&](Mobility& mobility) {
    stokes::LubricatedMobility with_films(mobility, {.error = 1e-6});
    with_films(Cpu{}, positions_of(at), assembly, {f[0], f[1], f[2]}, columns(u));
    return u;
  };
  const auto right = lubricated(grid);
  CHECK(error_of(lubricated(pairs), right) < 1e-4);
  CHECK(error_of(velocities(pairs, at, force), right) > 0.05);
  // The box may be far longer than what it holds, but it holds it.
  Mobility roomy(free_spheres(SphereSum::pairs, 1e6, 1e-5));
  CHECK(error_of(lubricated(roomy), right) < 1e-4);
  at[3][0] = 14.5;
  CHECK_THROWS_WITH(lubricated(pairs), ContainsSubstring("1 of 6 spheres are outside of the box"));
}

TEST_CASE("rigid bodies move pair by pair as they do with a grid, and anywhere") {
  const stokes::Shell shell = stokes::sphere_shell(2, 1);
  const auto motions = [&](SphereSum sum, double offset) {
    Mobility mobility(free_spheres(sum, 16, 1e-5, shell.radius));
    std::vector<stokes::RigidShape> shapes;
    shapes.emplace_back(shell.beads, shell.radius);
    shapes.emplace_back(std::vector<geometry::Vector>{{0, 0, 0}}, shell.radius);
    stokes::RigidMobility bodies(mobility, std::move(shapes), 1e-6);
    const std::vector<stokes::RigidPlace> places{{0, {5 + offset, 5, 5}, geometry::random_rotation(0.2, 0.5, 0.9)},
                                                 {0, {9.5 + offset, 5, 6}, {}},
                                                 {1, {5 + offset, 5, 9}, {}}};
    const std::vector<stokes::Six> loads{{0, 0, 1, 0, 1, 0}, {1, 0, -1, 0, 0, 2}, {0, 0, -1, 0, 0, 0}};
    std::vector<stokes::Six> all(places.size());
    bodies(Cpu{}, places, loads, all);
    return all;
  };
  const auto right = motions(SphereSum::grid, 0), near = motions(SphereSum::pairs, 0),
             far = motions(SphereSum::pairs, 1024);
  for (std::size_t b = 0; b < right.size(); ++b)
    for (std::size_t k = 0; k < 6; ++k) {
      CHECK(near[b][k] == Approx(right[b][k]).margin(1e-4));
      CHECK(far[b][k] == Approx(near[b][k]).margin(1e-6));
    }
}

} // namespace corral::test
