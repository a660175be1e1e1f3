#pragma once

#include "fluid/pressure/multigrid_level.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace corral::fluid {
struct FaceCoefficients;
}

namespace corral::fluid::multigrid {

/// Grids from the caller's down to one small enough to be solved directly, and the V-cycle over them: a symmetric
/// positive operator (semi-definite where the equation is), whatever the coefficients.
class Hierarchy {
public:
  Hierarchy(std::array<std::int64_t, 3> cells, std::array<bool, 3> periodic);

  /// Loads the finest grid and derives the coarser ones. Throws Error for a coefficient below 0 or not finite.
  void set_coefficients(Cpu, const FaceCoefficients&);

  /// The finest grid: its `b` is the V-cycle's input and its `x` the output.
  Level& finest() { return levels_.front(); }
  const Level& finest() const { return levels_.front(); }

  /// One V-cycle from a zero guess.
  void cycle(Cpu cpu) { descend(cpu, 0); }

  std::int64_t bytes() const;

private:
  /// What one pass over the coefficients tells.
  struct Survey {
    std::array<double, 3> sum{}; ///< of b per axis
    double max = 0;
    bool valid = true;
    Survey& operator+=(const Survey&);
    std::array<double, 3> mean_couplings(const Level&) const;
  };

  Survey load(Cpu, const FaceCoefficients&, double scale);
  void plan(std::array<double, 3> strength);
  void descend(Cpu, std::size_t level);
  void factorise();
  void solve_coarsest(Cpu);

  std::vector<Level> levels_;
  TransferBuffers buffers_;
  Array<Survey> surveys_;   ///< one per row
  Array<double> cholesky_;  ///< lower factor of the coarsest grid's matrix, row by row; empty where it is too large
  Array<double> unknowns_;
};

} // namespace corral::fluid::multigrid
