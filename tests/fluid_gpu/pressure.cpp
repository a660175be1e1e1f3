#include "tests/catch.hpp"
#include "tests/fluid_gpu/pressure_on_device.hpp"
#include "tests/mppic_gpu/padding.cuh"
#include "tests/tolerance.hpp"

#include <corral/error.hpp>

#include <limits>
#include <string>

namespace corral::test {
namespace {

/// Both ended where the residual is small enough, from iterations that took as many steps.
void check_alike(Problem& p, const fluid::SolveOptions& options, const Solved& host, const Solved& device) {
  CHECK(host.result.converged);
  CHECK(device.result.converged);
  // Of a hundred and more iterations round-off in single precision takes some away or adds some.
  CHECK(device.result.iterations <= host.result.iterations + std::max(2, host.result.iterations / 20));
  Values b = p.b();
  p.remove_means(b);
  double largest = 0, apart = 0, square = 0, b_square = 0;
  for (std::int64_t c = 0; c < p.count(); ++c) {
    largest = std::max(largest, std::abs(host.x[c]));
    apart = std::max(apart, std::abs(host.x[c] - device.x[c]));
    const double r = b[c] - p.row(device.x, c);
    square += r * r;
    b_square += b[c] * b[c];
    if (p.blocked(c)) CHECK(device.x[c] == 0);
  }
  CHECK(apart <= 1e3 * options.relative * largest);
  CHECK(std::sqrt(square) <= options.relative * std::sqrt(b_square) + round_off_of_product(p.kind(), largest));
  for (const auto& part : p.unpinned()) {
    double sum = 0;
    for (const std::int64_t c : part) sum += device.x[c];
    CHECK(std::abs(sum) <= static_cast<double>(part.size()) * round_off(p.count()) * largest);
  }
}

/// Cells of a grid in plain order.
Values plain(const fluid::multigrid::Level& l, const Array<float>& of) {
  std::vector<float> values(static_cast<std::size_t>(of.size()));
  of.copy_to(values);
  Values cells;
  for (std::int64_t c = 0; c < l.cell_count(); ++c)
    cells.push_back(values[l.row(c / l.cells[0] % l.cells[1], c / (l.cells[0] * l.cells[1])) + l.place(c % l.cells[0])]);
  return cells;
}

void check_same_grids(Problem& p) {
  fluid::multigrid::Hierarchy host(p.kind().cells, p.kind().periodic),
      device(p.kind().cells, p.kind().periodic, Memory::device);
  const Sent sent(p);
  host.set_coefficients(Cpu{}, p.coefficients());
  device.set_coefficients(Gpu{}, sent.coefficients());
  REQUIRE(host.level_count() == device.level_count());
  for (std::size_t l = 0; l < host.level_count(); ++l) {
    INFO("grid " << l);
    fluid::multigrid::Level &one = host.level(l), &other = device.level(l);
    REQUIRE(one.cells == other.cells);
    CHECK(one.factor == other.factor);
    const bool last = l + 1 == host.level_count();
    CHECK(plain(one, one.reaction) == plain(other, other.reaction));
    if (!last) CHECK(plain(one, one.inverse) == plain(other, other.inverse));
    for (std::size_t d = 0; d < 3; ++d) {
      CHECK(plain(one, one.face[d]) == plain(other, other.face[d]));
      CHECK(plain(one, one.weight[d]) == plain(other, other.weight[d]));
    }
  }
}

TEST_CASE("a device solves every sort of pressure equation as the host does") {
  const PaddingHoldsAnything padding;
  for (const ProblemKind& kind : device_problem_kinds()) {
    INFO(kind.name);
    Problem p(kind);
    const Values guess = some_guess(p);
    const fluid::SolveOptions options{kind.contrast > 1e5 ? 1e-7 : 1e-10, 0, 200}; // beyond, round-off rules
    check_alike(p, options, by_host(p, guess, options), by_device(p, guess, options));
  }
}

TEST_CASE("grids of a device have the host's coefficients to the bit") {
  const PaddingHoldsAnything padding;
  for (const ProblemKind& kind : device_problem_kinds()) {
    INFO(kind.name);
    Problem p(kind);
    if (kind.cells[0] > 1) check_same_grids(p); // else the solver turns its axes
    if (kind.cells[0] != 13) continue;
    for (std::size_t d = 0; d < 3; ++d)
      for (double& b : p.face(d)) b *= 1e20;
    check_same_grids(p);
  }
}

TEST_CASE("one solver on a device serves coefficients that change") {
  const PaddingHoldsAnything padding;
  ProblemKind kind{"", {14, 12, 11}, {false, false, true}, 2};
  fluid::PressureSolver solver(kind.cells, kind.periodic, Memory::device);
  for (int turn = 0; turn < 9; ++turn) {
    INFO(turn);
    kind.blocked = turn % 3 == 1;  // parts come and go
    kind.open_top = turn % 4 == 2; // a whole part is pinned and is not
    kind.contrast = turn % 2 == 0 ? 2 : 1000;
    kind.flatness = turn == 7 ? 10 : 1; // other grids
    kind.diagonal = turn == 8;
    Problem p(kind);
    const Values guess = some_guess(p);
    const Solved device = by_device(solver, p, guess);
    check_alike(p, to_ten_digits, by_host(p, guess), device);
    CHECK(device == by_device(p, guess)); // of what was there before nothing shows
  }
}

TEST_CASE("a pressure equation of diagonals alone, and one of nothing, are solved on a device") {
  const PaddingHoldsAnything padding;
  for (const std::int64_t n : {3, 7}) { // few enough to be solved directly, and not
    Problem p({"", {n, n, n}, {false, false, false}, 2, false, false, true});
    for (std::size_t d = 0; d < 3; ++d) std::fill(p.face(d).begin(), p.face(d).end(), 0.0);
    const double* const diagonal = p.coefficients().diagonal;
    const Solved s = by_device(p, some_guess(p));
    CHECK(s.result.converged == by_host(p, some_guess(p)).result.converged);
    for (std::int64_t c = 0; c < p.count(); ++c)
      CHECK(s.x[c] == (diagonal[c] > 0 ? Approx(p.b()[c] / diagonal[c]).epsilon(1e-9) : Approx(0).margin(0)));
    const Sent sent(p);
    fluid::PressureSolver solver(p.kind().cells, p.kind().periodic, Memory::device);
    solver.set_coefficients(Gpu{}, {sent.coefficients().b, nullptr});
    Array<double> x = on_device(some_guess(p));
    CHECK(solver.solve(Gpu{}, sent.b.data(), x.data(), to_ten_digits).converged);
    CHECK(x.values() == Values(static_cast<std::size_t>(p.count()), 0.0));
  }
}

TEST_CASE("what ends a solve on a device is what ends it on the host") {
  const PaddingHoldsAnything padding;
  Problem p({"", {9, 8, 7}, {false, false, false}, 1000, true, true});
  const Values zeros(static_cast<std::size_t>(p.count()), 0.0), guess = some_guess(p);
  for (const fluid::SolveOptions& options :
       {fluid::SolveOptions{0, 1e-6, 200}, {1e-2, 1e-9, 200}, {1e-10, 0, 3}, {1e-10, 0, 0}, {1e-30, 0, 60}}) {
    const Solved host = by_host(p, guess, options), device = by_device(p, guess, options);
    INFO(options.relative << ", " << options.absolute_max << ", " << options.max_iterations);
    CHECK(device.result.converged == host.result.converged);
    CHECK(device.result.iterations <= std::min(host.result.iterations + 2, options.max_iterations));
    if (options.max_iterations < 10) {
      CHECK(device.result.iterations == host.result.iterations);
      CHECK(device.result.residual_max == Approx(host.result.residual_max).epsilon(1e-3));
      CHECK(device.result.residual_relative == Approx(host.result.residual_relative).epsilon(1e-3));
    }
    if (options.relative == 1e-30) { // more than round-off lets be: as good as it can be
      CHECK(host.result.residual_relative < 1e-11);
      CHECK(device.result.residual_relative < 1e-11);
    }
  }
  const Solved solved = by_device(p, guess);
  CHECK(by_device(p, solved.x, {2e-10, 0, 200}).result.iterations == 0);
  Problem nothing({"", {9, 8, 7}, {false, false, false}, 1000, true, true});
  std::fill(nothing.b().begin(), nothing.b().end(), 0.0);
  const Solved none = by_device(nothing, guess);
  CHECK(none.result.converged);
  CHECK(none.result.residual_relative == 0);
  CHECK(none.x == zeros);
}

TEST_CASE("what is wrong with a pressure equation is refused on a device as on the host") {
  const PaddingHoldsAnything padding;
  const std::array<std::int64_t, 3> cells{6, 5, 4};
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  using Catch::Matchers::ContainsSubstring;
  for (const bool open : {false, true}) {
    for (const double wrong : {inf, nan}) {
      Problem p({"", cells, {false, false, false}, 2, open, open});
      p.b()[31] = wrong;
      const Solved s = by_device(p, some_guess(p));
      CHECK(!s.result.converged);
      CHECK(s.result.iterations == 0);
      p.b()[31] = 1;
      Values guess = some_guess(p);
      guess[40] = wrong;
      CHECK(by_device(p, guess).result.converged == by_host(p, guess).result.converged);
    }
    for (const double wrong : {-1.0, inf, nan})
      for (std::size_t where = 0; where < 4; ++where) {
        Problem p({"", cells, {false, false, false}, 2, open, false, true});
        Values diagonal(p.coefficients().diagonal, p.coefficients().diagonal + p.count());
        (where < 3 ? p.face(where).back() : diagonal.back()) = wrong;
        const Sent sent(p);
        const Array<double> of_cells = on_device(diagonal);
        fluid::PressureSolver solver(cells, p.kind().periodic, Memory::device);
        CHECK_THROWS_WITH(solver.set_coefficients(Gpu{}, {sent.coefficients().b, of_cells.data()}),
                          ContainsSubstring("pressure coefficients are negative or not finite"));
      }
  }
  Problem p({"", cells, {false, false, false}});
  const Sent sent(p);
  fluid::PressureSolver host(cells, p.kind().periodic), device(cells, p.kind().periodic, Memory::device);
  Array<double> x = on_device(some_guess(p));
  CHECK_THROWS_WITH(device.solve(Gpu{}, sent.b.data(), x.data(), to_ten_digits), ContainsSubstring("without coefficients"));
  CHECK_THROWS_WITH(host.set_coefficients(Gpu{}, sent.coefficients()), ContainsSubstring("on the host"));
  CHECK_THROWS_WITH(device.set_coefficients(Cpu{}, p.coefficients()), ContainsSubstring("on a device"));
  device.set_coefficients(Gpu{}, sent.coefficients());
  CHECK_THROWS_WITH(device.solve(Gpu{}, sent.b.data(), x.data(), {}), ContainsSubstring("stopping criterion"));
  CHECK_THROWS_WITH(device.solve(Cpu{}, p.b().data(), p.b().data(), to_ten_digits), ContainsSubstring("on a device"));
  CHECK_THROWS_WITH(fluid::PressureSolver({2000, 2000, 2000}, {false, false, false}, Memory::device),
                    ContainsSubstring("places have 31 bits"));
}

} // namespace
} // namespace corral::test
