#include "fluid/pressure/pressure.hpp"

#include "bench/pressure/bubbling_bed.hpp"
#include "tests/catch.hpp"
#include "tests/fluid/pressure_problem.hpp"
#include "tests/sanitized.hpp"
#include "tests/tolerance.hpp"

#include <corral/error.hpp>

#include <array>
#include <limits>
#include <memory>
#include <vector>

using namespace corral;
using bench::BubblingBed;
using test::Problem;

namespace {

using Values = std::vector<double>;

struct Solved {
  fluid::SolveResult result;
  Values x;
};

Solved solve(const Problem& p, const fluid::SolveOptions& options = {1e-10, 0, 200}) {
  Solved s{{}, Values(static_cast<std::size_t>(p.count()), 0.0)};
  fluid::PressureSolver solver(p.kind().cells, p.kind().periodic);
  solver.set_coefficients(Cpu{}, p.coefficients());
  s.result = solver.solve(Cpu{}, p.b().data(), s.x.data(), options);
  return s;
}

fluid::SolveResult solve(const BubblingBed& bed) {
  const auto n = bed.cells();
  Array<double> x(n[0] * n[1] * n[2], 0.0);
  fluid::PressureSolver solver(n, {false, false, false});
  solver.set_coefficients(Cpu{}, {bed.faces(), nullptr});
  return solver.solve(Cpu{}, bed.rhs(), x.data(), {1e-8, 0, 200});
}

} // namespace

TEST_CASE("a column of four cells with an outlet is solved as by hand", "[pressure]") {
  // Unit sources leave through the right: 1, 2, 3 and 4 pass the faces, of coefficients 1, 1, 1 and 2.
  const Values bx{0, 1, 1, 1, 2}, closed(8, 0.0), b(4, 1.0);
  Values x(4, 0.0);
  fluid::PressureSolver solver({4, 1, 1}, {false, false, false});
  solver.set_coefficients(Cpu{}, {{bx.data(), closed.data(), closed.data()}, nullptr});
  const auto result = solver.solve(Cpu{}, b.data(), x.data(), {1e-14, 0, 20});
  CHECK(result.converged);
  const Values expected{8, 7, 5, 2};
  for (std::size_t c = 0; c < 4; ++c) CHECK(std::abs(x[c] - expected[c]) <= test::round_off(4) * expected[0]);
}

TEST_CASE("a closed column of three cells gets the solution of zero mean", "[pressure]") {
  const Values bx{0, 1, 1, 0}, closed(6, 0.0), b{5, 2, 2}; // the mean of b, 3, is taken away
  Values x{7, 7, 7};
  fluid::PressureSolver solver({3, 1, 1}, {false, false, false});
  solver.set_coefficients(Cpu{}, {{bx.data(), closed.data(), closed.data()}, nullptr});
  CHECK(solver.solve(Cpu{}, b.data(), x.data(), {1e-14, 0, 20}).converged);
  const Values expected{5.0 / 3, -1.0 / 3, -4.0 / 3};
  for (std::size_t c = 0; c < 3; ++c) CHECK(std::abs(x[c] - expected[c]) <= test::round_off(9) * 2);
}

TEST_CASE("one cell is solved", "[pressure]") {
  for (const double outlet : {0.0, 2.0}) {
    const Values closed(2, 0.0), bz{0, outlet}, b{3.0};
    Values x{1.0};
    fluid::PressureSolver solver({1, 1, 1}, {false, false, false});
    solver.set_coefficients(Cpu{}, {{closed.data(), closed.data(), bz.data()}, nullptr});
    CHECK(solver.solve(Cpu{}, b.data(), x.data(), {1e-14, 0, 20}).converged);
    CHECK(x[0] == (outlet > 0 ? 1.5 : 0.0));
  }
}

