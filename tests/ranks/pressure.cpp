#include "tests/catch.hpp"

#include "distributed/make_team.hpp"
#include "fluid/pressure/pressure.hpp"
#include "tests/fluid/pressure_problem.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

/// A pressure solver whose planes ranks share beside one of one process, which every rank has, too.
namespace corral::test {
namespace {

using fluid::PressureMemory;
using fluid::PressureSolver;

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// What a rank knows of values over planes of `plane` each: those of [begin, end).
std::vector<double> known(std::vector<double> values, std::int64_t plane, std::int64_t begin, std::int64_t end) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto k = static_cast<std::int64_t>(i) / plane;
    if (k < begin || k >= end) values[i] = unknown;
  }
  return values;
}

struct Solved {
  std::vector<double> x;
  fluid::SolveResult result;
};

Solved solved(PressureSolver& solver, const fluid::FaceCoefficients& a, const std::vector<double>& b, std::vector<double> x) {
  solver.set_coefficients(Cpu{}, a);
  const fluid::SolveResult result = solver.solve(Cpu{}, b.data(), x.data(), {.relative = 1e-9, .max_iterations = 200});
  return {std::move(x), result};
}

/// The problem as a rank has it: of others' planes it knows nothing.
Solved solved_with_others(PressureSolver& solver, const fluid::Planes& planes, Problem& problem, const std::vector<double>& guess) {
  const auto cells = problem.kind().cells;
  const auto periodic = problem.kind().periodic;
  const std::int64_t nx = cells[0], ny = cells[1], begin = planes.begin(), end = planes.end();
  std::array<std::vector<double>, 3> faces;
  const std::array<std::int64_t, 3> plane{(nx + !periodic[0]) * ny, nx * (ny + !periodic[1]), nx * ny};
  for (std::size_t d = 0; d < 3; ++d) {
    faces[d] = known(problem.face(d), plane[d], begin, end + (d == 2));
    if (d == 2 && periodic[2] && end == cells[2]) std::copy_n(problem.face(2).begin(), nx * ny, faces[2].begin());
  }
  const double* all = problem.coefficients().diagonal;
  std::vector<double> diagonal;
  if (all) diagonal = known({all, all + problem.count()}, nx * ny, begin, end);
  return solved(solver, {{faces[0].data(), faces[1].data(), faces[2].data()}, all ? diagonal.data() : nullptr},
                known(problem.b(), nx * ny, begin, end), known(guess, nx * ny, begin, end));
}

std::vector<ProblemKind> kinds() {
  using Cells = std::array<std::int64_t, 3>;
  const Cells bed{24, 20, 80}, odd{21, 19, 77}, flat{40, 1, 96}, cube{32, 32, 32};
  return {{.name = "closed", .cells = bed},
          {.name = "open", .cells = odd, .contrast = 1000, .open_top = true},
          {.name = "periodic with seams", .cells = odd, .periodic = {true, true, true}, .contrast = 500},
          {.name = "in parts, periodic", .cells = odd, .periodic = {false, false, true}, .blocked = true},
          {.name = "diagonal", .cells = bed, .periodic = {true, false, false}, .diagonal = true},
          {.name = "flat cells", .cells = cube, .open_top = true, .flatness = 6},
          {.name = "quasi two-dimensional", .cells = flat, .open_top = true},
          {.name = "few planes", .cells = {40, 40, 13}, .contrast = 300}};
}

} // namespace

TEST_CASE("A pressure solve that ranks share has the bits of one process, and asks for no other rank's coefficients") {
  const auto team = distributed::make_team(distributed::Ranks::world());
  for (const ProblemKind& kind : kinds()) {
    INFO(kind.name);
    Problem problem(kind);
    const auto memory = std::make_shared<PressureMemory>(kind.cells, kind.periodic);
    memory->share_with(*team, 0);
    CHECK(memory->planes().shared() == (team->size() > 1));
    PressureSolver with_others(memory), alone(kind.cells, kind.periodic);
    Random random(7);
    std::vector<double> guess(static_cast<std::size_t>(problem.count()));
    for (double& x : guess) x = random() - 0.5;
    for (int solves = problem.count() > 10000 ? 1 : 2; solves > 0; --solves) {
      const Solved one = solved(alone, problem.coefficients(), problem.b(), guess);
      const Solved many = solved_with_others(with_others, memory->planes(), problem, guess);
      CHECK(one.result.converged);
      CHECK(many.result.iterations == one.result.iterations);
      CHECK(many.result.residual_max == one.result.residual_max);
      CHECK(std::memcmp(many.x.data(), one.x.data(), one.x.size() * sizeof(double)) == 0);
      for (double& value : problem.b()) value *= 1 + random(); // the next one finds what this one left
    }
  }
}

