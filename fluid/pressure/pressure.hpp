#pragma once

#include "fluid/pressure/device/solve_state.hpp"
#include "fluid/pressure/device/sum_memory.hpp"
#include "fluid/pressure/multigrid.hpp"
#include "fluid/pressure/pressure_components.hpp"
#include "fluid/pressure/stopping.hpp"
#include "fluid/scratch.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>
#include <corral/memory.hpp>

#include <array>
#include <cstdint>
#include <memory>

namespace corral::fluid {

/// The matrix of a pressure equation: in each cell c
///   sum over its six faces of b_f (x_c - x_neighbour) + diagonal_c x_c.
/// b[d] has the faces normal to axis d, x fastest: N + 1 along d, or N where d is periodic; face i is the lower face
/// of cell i. Each b >= 0, in any unit; 1/h^2 and apertures are the caller's to put in. On a boundary face b > 0
/// prescribes x = 0 at the far end (an outlet), b = 0 no flux. A cell whose faces and diagonal are all 0 is blocked.
struct FaceCoefficients {
  std::array<const double*, 3> b;
  const double* diagonal = nullptr; ///< one value >= 0 per cell, or null for none
};

class PressureSolver;

/// What solvers of boxes with the same cells work with: the multigrid's grids and vectors over cells. Solvers that share it take
/// turns, from `set_coefficients` to the last `solve` with them; what each knows of its equation it keeps.
class PressureMemory {
public:
  PressureMemory(std::array<std::int64_t, 3> cells, std::array<bool, 3> periodic, Memory memory = Memory::host);
  /// Takes vectors over cells from `scratch`, and gives them back when a solve ends.
  PressureMemory(std::array<std::int64_t, 3> cells, std::array<bool, 3> periodic, Scratch& scratch);

  /// Ranks share the work of the CPU's solvers from now on, if `cut_for` finds a cut. The team outlives this.
  void share_with(const distributed::Team& team, std::int64_t least_cells = worth_sharing);
  /// How so many ranks share the planes of a box; `first` is empty where it has few cells or planes: each then solves all of it.
  static PlaneCut cut_for(const std::array<std::int64_t, 3>& cells, std::int64_t ranks, std::int64_t least_cells = worth_sharing);
  /// Planes of cells across z, and who works on which; all are this process's own but for a box that ranks share.
  const Planes& planes() const { return hierarchy_.finest().planes; }

  /// Cells from which on two ranks on one machine are faster than one.
  static constexpr std::int64_t worth_sharing = 30000;

private:
  friend class PressureSolver;

  /// The vectors, for a solve.
  class Vectors {
  public:
    explicit Vectors(PressureMemory& memory);
    ~Vectors();
    Vectors(const Vectors&) = delete;
    Vectors& operator=(const Vectors&) = delete;

  private:
    PressureMemory& memory_;
  };

  /// What a solve on a device has there and of there.
  struct DeviceSolve {
    Array<SolveState> state{Memory::device}, seen{Memory::pinned};
    SumMemory<SolveSum> sum;
  };

  Memory where_;
  Scratch own_, &scratch_;
  ThinAxes thin_; ///< everything below sees the box as this turns it
  multigrid::Hierarchy hierarchy_;
  Array<double> r_, p_, q_; ///< q_: on a device with as many values behind it
  /// Of PressureComponents on a device, in the memory of `q_`: means are taken away where no q is kept, of p before the next one.
  Array<unsigned long long> totals_;
  DeviceSolve device_;
  const PressureSolver* turn_ = nullptr; ///< whose coefficients it holds
};

/// Conjugate gradients in double precision, preconditioned by one multigrid V-cycle in single precision. Grids of
/// any size. The same bits for any number of threads. docs/pressure_solver.md says how and why.
///
/// Where ranks share the work (PressureMemory::share_with), calls with `Cpu` are collective, and have the bits of one process.
/// A rank reads coefficients and right-hand sides of its own planes alone, z faces at both ends of these among them.
///
/// `memory` says where its own arrays lie, and so who works: calls with `Cpu` for the host's, with `Gpu` for a device's; the
/// others throw Error. What calls with `Gpu` are handed lies on the device, too. A build without CUDA has none of them.
class PressureSolver {
public:
  /// What a device must read and write in one, a cell of the finest grid (docs/pressure_solver.md).
  static constexpr double bytes_of_an_iteration = 354;

  PressureSolver(std::array<std::int64_t, 3> cells, std::array<bool, 3> periodic, Memory memory = Memory::host);
  /// Of the box and the processor of that memory.
  explicit PressureSolver(std::shared_ptr<PressureMemory> shared);

  /// Takes the matrix, whose arrays are read again by every `solve`, and rebuilds the coarse grids. Memory is
  /// allocated by the first call, and by a later one only where the ratio between the axes has changed much or parts
  /// of the grid have been cut off, as never before.
  /// Throws Error where a coefficient is negative or not finite.
  void set_coefficients(Cpu, const FaceCoefficients&);
  /// Waits for the stream once.
  void set_coefficients(Gpu, const FaceCoefficients&);

  /// Solves for x from the guess that x holds; x is 0 in blocked cells. Where nothing pins a connected part of the
  /// grid (no outlet, no diagonal), the mean over that part is taken from b and from x. The residual is recomputed
  /// from x before convergence is reported; a right-hand side that is not finite gives converged = false.
  /// A rank that shares the work reads b and the guess of its own planes.
  SolveResult solve(Cpu, const double* b, double* x, const SolveOptions&);
  /// The same bits in every run, though not the CPU's. Waits for the stream every few iterations; x is ready when it returns.
  SolveResult solve(Gpu, const double* b, double* x, const SolveOptions&);

private:
  using Norms = ResidualNorms;

  struct Projection {
    double zq = 0;  ///< sum of z q
    double sum = 0; ///< sum of z
    Projection& operator+=(const Projection& other);
  };

  void require_memory(Memory) const;
  void require_ready(const SolveOptions&) const;

  const Planes& planes() const { return work_->planes(); }
  std::int64_t first_cell() const { return cells_[0] * cells_[1] * planes().begin(); }
  std::int64_t end_cell() const { return cells_[0] * cells_[1] * planes().end(); }
  Norms norms(Cpu, const double* values);
  double multiply(Cpu, double* x, double* y);
  Norms residual(Cpu, const double* b, double* x);
  double advance_direction(Cpu, double beta);
  double precondition(Cpu);
  Norms advance_solution(Cpu, double alpha, double* x);
  int iterate(Cpu, double* x, Norms& left, const Norms& start, const SolveOptions&, int max_iterations);

  std::shared_ptr<PressureMemory> work_;
  std::array<std::int64_t, 3> cells_; ///< as they are turned
  std::array<bool, 3> periodic_;
  FaceCoefficients a_{};
  PressureComponents components_;
  double z_mean_ = 0; ///< of the preconditioned residual, where one unpinned part covers the grid
  double scale_ = 1; ///< of the residual, for the preconditioner's range
  int expected_ = 4; ///< iterations on a device, from the solve before
  Array<double> zeros_; ///< a row of cells beyond a boundary
  Array<double> sums_; ///< of rows and planes, as the two below
  Array<Norms> norms_;
  Array<Projection> projections_;
};

} // namespace corral::fluid