TEST_CASE("the residual reported is that of the equation", "[pressure][values]") {
  for (const test::ProblemKind& kind : test::problem_kinds()) {
    INFO(kind.name);
    const Problem p(kind);
    const Solved s = solve(p);
    Values b = p.b();
    p.remove_means(b);
    double square = 0, max = 0, b_square = 0, part_mean = 0, largest = 0;
    for (std::int64_t c = 0; c < p.count(); ++c) {
      const double r = b[c] - p.row(s.x, c);
      square += r * r;
      max = std::max(max, std::abs(r));
      b_square += b[c] * b[c];
      largest = std::max(largest, std::abs(s.x[c]));
      if (p.blocked(c)) CHECK(s.x[c] == 0);
    }
    for (const auto& part : p.unpinned()) {
      double sum = 0;
      for (const std::int64_t c : part) sum += s.x[c];
      part_mean = std::max(part_mean, std::abs(sum) / static_cast<double>(part.size()));
    }
    CHECK(s.result.converged);
    // Both residuals err by the round-off of A x, which is more than that of the residual itself.
    const double noise = test::round_off_of_product(kind, largest);
    CHECK(std::sqrt(square) <= 1e-10 * std::sqrt(b_square) + noise);
    CHECK(std::abs(max - s.result.residual_max) <= noise);
    CHECK(part_mean <= test::round_off(p.count()) * largest);
  }
}

TEST_CASE("a V-cycle is symmetric", "[pressure]") {
  for (const test::ProblemKind& kind : test::problem_kinds()) {
    INFO(kind.name);
    const Problem p(kind);
    fluid::multigrid::Hierarchy hierarchy(kind.cells, kind.periodic);
    hierarchy.set_coefficients(Cpu{}, p.coefficients());
    fluid::multigrid::Level& fine = hierarchy.finest();
    test::Random random(5);
    auto place = [&](std::int64_t c) {
      const auto n = kind.cells;
      return fine.row(c / n[0] % n[1], c / (n[0] * n[1])) + fine.place(c % n[0]);
    };
    std::array<Values, 2> v, mv;
    for (std::size_t side = 0; side < 2; ++side) {
      for (std::int64_t c = 0; c < p.count(); ++c) v[side].push_back(random() - 0.5);
      p.remove_means(v[side]);
      for (std::int64_t c = 0; c < p.count(); ++c)
        fine.b[place(c)] = static_cast<float>(v[side][c]);
      hierarchy.cycle(Cpu{});
      for (std::int64_t c = 0; c < p.count(); ++c) mv[side].push_back(static_cast<double>(fine.x[place(c)]));
      p.remove_means(mv[side]); // constants, which A does not see, may be anything
    }
    double left = 0, right = 0, terms = 0, positive = 0;
    for (std::size_t c = 0; c < v[0].size(); ++c) {
      left += v[0][c] * mv[1][c];
      right += v[1][c] * mv[0][c];
      terms += std::abs(v[0][c] * mv[1][c]) + std::abs(v[1][c] * mv[0][c]);
      positive += v[0][c] * mv[0][c];
    }
    CHECK(positive > 0);
    CHECK(std::abs(left - right) <= test::round_off<float>(64) * terms);
  }
}

TEST_CASE("on a uniform periodic grid every cell interpolates alike", "[pressure]") {
  const std::int64_t n = 8;
  const Values b(n * n * n, 1.0);
  fluid::multigrid::Hierarchy hierarchy({n, n, n}, {true, true, true});
  hierarchy.set_coefficients(Cpu{}, {{b.data(), b.data(), b.data()}, nullptr});
  const fluid::multigrid::Level& fine = hierarchy.finest();
  for (std::size_t d = 0; d < 3; ++d)
    for (std::int64_t c = 0; c < n * n * n; ++c)
      CHECK(fine.weight[d][fine.row(c / n % n, c / (n * n)) + fine.place(c % n)] == 0.25f);
}

TEST_CASE("iterations hardly depend on the size", "[pressure][values][physics]") {
  for (const std::int64_t n : test::races_sought ? std::vector{8, 17, 32} : std::vector{8, 16, 17, 27, 32, 33, 48, 53, 64}) {
    INFO(n);
    for (const auto top : {BubblingBed::Top::closed, BubblingBed::Top::open}) {
      CHECK(solve(BubblingBed(n, top, 0)).iterations <= 10);
      CHECK(solve(BubblingBed(n, top, 1e-3)).iterations <= 30);
    }
  }
}

