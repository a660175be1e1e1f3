#pragma once

#include "fluid/pressure/pressure.hpp"
#include "tests/fluid/pressure_problem.hpp"
#include "tests/fluid_gpu/on_device.hpp"

#include <corral/array.hpp>

#include <algorithm>
#include <vector>

/// Pressure equations on a device, beside the same on the host.
namespace corral::test {

using Values = std::vector<double>;

inline constexpr fluid::SolveOptions to_ten_digits{1e-10, 0, 200};

/// A problem's arrays on the device.
struct Sent {
  std::array<Array<double>, 3> face;
  Array<double> diagonal{Memory::device}, b;

  explicit Sent(Problem& p) : face{on_device(p.face(0)), on_device(p.face(1)), on_device(p.face(2))}, b(on_device(p.b())) {
    if (const double* const d = p.coefficients().diagonal) diagonal = on_device(Values(d, d + p.count()));
  }
  fluid::FaceCoefficients coefficients() const {
    return {{face[0].data(), face[1].data(), face[2].data()}, diagonal.data()};
  }
};

struct Solved {
  fluid::SolveResult result;
  Values x;
  bool operator==(const Solved& other) const {
    return x == other.x && result.iterations == other.result.iterations && result.converged == other.result.converged &&
           result.residual_max == other.result.residual_max && result.residual_relative == other.result.residual_relative;
  }
};

inline Solved by_host(Problem& p, const Values& guess, const fluid::SolveOptions& options = to_ten_digits) {
  Solved s{{}, guess};
  fluid::PressureSolver solver(p.kind().cells, p.kind().periodic);
  solver.set_coefficients(Cpu{}, p.coefficients());
  s.result = solver.solve(Cpu{}, p.b().data(), s.x.data(), options);
  return s;
}

inline Solved by_device(fluid::PressureSolver& solver, Problem& p, const Values& guess,
                        const fluid::SolveOptions& options = to_ten_digits) {
  const Sent sent(p);
  Array<double> x = on_device(guess);
  solver.set_coefficients(Gpu{}, sent.coefficients());
  const fluid::SolveResult result = solver.solve(Gpu{}, sent.b.data(), x.data(), options);
  return {result, x.values()};
}

inline Solved by_device(Problem& p, const Values& guess, const fluid::SolveOptions& options = to_ten_digits) {
  fluid::PressureSolver solver(p.kind().cells, p.kind().periodic, Memory::device);
  return by_device(solver, p, guess, options);
}

inline Values some_guess(const Problem& p) {
  Random random(11);
  Values x;
  for (std::int64_t c = 0; c < p.count(); ++c) x.push_back(random());
  return x;
}

/// Those of the host's tests, and what a device has ways of its own for: grids beyond a block, with and without seams and axes
/// that stay as they are; no coupling at all.
inline std::vector<ProblemKind> device_problem_kinds() {
  using N = std::array<std::int64_t, 3>;
  const std::array<bool, 3> none{false, false, false}, all{true, true, true};
  std::vector<ProblemKind> kinds = problem_kinds();
  for (const ProblemKind& more : {ProblemKind{"13 x 7 x 5, open top", N{13, 7, 5}, none, 2, true},
                                  {"13 x 7 x 5, periodic", N{13, 7, 5}, all},
                                  {"contrast 1e6", N{12, 13, 14}, none, 1e6, true},
                                  {"contrast 1e6, diagonal", N{14, 15, 12}, none, 1e6, false, false, true},
                                  {"odd beyond a block, periodic", N{27, 21, 19}, all},
                                  {"flat beyond a block, blocked", N{37, 15, 23}, {true, false, false}, 1000, false, true, false, 10},
                                  {"of four", N{4, 4, 4}, none},
                                  {"one cell, open", N{1, 1, 1}, none, 2, true}})
    kinds.push_back(more);
  return kinds;
}

} // namespace corral::test
