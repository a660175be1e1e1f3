#include "fluid/pressure/pressure.hpp"

#include "fluid/pressure/device/launch.cuh"
#include "fluid/pressure/device/levels.cuh"
#include "fluid/pressure/device/sums.cuh"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>
#include <string>

/// Conjugate gradients on a device. Scalars stay there: launches ask the state whether they are still wanted.
namespace corral::fluid {
namespace {

using multigrid::LevelView;

/// Arrays over cells, and where the preconditioner has its own.
struct SolveView {
  EquationView a;
  LevelView fine;
  double *x, *r, *p, *q;
  SolveState* state;
  SolveOptions options;
  bool whole; ///< one unpinned part covers the grid
};

constexpr SolvePhase looking = SolvePhase::looking, running = SolvePhase::running, ended = SolvePhase::ended;

/// A x in a cell.
__device__ inline double product(const EquationView& e, const CellOfEquation& c, const double* x) {
  const double own = x[c.index];
  const auto term = [&](int f) {
    const double b = e.b[f / 2][c.face[f]];
    return b * (own - (c.neighbour[f] == CellOfEquation::none ? 0.0 : x[c.neighbour[f]]));
  };
  const double along = term(0) + term(1), y = term(2) + term(3), z = term(4) + term(5);
  return (along + y) + (z + (e.diagonal ? e.diagonal[c.index] : 0.0) * own);
}

struct FinePlace {
  std::int32_t at;
  bool is_red;
};

__device__ inline FinePlace place_in(const LevelView& l, std::uint32_t cell) {
  const auto nx = static_cast<std::uint32_t>(l.n[0]), ny = static_cast<std::uint32_t>(l.n[1]);
  const std::uint32_t row = cell / nx, k = row / ny, i = cell - row * nx, j = row - k * ny;
  return {l.row(static_cast<std::int32_t>(j), static_cast<std::int32_t>(k)) + l.place(static_cast<std::int32_t>(i)),
          ((i + j + k) & 1) == multigrid::red};
}

// Looks

__global__ void __launch_bounds__(cell_threads, 1) residual_global(const SolveView s, const double* b) {
  if (s.state->phase != looking) return;
  by_grid(s.a.cells, [&](std::uint32_t cell) { s.r[cell] = b[cell] - product(s.a, CellOfEquation(s.a, cell), s.x); });
}

__device__ void start_from(const SolveView& s, const ResidualNorms& norms) {
  SolveState& state = *s.state;
  state.start = state.left = norms;
  if (norms.max == 0 && norms.square == 0) {
    state.converged = true;
    state.phase = ended;
  } else if (!std::isfinite(norms.square)) {
    state.phase = ended;
  }
}

/// Conjugate gradients begin, or begin again, where the true residual asks for it and the last ones have lowered it.
__device__ void decide(const SolveView& s, const ResidualNorms& left) {
  SolveState& state = *s.state;
  state.left = left;
  const bool goes_on = worth_going_on(left, state.looks == 0 ? HUGE_VAL : state.before);
  ++state.looks;
  state.converged = satisfied(left, state.start, s.options);
  if (state.converged || state.iterations >= s.options.max_iterations || !goes_on) {
    state.phase = ended;
    return;
  }
  state.before = left.square;
  state.scale = 1.0 / left.max;
  state.fresh = true;
  state.phase = running;
}

__global__ void __launch_bounds__(sum_threads, blocks_that_sum)
    norms_global(const SolveView s, const double* values, bool of_start, const SumView<SolveSum> sums) {
  if (s.state->phase != looking) return;
  sum_cells(sums,
            [&](std::uint32_t cell, SolveSum& sum) {
              const double r = values[cell], size = fabs(r);
              sum += SolveSum{r * r, 0, size};
            },
            [&](const SolveSum& total) {
              const ResidualNorms norms{total.first, total.max};
              if (of_start) start_from(s, norms);
              else decide(s, norms);
            });
}

/// What conjugate gradients that begin hand to the preconditioner. A right-hand side of zeros has a solution of zeros.
__global__ void __launch_bounds__(cell_threads, 1) hand_over_global(const SolveView s) {
  const SolveState& state = *s.state;
  const bool zero = state.phase == ended && state.start.max == 0 && state.start.square == 0;
  if (!zero && !(state.phase == running && state.fresh)) return;
  by_grid(s.a.cells, [&](std::uint32_t cell) {
    if (zero) {
      s.x[cell] = 0;
      return;
    }
    const FinePlace place = place_in(s.fine, cell);
    begin(s.fine, place.at, place.is_red, static_cast<float>(state.scale * s.r[cell]));
  });
}

// Iterations

/// z q and the sum of z; from them beta.
__global__ void __launch_bounds__(sum_threads, blocks_that_sum) project_global(const SolveView s, const SumView<SolveSum> sums) {
  if (s.state->phase != running) return;
  sum_cells(sums,
            [&](std::uint32_t cell, SolveSum& sum) {
              const double z = static_cast<double>(s.fine.x[place_in(s.fine, cell).at]);
              sum += SolveSum{s.state->fresh ? 0.0 : z * s.q[cell], z, 0};
            },
            [&](const SolveSum& total) {
              SolveState& state = *s.state;
              state.z_mean = s.whole ? total.second / static_cast<double>(s.a.cells) : 0.0;
              state.beta = state.fresh ? 0.0 : -total.first / state.pq;
            });
}

/// p = z + beta p.
__global__ void __launch_bounds__(sum_threads, blocks_that_sum) turn_global(const SolveView s, const SumView<SolveSum> sums) {
  if (s.state->phase != running) return;
  const double beta = s.state->beta, mean = s.state->z_mean;
  const bool fresh = s.state->fresh;
  sum_cells(sums,
            [&](std::uint32_t cell, SolveSum& sum) {
              const double z = static_cast<double>(s.fine.x[place_in(s.fine, cell).at]) - mean;
              const double p = fresh ? z : z + beta * s.p[cell];
              s.p[cell] = p;
              sum += SolveSum{p * s.r[cell], 0, 0};
            },
            [&](const SolveSum& total) { s.state->pr = total.first; });
}

/// q = A p; from p q the step, if there is one.
__global__ void __launch_bounds__(sum_threads, blocks_that_sum) multiply_global(const SolveView s, const SumView<SolveSum> sums) {
  if (s.state->phase != running) return;
  sum_cells(sums,
            [&](std::uint32_t cell, SolveSum& sum) {
              const double q = product(s.a, CellOfEquation(s.a, cell), s.p);
              s.q[cell] = q;
              sum += SolveSum{s.p[cell] * q, 0, 0};
            },
            [&](const SolveSum& total) {
              SolveState& state = *s.state;
              state.pq = total.first;
              state.alpha = state.pr / state.pq;
              state.fresh = false;
              ++state.iterations;
              if (!(state.pq > 0) || !std::isfinite(state.alpha)) state.phase = looking;
            });
}

/// x += alpha p, r -= alpha q, and hands r to the preconditioner.
__global__ void __launch_bounds__(sum_threads, blocks_that_sum) advance_global(const SolveView s, const SumView<SolveSum> sums) {
  if (s.state->phase != running) return;
  const double alpha = s.state->alpha, scale = s.state->scale;
  sum_cells(sums,
            [&](std::uint32_t cell, SolveSum& sum) {
              s.x[cell] += alpha * s.p[cell];
              const double r = s.r[cell] - alpha * s.q[cell], size = fabs(r);
              s.r[cell] = r;
              const FinePlace place = place_in(s.fine, cell);
              begin(s.fine, place.at, place.is_red, static_cast<float>(scale * r));
              sum += SolveSum{r * r, 0, size};
            },
            [&](const SolveSum& total) {
              SolveState& state = *s.state;
              state.left = {total.first, total.max};
              if (state.iterations >= s.options.max_iterations || !std::isfinite(state.left.square) ||
                  satisfied(state.left, state.start, s.options))
                state.phase = looking;
            });
}

} // namespace

void PressureSolver::set_coefficients(Gpu gpu, const FaceCoefficients& given) {
  require_memory(Memory::device);
  work_->turn_ = this;
  const FaceCoefficients a = work_->thin_.permuted(gpu, given);
  components_.update(gpu, a, work_->hierarchy_.set_coefficients(gpu, a));
  a_ = a;
  const PressureMemory::Vectors taken_once(*work_); // so that no solve allocates
  const std::int64_t cells = cells_[0] * cells_[1] * cells_[2];
  work_->device_.sum.resize(cells, most_blocks_that_sum());
  work_->device_.state.resize(1);
  work_->device_.seen.resize(1);
}

namespace {

/// Launches over cells, and those that add up: one object a call.
class SolveLaunches {
public:
  SolveLaunches(Gpu gpu, const SolveView& view, SumMemory<SolveSum>& sum)
      : gpu_(gpu), view_(view), sum_(sum.view()), blocks_that_sum_(sum.blocks()) {}

