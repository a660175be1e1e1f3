#include "fluid/pressure/device/launch.cuh"
#include "fluid/pressure/device/levels.cuh"
#include "fluid/pressure/device/solve_state.hpp"
#include "fluid/pressure/device/sums.cuh"

/// The V-cycle on a device: launches over the large grids, and one block that goes down and up the small ones.
namespace corral::fluid::multigrid {
namespace {

__global__ void __launch_bounds__(cell_threads, 1) relax_global(const PhaseGate gate, const LevelView l, const int colour) {
  if (gate.closed()) return;
  by_grid(l.sites(), [&](std::uint32_t t) { relax(l, t, colour); });
}

__global__ void __launch_bounds__(cell_threads, 1) seams_global(const PhaseGate gate, const LevelView l) {
  if (gate.closed()) return;
  by_grid(seam_sites(l), [&](std::uint32_t t) { refresh_seams(l, t); });
}

__global__ void __launch_bounds__(cell_threads, 1) leave_global(const PhaseGate gate, const LevelView l, float* r) {
  if (gate.closed()) return;
  by_grid(l.sites(), [&](std::uint32_t t) {
    leave(l, t, red, r);
    if (l.seams != 0) leave(l, t, black, r);
  });
}

__global__ void __launch_bounds__(cell_threads, 1) restrict_global(const PhaseGate gate, const LevelView fine,
                                                                   const LevelView coarse, const float* r) {
  if (gate.closed()) return;
  by_grid(coarse.cells(), [&](std::uint32_t t) { restrict_to(fine, coarse, r, t); });
}

__global__ void __launch_bounds__(cell_threads, 1) correct_global(const PhaseGate gate, const LevelView fine,
                                                                  const LevelView coarse) {
  if (gate.closed()) return;
  by_grid(fine.sites(), [&](std::uint32_t t) {
    correct(fine, coarse, t, red);
    if (fine.seams != 0) correct(fine, coarse, t, black);
  });
}

__device__ void sweep_in_block(const LevelView& l, int colour) {
  if (l.seams != 0) {
    by_block(seam_sites(l), [&](std::uint32_t t) { refresh_seams(l, t); });
    __syncthreads();
  }
  by_block(l.sites(), [&](std::uint32_t t) { relax(l, t, colour); });
  __syncthreads();
}

__device__ void go_down_in_block(const LevelView& fine, const LevelView& coarse, float* r) {
  for (int s = 0; s < fine.sweeps; ++s) {
    if (s > 0) sweep_in_block(fine, red);
    sweep_in_block(fine, black);
  }
  by_block(fine.sites(), [&](std::uint32_t t) {
    leave(fine, t, red, r);
    if (fine.seams != 0) leave(fine, t, black, r);
  });
  __syncthreads();
  by_block(coarse.cells(), [&](std::uint32_t t) { restrict_to(fine, coarse, r, t); });
  __syncthreads();
}

__device__ void go_up_in_block(const LevelView& fine, const LevelView& coarse) {
  by_block(fine.sites(), [&](std::uint32_t t) {
    correct(fine, coarse, t, red);
    if (fine.seams != 0) correct(fine, coarse, t, black);
  });
  __syncthreads();
  for (int s = 0; s < fine.sweeps; ++s) {
    sweep_in_block(fine, black);
    sweep_in_block(fine, red);
  }
}

__device__ void solve_in_block(const LevelView& l, const double* inverse) {
  CORRAL_SHARED(double, b, [coarsest_cells]);
  const std::uint32_t n = l.cells(), nx = static_cast<std::uint32_t>(l.n[0]), ny = static_cast<std::uint32_t>(l.n[1]);
  const auto place = [&](std::uint32_t c) {
    const auto row = l.row(static_cast<std::int32_t>(c / nx % ny), static_cast<std::int32_t>(c / nx / ny));
    return row + l.place(static_cast<std::int32_t>(c % nx));
  };
  by_block(n, [&](std::uint32_t c) { b[c] = static_cast<double>(l.b[place(c)]); });
  __syncthreads();
  by_block(n, [&](std::uint32_t c) {
    double sum = 0;
    for (std::uint32_t m = 0; m < n; ++m) sum += inverse[m * n + c] * b[m];
    l.x[place(c)] = static_cast<float>(sum);
  });
  __syncthreads();
}

__global__ void __launch_bounds__(block_threads, 1)
    cycle_block_global(const PhaseGate gate, const __grid_constant__ LevelsOfBlock levels) {
  if (gate.closed()) return;
  const int last = levels.count - 1;
  for (int l = 0; l < last; ++l) go_down_in_block(levels.level[l], levels.level[l + 1], levels.residual);
  solve_in_block(levels.level[last], levels.inverse);
  for (int l = last - 1; l >= 0; --l) go_up_in_block(levels.level[l], levels.level[l + 1]);
}

/// A large grid, one launch a step.
class Launches {
public:
  Launches(Gpu gpu, const PhaseGate& gate) : gpu_(gpu), gate_(gate) {}

  void sweep(const LevelView& l, int colour) const {
    constexpr const char* what = "a sweep of the pressure solver";
    if (l.seams != 0) {
      const auto sites = static_cast<std::int64_t>(l.cells()); // more than there are
      check(CORRAL_LAUNCH(seams_global, blocks_of(sites), cell_threads, 0, gpu_.stream, gate_, l), what);
    }
    check(CORRAL_LAUNCH(relax_global, blocks_of(l.sites()), cell_threads, 0, gpu_.stream, gate_, l, colour), what);
  }
  void go_down(const LevelView& fine, const LevelView& coarse, float* r) const {
    constexpr const char* what = "a restriction of the pressure solver";
    for (int s = 0; s < fine.sweeps; ++s) {
      if (s > 0) sweep(fine, red);
      sweep(fine, black);
    }
    check(CORRAL_LAUNCH(leave_global, blocks_of(fine.sites()), cell_threads, 0, gpu_.stream, gate_, fine, r), what);
    check(CORRAL_LAUNCH(restrict_global, blocks_of(coarse.cells()), cell_threads, 0, gpu_.stream, gate_, fine, coarse, r),
          what);
  }
  void go_up(const LevelView& fine, const LevelView& coarse) const {
    check(CORRAL_LAUNCH(correct_global, blocks_of(fine.sites()), cell_threads, 0, gpu_.stream, gate_, fine, coarse),
          "an interpolation of the pressure solver");
    for (int s = 0; s < fine.sweeps; ++s) {
      sweep(fine, black);
      sweep(fine, red);
    }
  }

private:
  Gpu gpu_;
  PhaseGate gate_;
};

} // namespace

void Hierarchy::cycle(Gpu gpu, const PhaseGate& gate) {
  const Launches launches(gpu, gate);
  const std::size_t in_block = first_in_block();
  const std::size_t last = levels_.size() - 1;
  const auto grid = [&](std::size_t l) { return view(levels_[l], l, l == last); };
  for (std::size_t l = 0; l < std::min(in_block, last); ++l) launches.go_down(grid(l), grid(l + 1), residual_.data());
  if (in_block <= last) {
    const LevelsOfBlock block = levels_of_block();
    check(CORRAL_LAUNCH(cycle_block_global, 1u, threads_of_block(block), 0, gpu.stream, gate, block),
          "the small grids of the pressure solver");
  }
  for (std::size_t l = std::min(in_block, last); l-- > 0;) launches.go_up(grid(l), grid(l + 1));
}

} // namespace corral::fluid::multigrid
