#pragma once

#include "fluid/pressure/pressure.hpp"

#include <corral/error.hpp>

#include <HYPRE_struct_ls.h>
#include <HYPRE_utilities.h>
#include <mpi.h>

#include <array>
#include <cstdint>
#include <vector>

namespace corral::bench {

/// MPI and hypre for the life of a program; hypre needs both even on one process.
class HypreLibrary {
public:
  HypreLibrary() {
    MPI_Init(nullptr, nullptr);
    HYPRE_Init();
  }
  ~HypreLibrary() {
    HYPRE_Finalize();
    MPI_Finalize();
  }
  HypreLibrary(const HypreLibrary&) = delete;
  HypreLibrary& operator=(const HypreLibrary&) = delete;
};

/// The peer: hypre's conjugate gradients with PFMG (semicoarsening multigrid) on a structured box, for the equation
/// of fluid::FaceCoefficients. A singular equation must be pinned by the caller, since PFMG fails on it; rows without
/// coefficients are given the equation x = 0.
class HypreSolver {
public:
  enum class Preconditioner { pfmg, diagonal };

  HypreSolver(std::array<std::int64_t, 3> cells, std::array<bool, 3> periodic,
              Preconditioner preconditioner = Preconditioner::pfmg)
      : cells_(cells), periodic_(periodic), preconditioner_(preconditioner) {
    HYPRE_Int period[3];
    for (std::size_t d = 0; d < 3; ++d) {
      high_[d] = static_cast<HYPRE_Int>(cells[d]) - 1;
      period[d] = periodic[d] ? static_cast<HYPRE_Int>(cells[d]) : 0;
    }
    HYPRE_StructGridCreate(MPI_COMM_WORLD, 3, &grid_);
    HYPRE_StructGridSetExtents(grid_, low_, high_);
    HYPRE_StructGridSetPeriodic(grid_, period);
    HYPRE_StructGridAssemble(grid_);
    HYPRE_StructStencilCreate(3, 4, &stencil_);
    for (HYPRE_Int entry = 0; entry < 4; ++entry) {
      HYPRE_Int offset[3] = {entry == 1, entry == 2, entry == 3};
      HYPRE_StructStencilSetElement(stencil_, entry, offset);
    }
    HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid_, &b_);
    HYPRE_StructVectorInitialize(b_);
    HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid_, &x_);
    HYPRE_StructVectorInitialize(x_);
  }
  ~HypreSolver() {
    clear();
    HYPRE_StructVectorDestroy(x_);
    HYPRE_StructVectorDestroy(b_);
    HYPRE_StructStencilDestroy(stencil_);
    HYPRE_StructGridDestroy(grid_);
  }
  HypreSolver(const HypreSolver&) = delete;
  HypreSolver& operator=(const HypreSolver&) = delete;

  /// Takes the matrix with `pin` added to the diagonal of every cell, and sets the solver up.
  void set_coefficients(const fluid::FaceCoefficients& a, double pin, double relative, int max_iterations) {
    clear();
    HYPRE_StructMatrixCreate(MPI_COMM_WORLD, grid_, stencil_, &matrix_);
    HYPRE_StructMatrixSetSymmetric(matrix_, 1);
    HYPRE_StructMatrixInitialize(matrix_);
    fill(a, pin);
    HYPRE_Int entries[4] = {0, 1, 2, 3};
    HYPRE_StructMatrixSetBoxValues(matrix_, low_, high_, 4, entries, values_.data());
    HYPRE_StructMatrixAssemble(matrix_);
    HYPRE_StructPCGCreate(MPI_COMM_WORLD, &pcg_);
    HYPRE_StructPCGSetTol(pcg_, relative);
    HYPRE_StructPCGSetTwoNorm(pcg_, 1);
    HYPRE_StructPCGSetMaxIter(pcg_, max_iterations);
    if (preconditioner_ == Preconditioner::pfmg)
      use_pfmg();
    else
      HYPRE_StructPCGSetPrecond(pcg_, HYPRE_StructDiagScale, HYPRE_StructDiagScaleSetup, nullptr);
    HYPRE_StructPCGSetup(pcg_, matrix_, b_, x_);
  }

  /// Solves from the guess in x. Returns the iterations.
  int solve(const double* b, double* x) {
    HYPRE_StructVectorSetBoxValues(b_, low_, high_, const_cast<double*>(b));
    HYPRE_StructVectorSetBoxValues(x_, low_, high_, x);
    HYPRE_StructPCGSolve(pcg_, matrix_, b_, x_);
    HYPRE_StructVectorGetBoxValues(x_, low_, high_, x);
    HYPRE_Int iterations = 0;
    HYPRE_StructPCGGetNumIterations(pcg_, &iterations);
    HYPRE_ClearAllErrors(); // "did not converge" is the caller's to see in the residual
    return static_cast<int>(iterations);
  }