  template <class... Expected, class... Given> void cells(void (*entry)(SolveView, Expected...), Given... given) const {
    check(CORRAL_LAUNCH(entry, blocks_of(view_.a.cells), cell_threads, 0, gpu_.stream, view_, given...), what);
  }
  template <class... Expected, class... Given> void sum(void (*entry)(SolveView, Expected...), Given... given) const {
    constexpr std::size_t shared = sum_threads * sizeof(SolveSum);
    check(CORRAL_LAUNCH(entry, blocks_that_sum_, sum_threads, shared, gpu_.stream, view_, given..., sum_), what);
  }

private:
  static constexpr const char* what = "a solve of the pressure equation";
  Gpu gpu_;
  SolveView view_;
  SumView<SolveSum> sum_;
  unsigned blocks_that_sum_;
};

} // namespace

SolveResult PressureSolver::solve(Gpu gpu, const double* b, double* x, const SolveOptions& options) {
  require_memory(Memory::device);
  require_ready(options);
  const PressureMemory::Vectors vectors(*work_);
  constexpr const char* what = "a solve of the pressure equation";
  SolveState* const state = work_->device_.state.data();
  const SolveView view{{cells_, periodic_, a_}, multigrid::view(work_->hierarchy_.finest(), 0, work_->hierarchy_.level_count() == 1),
                       x, work_->r_.data(), work_->p_.data(), work_->q_.data(), state, options, components_.whole()};
  const SolveLaunches launch(gpu, view, work_->device_.sum);
  const PhaseGate while_looking{&state->phase, looking}, while_running{&state->phase, running};
  const auto start = [&] {
    check(cudaMemsetAsync(state, 0, sizeof *state, gpu.stream), what);
    if (components_.nothing_to_remove()) return launch.sum(norms_global, b, true);
    check(cudaMemcpyAsync(work_->r_.data(), b, sizeof(double) * view.a.cells, cudaMemcpyDeviceToDevice, gpu.stream), what);
    components_.remove_means(gpu, work_->r_.data(), while_looking, work_->totals_);
    launch.sum(norms_global, static_cast<const double*>(work_->r_.data()), true);
  };
  const auto look = [&] {
    components_.remove_means(gpu, x, while_looking, work_->totals_);
    launch.cells(residual_global, b);
    components_.remove_means(gpu, work_->r_.data(), while_looking, work_->totals_);
    launch.sum(norms_global, static_cast<const double*>(work_->r_.data()), false);
    launch.cells(hand_over_global);
  };
  const auto iterate = [&] {
    work_->hierarchy_.cycle(gpu, while_running);
    launch.sum(project_global);
    launch.sum(turn_global);
    // The V-cycle leaves constants free over unpinned parts. Piled up in p, they would drown A p in round-off.
    if (!components_.whole()) components_.remove_means(gpu, work_->p_.data(), while_running, work_->totals_);
    launch.sum(multiply_global);
    launch.sum(advance_global);
  };
  start();
  look();
  const SolveState& seen = work_->device_.seen[0];
  int ahead = expected_, asked = 0;
  do {
    // Iterations that were asked for too many do nothing; a device on which none does anything would be asked for ever.
    if ((asked += ahead) > 4 * options.max_iterations + 1000) throw Error(std::string(what) + " came to no end on the device");
    for (int i = 0; i < ahead; ++i) iterate();
    look();
    copy_and_wait(gpu, work_->device_.seen.data(), state, sizeof *state, what);
    ahead = std::max(2, seen.iterations / 4);
  } while (seen.phase != ended);
  if (seen.start.max == 0 && seen.start.square == 0) return {0, 0, 0, true};
  expected_ = std::max(1, seen.iterations);
  return {seen.iterations, std::sqrt(seen.left.square / seen.start.square), seen.left.max, seen.converged};
}

} // namespace corral::fluid
