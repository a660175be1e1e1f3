#include "fluid/pressure/pressure.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>

namespace corral::fluid {

PressureSolver::PressureSolver(std::array<std::int64_t, 3> cells, std::array<bool, 3> periodic, Memory memory)
    : thin_(cells, periodic, memory), cells_(thin_.cells()), periodic_(thin_.periodic()), memory_(memory),
      hierarchy_(cells_, periodic_, memory), components_(cells_, periodic_, memory), r_(memory), p_(memory), q_(memory) {
  zeros_.resize(cells_[0], 0.0);
}

void PressureSolver::set_coefficients(Cpu cpu, const FaceCoefficients& given) {
  require_memory(Memory::host);
  const FaceCoefficients a = thin_.permuted(cpu, given);
  hierarchy_.set_coefficients(cpu, a);
  components_.update(cpu, a);
  a_ = a;
  const std::int64_t cells = cells_[0] * cells_[1] * cells_[2];
  for (Array<double>* v : {&r_, &p_, &q_}) v->resize(cells);
}

void PressureSolver::require_memory(Memory where) const {
  if (memory_ == where) return;
  throw Error(where == Memory::host ? "a pressure solver on a device for an equation on the host (make one for each)"
                                    : "a pressure solver on the host for an equation on a device (make one for each)");
}

void PressureSolver::require_ready(const SolveOptions& options) const {
  if (a_.b[0] == nullptr) throw Error("pressure solve without coefficients (call set_coefficients first)");
  if (!(options.relative > 0 || options.absolute_max > 0))
    throw Error("pressure solve without a stopping criterion (give relative or absolute_max)");
}

SolveResult PressureSolver::solve(Cpu cpu, const double* b, double* x, const SolveOptions& options) {
  require_memory(Memory::host);
  require_ready(options);
  const std::int64_t cells = cells_[0] * cells_[1] * cells_[2];
  components_.remove_means(cpu, x);
  std::copy_n(b, cells, r_.data());
  components_.remove_means(cpu, r_.data());
  const Norms start = norms(cpu, r_.data());
  SolveResult result;
  Norms left = start;
  if (start.max == 0 && start.square == 0) {
    std::fill_n(x, cells, 0.0);
    result.converged = true;
    return result;
  }
  if (std::isfinite(start.square)) {
    left = residual(cpu, b, x);
    // The residual that CG updates drifts from the true one: only the true one ends the solve.
    for (double before = HUGE_VAL; !satisfied(left, start, options);) {
      if (result.iterations >= options.max_iterations || !worth_going_on(left, before)) break;
      before = left.square;
      result.iterations += iterate(cpu, x, left, start, options, options.max_iterations - result.iterations);
      components_.remove_means(cpu, x);
      left = residual(cpu, b, x);
    }
    result.converged = satisfied(left, start, options);
  }
  result.residual_relative = std::sqrt(left.square / start.square);
  result.residual_max = left.max;
  return result;
}

/// Conjugate gradients from the residual in r_, whose norms are `left`, until it is small enough. Returns the number
/// of iterations. The step p r / p q and beta = -z q / p q, rather than ratios of z r, lower the error along any p:
/// where round-off rules the residual, it stays there, while the usual form may take it up again without end.
int PressureSolver::iterate(Cpu cpu, double* x, Norms& left, const Norms& start, const SolveOptions& options,
                            int max_iterations) {
  scale_ = 1.0 / left.max;
  p_.fill(0.0);
  advance_solution(cpu, 0.0, x);
  precondition(cpu);
  double beta = 0;
  for (int iteration = 1;; ++iteration) {
    const double pr = advance_direction(cpu, beta), pq = multiply(cpu, p_.data(), q_.data());
    if (!(pq > 0) || !std::isfinite(pr / pq)) return iteration;
    left = advance_solution(cpu, pr / pq, x);
    if (iteration == max_iterations || !std::isfinite(left.square) ||
        satisfied(left, start, options))
      return iteration;
    beta = -precondition(cpu) / pq;
  }
}

} // namespace corral::fluid