TEST_CASE("Coefficients of one rank that are refused are so on all of them") {
  const auto team = distributed::make_team(distributed::Ranks::world());
  const ProblemKind kind{.name = "closed", .cells = {16, 16, 64}};
  Problem problem(kind);
  const auto memory = std::make_shared<PressureMemory>(kind.cells, kind.periodic);
  memory->share_with(*team, 0);
  PressureSolver solver(memory);
  if (team->rank() == 0) problem.face(1)[5] = -1;
  CHECK_THROWS_AS(solver.set_coefficients(Cpu{}, problem.coefficients()), Error);
}

/// The table of docs/pressure_solver.md: mpirun -n RANKS test_fluid_over_ranks "[solves]".
TEST_CASE("what solves cost over ranks", "[.][solves]") {
  const auto team = distributed::make_team(distributed::Ranks::world());
  for (const std::array<std::int64_t, 3>& cells : {std::array<std::int64_t, 3>{30, 30, 90}, {64, 64, 64}, {128, 128, 128}}) {
    Problem problem({.name = "bed", .cells = cells, .contrast = 300, .open_top = true});
    const auto memory = std::make_shared<PressureMemory>(cells, std::array<bool, 3>{});
    memory->share_with(*team, 0);
    PressureSolver solver(memory);
    std::vector<double> coefficients, iterations;
    for (int again = 0; again < 5; ++again) {
      using Clock = std::chrono::steady_clock;
      std::vector<double> x(problem.b().size());
      team->maximum(0); // all begin together
      const auto begin = Clock::now();
      solver.set_coefficients(Cpu{}, problem.coefficients());
      const auto set = Clock::now();
      const fluid::SolveResult result = solver.solve(Cpu{}, problem.b().data(), x.data(), {.relative = 1e-9});
      const std::chrono::duration<double, std::milli> first = set - begin, then = Clock::now() - set;
      coefficients.push_back(team->maximum(first.count()));
      iterations.push_back(team->maximum(then.count()) / result.iterations);
    }
    for (std::vector<double>* times : {&coefficients, &iterations}) std::nth_element(times->begin(), times->begin() + 2, times->end());
    if (team->rank() == 0)
      std::printf("%d ranks, %lld x %lld x %lld: coefficients %.2f ms, an iteration %.2f ms\n", team->size(), static_cast<long long>(cells[0]),
                  static_cast<long long>(cells[1]), static_cast<long long>(cells[2]), coefficients[2], iterations[2]);
  }
}

TEST_CASE("Small boxes, and those of few planes, are not shared") {
  const auto team = distributed::make_team(distributed::Ranks::world());
  PressureMemory small({16, 16, 64}, {}), flat({200, 200, 1}, {}), turned({1, 300, 300}, {}), large({32, 32, 32}, {});
  for (PressureMemory* memory : {&small, &flat, &turned, &large}) memory->share_with(*team);
  CHECK_FALSE(small.planes().shared());
  CHECK_FALSE(flat.planes().shared());
  CHECK_FALSE(turned.planes().shared());
  CHECK(large.planes().shared() == (team->size() > 1));
}

TEST_CASE("Cuts leave each rank planes, nearly as many as others, and lie between pairs of coarse grids") {
  for (std::int64_t ranks = 2; ranks < 40; ++ranks)
    for (std::int64_t planes = 1; planes < 400; planes += 7) {
      INFO(planes << " planes on " << ranks << " ranks");
      const fluid::PlaneCut cut = fluid::cut_planes(planes, ranks);
      CHECK(cut.first.empty() == (planes < 2 * ranks));
      if (cut.first.empty()) continue;
      REQUIRE(cut.first.size() == static_cast<std::size_t>(ranks) + 1);
      CHECK(cut.first.front() == 0);
      CHECK(cut.first.back() == planes);
      for (std::size_t r = 0; r < static_cast<std::size_t>(ranks); ++r) {
        CHECK(cut.first[r] % (2 * cut.deepest) == 0);
        const std::int64_t own = cut.first[r + 1] - cut.first[r];
        CHECK(own >= 2 * cut.deepest);
        CHECK(own <= std::max(planes / ranks + 3, static_cast<std::int64_t>(1.05 * static_cast<double>(planes) / static_cast<double>(ranks))));
      }
    }
}

} // namespace corral::test
