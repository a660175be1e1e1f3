#include "bench/pressure/hypre_struct.hpp"
#include "tests/catch.hpp"
#include "tests/fluid/pressure_problem.hpp"

using namespace corral;
using test::Problem;

namespace {

/// hypre's solution to a relative residual of 1e-12, means removed. One cell of each unpinned part is pinned: with
/// a right-hand side of zero mean that changes the solution by a constant only.
std::vector<double> solve_with_hypre(const Problem& p, bench::HypreSolver::Preconditioner preconditioner) {
  static const bench::HypreLibrary library;
  const auto n = static_cast<std::size_t>(p.count());
  fluid::FaceCoefficients a = p.coefficients();
  std::vector<double> b = p.b(), x(n, 0.0), diagonal(n, 0.0);
  p.remove_means(b);
  if (a.diagonal) diagonal.assign(a.diagonal, a.diagonal + n);
  for (const auto& part : p.unpinned()) diagonal[static_cast<std::size_t>(part.front())] += 1.0;
  a.diagonal = diagonal.data();
  bench::HypreSolver solver(p.kind().cells, p.kind().periodic, preconditioner);
  solver.set_coefficients(a, 0.0, 1e-12, 5000);
  solver.solve(b.data(), x.data());
  p.remove_means(x);
  return x;
}

} // namespace

TEST_CASE("pressure agrees with hypre", "[pressure]") {
  for (const test::ProblemKind& kind : test::problem_kinds()) {
    INFO(kind.name);
    const Problem p(kind);
    std::vector<double> x(static_cast<std::size_t>(p.count()), 0.0);
    fluid::PressureSolver solver(kind.cells, kind.periodic);
    solver.set_coefficients(Cpu{}, p.coefficients());
    const auto result = solver.solve(Cpu{}, p.b().data(), x.data(), {1e-12, 0, 200});
    CHECK(result.iterations <= 60);

    // PFMG wants periodic axes that can be halved to the end, and fails beside blocked cells.
    const bool periodic = kind.periodic[0] || kind.periodic[1] || kind.periodic[2];
    using enum bench::HypreSolver::Preconditioner;
    const std::vector<double> expected = solve_with_hypre(p, periodic || kind.blocked ? diagonal : pfmg);
    double largest = 0, difference = 0;
    for (std::size_t c = 0; c < x.size(); ++c) {
      largest = std::max(largest, std::abs(expected[c]));
      difference = std::max(difference, std::abs(x[c] - expected[c]));
    }
    // Both residuals are 1e-12 of the right-hand side; 1e4 bounds what the conditioning makes of that here.
    const double tolerance = 1e4 * 1e-12;
    INFO("iterations " << result.iterations << ", difference " << difference << " of " << largest);
    CHECK(largest > 0);
    // Where the solution is large, round-off of A x keeps the true residual above 1e-12.
    CHECK((result.converged || result.residual_max <= test::round_off_of_product(kind, largest)));
    CHECK(difference <= tolerance * largest);
  }
}