private:
  void clear() {
    if (pcg_) HYPRE_StructPCGDestroy(pcg_);
    if (pfmg_) HYPRE_StructPFMGDestroy(pfmg_);
    if (matrix_) HYPRE_StructMatrixDestroy(matrix_);
    pcg_ = pfmg_ = nullptr;
    matrix_ = nullptr;
  }

  void use_pfmg() {
    HYPRE_StructPFMGCreate(MPI_COMM_WORLD, &pfmg_);
    HYPRE_StructPFMGSetMaxIter(pfmg_, 1);
    HYPRE_StructPFMGSetTol(pfmg_, 0.0);
    HYPRE_StructPFMGSetZeroGuess(pfmg_);
    HYPRE_StructPFMGSetRelaxType(pfmg_, 2); // red-black Gauss-Seidel, symmetric
    HYPRE_StructPFMGSetRAPType(pfmg_, 1);   // 7-point coarse operators: the faster choice here
    HYPRE_StructPFMGSetNumPreRelax(pfmg_, 1);
    HYPRE_StructPFMGSetNumPostRelax(pfmg_, 1);
    HYPRE_StructPCGSetPrecond(pcg_, HYPRE_StructPFMGSolve, HYPRE_StructPFMGSetup, pfmg_);
  }

  /// Per cell: diagonal, then the couplings upwards along x, y, z.
  void fill(const fluid::FaceCoefficients& a, double pin) {
    const auto [nx, ny, nz] = cells_;
    values_.resize(static_cast<std::size_t>(4 * nx * ny * nz));
    std::size_t to = 0;
    for (std::int64_t k = 0; k < nz; ++k)
      for (std::int64_t j = 0; j < ny; ++j)
        for (std::int64_t i = 0; i < nx; ++i, to += 4) {
          const std::array<std::int64_t, 3> at{i, j, k};
          double sum = pin + (a.diagonal ? a.diagonal[i + nx * (j + ny * k)] : 0.0);
          for (std::size_t d = 0; d < 3; ++d) {
            std::array<std::int64_t, 3> faces = cells_, high = at;
            faces[d] += periodic_[d] ? 0 : 1;
            const bool last = at[d] == cells_[d] - 1;
            high[d] = last && periodic_[d] ? 0 : at[d] + 1;
            auto index = [&](const std::array<std::int64_t, 3>& f) {
              return f[0] + faces[0] * (f[1] + faces[1] * f[2]);
            };
            const bool self = periodic_[d] && cells_[d] == 1;
            const double below = self ? 0.0 : a.b[d][index(at)], above = self ? 0.0 : a.b[d][index(high)];
            sum += below + above;
            values_[to + 1 + d] = last && !periodic_[d] ? 0.0 : -above;
          }
          values_[to] = sum > 0 ? sum : 1.0;
        }
  }

  std::array<std::int64_t, 3> cells_;
  std::array<bool, 3> periodic_;
  Preconditioner preconditioner_;
  HYPRE_Int low_[3] = {0, 0, 0}, high_[3] = {0, 0, 0};
  HYPRE_StructGrid grid_ = nullptr;
  HYPRE_StructStencil stencil_ = nullptr;
  HYPRE_StructMatrix matrix_ = nullptr;
  HYPRE_StructVector b_ = nullptr, x_ = nullptr;
  HYPRE_StructSolver pcg_ = nullptr, pfmg_ = nullptr;
  std::vector<double> values_;
};

} // namespace corral::bench