TEST_CASE("flat cells, long boxes and periodic ones converge like cubes", "[pressure][values][physics]") {
  using N = std::array<std::int64_t, 3>;
  for (const auto& [cells, flatness] : {std::pair{N{48, 48, 48}, 10.0}, {N{48, 48, 48}, 0.1}, {N{15, 1, 450}, 1.0},
                                        {N{300, 7, 5}, 1.0}, {N{31, 31, 62}, 2.0}}) {
    test::ProblemKind kind{"", cells, {false, false, false}, 2, true};
    kind.flatness = flatness;
    INFO(cells[0] << " x " << cells[1] << " x " << cells[2] << ", flatness " << flatness);
    CHECK(solve(Problem(kind), {1e-8, 0, 200}).result.iterations <= 15);
  }
  for (const std::int64_t n : {32, 33, 48})
    for (const std::array<bool, 3> periodic : {std::array{true, true, false}, {true, true, true}, {false, true, true}})
      CHECK(solve(Problem({"", {n, n, n}, periodic}), {1e-8, 0, 200}).result.iterations <= 12);
}

TEST_CASE("bits do not depend on the number of threads", "[pressure]") {
  for (const test::ProblemKind& kind :
       {test::ProblemKind{"", {40, 41, 43}, {false, false, false}, 1000, true},
        test::ProblemKind{"", {45, 35, 33}, {true, true, true}, 2},
        test::ProblemKind{"", {33, 40, 31}, {false, true, true}, 2, false, true, true}}) {
    const Problem p(kind);
    Values one;
    run_with_threads(1, [&] { one = solve(p).x; });
    for (const int threads : test::sanitized ? test::thread_counts : test::some_threads)
      run_with_threads(threads, [&] { CHECK(solve(p).x == one); });
  }
}

TEST_CASE("a solver carries nothing over from earlier coefficients", "[pressure][values]") {
  const std::array<std::int64_t, 3> cells{20, 21, 22};
  const Problem closed({"", cells}), blocked({"", cells, {}, 1000, true, true});
  test::ProblemKind flat_kind{"", cells};
  flat_kind.flatness = 10;
  const Problem flat(flat_kind);
  fluid::PressureSolver used(cells, {false, false, false});
  for (const Problem* p : {&closed, &blocked, &flat, &closed, &flat, &blocked}) {
    Values x(static_cast<std::size_t>(p->count()), 0.0);
    used.set_coefficients(Cpu{}, p->coefficients());
    used.solve(Cpu{}, p->b().data(), x.data(), {1e-10, 0, 200});
    CHECK(x == solve(*p).x);
  }
}

TEST_CASE("solvers that share memory take turns, and carry nothing over from each other", "[pressure][values]") {
  const std::array<std::int64_t, 3> cells{20, 21, 22};
  test::ProblemKind flat_kind{"", cells};
  flat_kind.flatness = 10;
  const std::array problems{Problem({"", cells}), Problem({"", cells, {}, 1000, true, true}), Problem(flat_kind)};
  const auto memory = std::make_shared<fluid::PressureMemory>(cells, std::array{false, false, false});
  std::array solvers{fluid::PressureSolver(memory), fluid::PressureSolver(memory), fluid::PressureSolver(memory)};
  std::int64_t held = 0;
  for (int round = 0; round < 3; ++round)
    for (std::size_t k = 0; k < 3; ++k) {
      const Problem& p = problems[k];
      Values x(static_cast<std::size_t>(p.count()), 0.0);
      solvers[k].set_coefficients(Cpu{}, p.coefficients());
      CHECK_THROWS_WITH(solvers[(k + 1) % 3].solve(Cpu{}, p.b().data(), x.data(), {1e-10, 0, 200}),
                        Catch::Matchers::ContainsSubstring("coefficients"));
      solvers[k].solve(Cpu{}, p.b().data(), x.data(), {1e-10, 0, 200});
      CHECK(x == solve(p).x);
      if (round == 1 && k == 2) held = memory_use(Memory::host).held;
    }
  CHECK(memory_use(Memory::host).held == held); // though their grids are coarsened along other axes
}

TEST_CASE("the unit of coefficients and right-hand side does not matter", "[pressure]") {
  const test::ProblemKind kind{"", {17, 16, 15}, {false, false, false}, 1000, true};
  const Problem p(kind);
  for (const double unit : {1e-60, 1e60}) { // far outside single precision
    Problem scaled(kind);
    for (std::size_t d = 0; d < 3; ++d)
      for (double& f : scaled.face(d)) f *= unit;
    for (double& b : scaled.b()) b *= unit;
    const Solved s = solve(scaled), expected = solve(p);
    CHECK(s.result.converged);
    CHECK(std::abs(s.result.iterations - expected.result.iterations) <= 2);
  }
}

