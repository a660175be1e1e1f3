#include "fluid/pressure/pressure.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace corral::fluid {

PressureMemory::PressureMemory(std::array<std::int64_t, 3> cells, std::array<bool, 3> periodic, Memory memory)
    : where_(memory), own_(memory), scratch_(own_), thin_(cells, periodic, memory),
      hierarchy_(thin_.cells(), thin_.periodic(), memory) {
  own_.expect((memory == Memory::device ? 4 : 3) * (cells[0] * cells[1] * cells[2] + 32));
}

PressureMemory::PressureMemory(std::array<std::int64_t, 3> cells, std::array<bool, 3> periodic, Scratch& scratch)
    : where_(scratch.memory()), own_(where_), scratch_(scratch), thin_(cells, periodic, where_),
      hierarchy_(thin_.cells(), thin_.periodic(), where_) {}

PlaneCut PressureMemory::cut_for(const std::array<std::int64_t, 3>& cells, std::int64_t ranks, std::int64_t least_cells) {
  const std::int64_t planes = cells[0] > 1 ? cells[2] : 1; // ThinAxes turns z to the front
  return ranks > 1 && cells[0] * cells[1] * cells[2] >= least_cells ? cut_planes(planes, ranks) : PlaneCut{};
}

void PressureMemory::share_with(const distributed::Team& team, std::int64_t least_cells) {
  PlaneCut cut = cut_for(thin_.cells(), team.size(), least_cells);
  if (!cut.first.empty()) hierarchy_.share(Planes(team, std::move(cut.first), thin_.periodic()[2]), cut.deepest);
}

PressureMemory::Vectors::Vectors(PressureMemory& memory) : memory_(memory) {
  const std::int64_t cells = memory.hierarchy_.finest().cell_count(), of_q = memory.where_ == Memory::device ? 2 * cells : cells;
  for (Array<double>* v : {&memory.r_, &memory.p_}) memory.scratch_.take(cells, *v);
  memory.scratch_.take(of_q, memory.q_);
  memory.totals_ = seen_as<unsigned long long>(memory.q_);
}

PressureMemory::Vectors::~Vectors() {
  memory_.totals_ = {};
  memory_.scratch_.give_back(memory_.r_, memory_.p_, memory_.q_);
}

PressureSolver::PressureSolver(std::array<std::int64_t, 3> cells, std::array<bool, 3> periodic, Memory memory)
    : PressureSolver(std::make_shared<PressureMemory>(cells, periodic, memory)) {}

PressureSolver::PressureSolver(std::shared_ptr<PressureMemory> shared)
    : work_(std::move(shared)), cells_(work_->thin_.cells()), periodic_(work_->thin_.periodic()),
      components_(cells_, periodic_, work_->where_) {
  zeros_.resize(cells_[0], 0.0);
}

void PressureSolver::set_coefficients(Cpu cpu, const FaceCoefficients& given) {
  require_memory(Memory::host);
  work_->turn_ = this;
  const FaceCoefficients a = work_->thin_.permuted(cpu, given);
  work_->hierarchy_.set_coefficients(cpu, a);
  components_.update(cpu, a, planes());
  a_ = a;
  const PressureMemory::Vectors taken_once(*work_); // so that no solve allocates
}

void PressureSolver::require_memory(Memory where) const {
  if (work_->where_ == where) return;
  throw Error(where == Memory::host ? "a pressure solver on a device for an equation on the host (make one for each)"
                                    : "a pressure solver on the host for an equation on a device (make one for each)");
}

void PressureSolver::require_ready(const SolveOptions& options) const {
  if (a_.b[0] != nullptr && work_->turn_ != this)
    throw Error("pressure solve with memory that has another solver's coefficients (they share it in turns) call set_coefficients");
  if (a_.b[0] == nullptr) throw Error("pressure solve without coefficients (call set_coefficients first)");
  if (!(options.relative > 0 || options.absolute_max > 0))
    throw Error("pressure solve without a stopping criterion (give relative or absolute_max)");
}

SolveResult PressureSolver::solve(Cpu cpu, const double* b, double* x, const SolveOptions& options) {
  require_memory(Memory::host);
  require_ready(options);
  const PressureMemory::Vectors vectors(*work_);
  const std::int64_t first = first_cell(), cells = cells_[0] * cells_[1] * cells_[2];
  components_.remove_means(cpu, planes(), x);
  std::copy(b + first, b + end_cell(), work_->r_.data() + first);
  components_.remove_means(cpu, planes(), work_->r_.data());
  const Norms start = norms(cpu, work_->r_.data());
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
      components_.remove_means(cpu, planes(), x);
      left = residual(cpu, b, x);
    }
    result.converged = satisfied(left, start, options);
  }
  if (options.whole) planes().complete(x, cells_[0] * cells_[1]);
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
  const std::int64_t plane = cells_[0] * cells_[1];
  const distributed::Piece own = planes().shared() ? distributed::Piece{planes().begin(), planes().end()} : distributed::Piece{0, cells_[2]};
  std::fill(work_->p_.data() + plane * own.begin, work_->p_.data() + plane * own.end, 0.0);
  advance_solution(cpu, 0.0, x);
  precondition(cpu);
  double beta = 0;
  for (int iteration = 1;; ++iteration) {
    const double pr = advance_direction(cpu, beta), pq = multiply(cpu, work_->p_.data(), work_->q_.data());
    if (!(pq > 0) || !std::isfinite(pr / pq)) return iteration;
    left = advance_solution(cpu, pr / pq, x);
    if (iteration == max_iterations || !std::isfinite(left.square) ||
        satisfied(left, start, options))
      return iteration;
    beta = -precondition(cpu) / pq;
  }
}

} // namespace corral::fluid