TEST_CASE("a zero right-hand side gives zero", "[pressure]") {
  Problem p({"", {9, 8, 7}, {false, false, false}, 2, true});
  std::fill(p.b().begin(), p.b().end(), 0.0);
  const Solved s = solve(p);
  CHECK(s.result.converged);
  CHECK(s.result.iterations == 0);
  CHECK(s.x == Values(s.x.size(), 0.0));
}

TEST_CASE("values that are not finite end the solve", "[pressure]") {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Problem p({"", {9, 8, 7}});
    p.b()[100] = bad;
    CHECK_FALSE(solve(p).result.converged);
  }
  const Problem p({"", {9, 8, 7}});
  Values x(static_cast<std::size_t>(p.count()), std::numeric_limits<double>::quiet_NaN());
  fluid::PressureSolver solver(p.kind().cells, p.kind().periodic);
  solver.set_coefficients(Cpu{}, p.coefficients());
  CHECK_FALSE(solver.solve(Cpu{}, p.b().data(), x.data(), {1e-8, 0, 200}).converged);
}

TEST_CASE("every criterion given must hold", "[pressure]") {
  const Problem p({"", {16, 16, 16}, {false, false, false}, 2, true});
  const auto loose = solve(p, {1e-2, 0, 200}).result, tight = solve(p, {1e-2, 1e-9, 200}).result;
  CHECK(loose.residual_relative <= 1e-2);
  CHECK(loose.residual_max > 1e-9);
  CHECK(tight.residual_max <= 1e-9);
  const auto short_of = solve(p, {1e-10, 0, 3}).result;
  CHECK_FALSE(short_of.converged);
  CHECK(short_of.iterations == 3);
}

TEST_CASE("iterations past round-off do no harm", "[pressure][values]") {
  for (const test::ProblemKind& kind : test::problem_kinds()) {
    INFO(kind.name);
    const Problem p(kind);
    Values x(static_cast<std::size_t>(p.count()), 0.0);
    fluid::PressureSolver solver(kind.cells, kind.periodic);
    solver.set_coefficients(Cpu{}, p.coefficients());
    const auto result = solver.solve(Cpu{}, p.b().data(), x.data(), {1e-30, 0, test::races_sought ? 50 : 100});
    CHECK_FALSE(result.converged);
    const double largest = std::abs(*std::max_element(x.begin(), x.end(), [](double a, double b) {
      return std::abs(a) < std::abs(b);
    }));
    CHECK(result.residual_max <= test::round_off_of_product(kind, largest));
  }
}

TEST_CASE("a good guess saves iterations", "[pressure]") {
  const Problem p({"", {16, 16, 16}, {false, false, false}, 2, true});
  Solved s = solve(p);
  fluid::PressureSolver solver(p.kind().cells, p.kind().periodic);
  solver.set_coefficients(Cpu{}, p.coefficients());
  CHECK(solver.solve(Cpu{}, p.b().data(), s.x.data(), {1e-9, 0, 200}).iterations == 0);
}

TEST_CASE("what cannot be solved is refused", "[pressure]") {
  Problem p({"", {5, 4, 3}});
  Values x(60, 0.0);
  fluid::PressureSolver solver({5, 4, 3}, {false, false, false});
  CHECK_THROWS_AS(solver.solve(Cpu{}, p.b().data(), x.data(), {1e-8, 0, 10}), Error);
  solver.set_coefficients(Cpu{}, p.coefficients());
  CHECK_THROWS_AS(solver.solve(Cpu{}, p.b().data(), x.data(), {0, 0, 10}), Error);
  CHECK_THROWS_AS(fluid::PressureSolver({5, 0, 3}, {false, false, false}), Error);
  for (const double bad : {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (std::size_t d = 0; d < 3; ++d)
      for (const std::size_t at : {std::size_t{1}, p.face(d).size() - 1}) {
        const double good = p.face(d)[at];
        p.face(d)[at] = bad;
        CHECK_THROWS_AS(solver.set_coefficients(Cpu{}, p.coefficients()), Error);
        p.face(d)[at] = good;
      }
}
