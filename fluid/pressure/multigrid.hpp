#pragma once

#include "fluid/pressure/device/sum_memory.hpp"
#include "fluid/planes.hpp"
#include "fluid/pressure/pressure_pattern.hpp"
#include "fluid/pressure/pressure_rows.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>
#include <corral/host_device.hpp>
#include <corral/memory.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace corral::fluid {
struct FaceCoefficients;
struct PhaseGate;
}

namespace corral::fluid::multigrid {

enum class Colour : int { red = 0, black = 1 }; ///< parity of i + j + k

/// One grid of the hierarchy, in single precision. A row along x is stored as its even cells and then its odd ones,
/// so that the cells of one colour, and the six neighbours of consecutive cells of that colour, are contiguous.
/// Around each row there is a place on either side, and around the rows a frame of ghost rows: 0 beyond a wall,
/// the other side's values where the axis is periodic. Face i shares the place of cell i, face N that of a ghost.
struct Level {
  Level(std::array<std::int64_t, 3> cells, std::array<bool, 3> periodic, Memory memory = Memory::host);

  std::array<std::int64_t, 3> cells;
  std::array<bool, 3> periodic;
  std::int64_t half; ///< even cells of a row; its odd cells start `odd` values behind them
  std::int64_t odd;
  std::array<std::int64_t, 3> factor{1, 1, 1}; ///< coarsening towards the next grid, 1 or 2 per axis
  Planes planes; ///< in which this rank works; not those of ghosts

  std::array<Array<float>, 3> face;   ///< b_f
  Array<float> reaction;              ///< diagonal_c
  Array<float> inverse;               ///< 1 / (sum of the six b_f + diagonal_c); 1 in blocked cells
  std::array<Array<float>, 3> weight; ///< of the neighbouring coarse cell along each axis, in interpolation [0, 1]
  bool has_weights = false;           ///< since it was first coarsened; else they are 0
  Array<float> b, x;

  std::int64_t row_step() const { return 2 * odd; }
  std::int64_t plane_step() const { return row_step() * (cells[1] + 2); }
  std::int64_t row(std::int64_t j, std::int64_t k) const { return (j + 1) * row_step() + (k + 1) * plane_step(); }
  std::int64_t place(std::int64_t i) const { return (i & 1) * odd + (i >> 1); } ///< of cell or face i in its row
  std::int64_t cell_count() const { return cells[0] * cells[1] * cells[2]; }
  std::int64_t in_half(int parity) const { return parity == 0 ? half : cells[0] / 2; }
  /// A periodic axis of odd length joins cells of one colour: that colour's sweep takes their old values, and
  /// neither colour's residual vanishes after it.
  bool seam() const;
};

/// Values of a coarse grid in plain order, x fastest, with one ghost on every side.
struct PlainField {
  std::array<std::int64_t, 3> cells{};
  Array<float> values;

  void resize(std::array<std::int64_t, 3> n); ///< contents become undefined
  std::int64_t plane_values() const { return (cells[0] + 2) * (cells[1] + 2); }
  float* plane(std::int64_t k) { return values.data() + plane_values() * (k + 1); }
  float* row(std::int64_t j, std::int64_t k) { return plane(k) + 1 + (cells[0] + 2) * (j + 1); }
};

/// Shared by all pairs of grids: coarse sums of a coarse plane's own fine planes, and what these give to the planes
/// below and above it. Kept apart so that planes can be worked on at once and summed in fixed order.
struct TransferBuffers {
  PlainField own, below, above;
};

// Smoothing (multigrid_smooth.cpp)

/// Gauss-Seidel over one colour.
void smooth(Cpu, Level&, Colour);
/// The same from x = 0, which need not be stored.
void smooth_from_zero(Cpu, Level&, Colour);
/// Refreshes what x of other rows is read: others' planes beside its own, and ghost rows where y or z is periodic. `residual`
/// reads them.
void wrap_rows(Cpu, Level&);
/// Puts b - A x into `out` for `count` cells of one parity of row (j, k) from the one at `begin`.
void residual(Level&, std::int64_t j, std::int64_t k, int parity, std::int64_t begin, std::int64_t count, float* out);

// Coefficients (multigrid_coarsen.cpp)

/// Completes a grid whose lower faces and reaction are set: far faces of periodic axes, and `inverse`.
void complete(Cpu, Level&);
/// Derives the coarse grid's coefficients, and the fine grid's interpolation weights, from resistances in series. Of its own
/// planes; of the coarse grid's it has all where ranks do not share these.
void coarsen(Cpu, Level& fine, Level& coarse, PlainField& scratch);

// Transfers (multigrid_transfer.cpp)

/// coarse.b = P^T (b - A x), after a pre-smoothing that ended with black.
void restrict_residual(Cpu, Level& fine, Level& coarse, TransferBuffers&);
/// x += P coarse.x, where the post-smoothing that follows, black first, needs it.
void add_correction(Cpu, Level& fine, Level& coarse, TransferBuffers&);

constexpr std::int64_t coarsest_cells = 64; ///< coarsening ends here: solving them directly costs next to nothing

/// Sweeps before and after the coarser grids. On the finest grid a second one costs as much time as the iterations
/// that it saves, and steadies hard problems; on the others they cost little.
constexpr int sweeps(std::size_t level) { return level == 0 ? 2 : 3; }

/// Single precision holds coefficients between these with room for their products.
constexpr double smallest_max = 1e-12, largest_max = 1e12;

/// A pivot of the direct solve below this part of the diagonal is none: the last unknown of a part that nothing pins, which
/// is held at 0.
constexpr double vanishing = 1e-12;

/// What one pass over the coefficients tells.
struct Survey {
  std::array<double, 3> sum{}; ///< of b per axis
  double max = 0;
  bool refused = false; ///< one is negative or not finite

  CORRAL_HOST_DEVICE Survey& operator+=(const Survey& other) {
    for (std::size_t d = 0; d < 3; ++d) sum[d] += other.sum[d];
    max = max < other.max ? other.max : max;
    refused = refused || other.refused;
    return *this;
  }
  std::array<double, 3> mean_couplings(const Level&) const;
  /// What coefficients are multiplied by. Throws Error where they are none.
  double scale() const;
};

/// The same pass on a device tells it all at once.
struct SurveyOfDevice {
  Survey survey;
  PressurePattern pattern;

  CORRAL_HOST_DEVICE SurveyOfDevice& operator+=(const SurveyOfDevice& other) {
    survey += other.survey;
    pattern += other.pattern;
    return *this;
  }
};

struct LevelsOfBlock;

/// Grids from the caller's down to one small enough to be solved directly, and the V-cycle over them: a symmetric
/// positive operator (semi-definite where the equation is), whatever the coefficients.
class Hierarchy {
public:
  Hierarchy(std::array<std::int64_t, 3> cells, std::array<bool, 3> periodic, Memory memory = Memory::host);

  /// Ranks share the work on the finest grid by these planes from now on, and on coarser ones as far as `deepest` of PlaneCut says.
  /// Small grids each does by itself. The CPU's calls are collective then.
  void share(const Planes& planes, std::int64_t deepest);

  /// Loads the finest grid and derives the coarser ones. Throws Error for a coefficient below 0 or not finite.
  void set_coefficients(Cpu, const FaceCoefficients&);
  /// Waits for the stream, and tells what else the pass over the coefficients has counted.
  PressurePattern set_coefficients(Gpu, const FaceCoefficients&);

  /// The finest grid: its `b` is the V-cycle's input and its `x` the output.
  Level& finest() { return levels_.front(); }
  const Level& finest() const { return levels_.front(); }

  /// One V-cycle from a zero guess.
  void cycle(Cpu cpu) { descend(cpu, 0); }
  /// The same where the gate is open, from a finest grid whose b was handed over by `begin` (device/levels.cuh).
  void cycle(Gpu, const PhaseGate&);

  std::size_t level_count() const { return levels_.size(); }
  Level& level(std::size_t l) { return levels_[l]; }

private:
  Survey load(Cpu, const FaceCoefficients&, double scale);
  template <Execution E> void plan(E, std::array<double, 3> strength);
  void share_levels();
  Level take_level(const std::array<std::int64_t, 3>& cells);
  void descend(Cpu, std::size_t level);
  void factorise();
  void solve_coarsest(Cpu);
  void load(Gpu, const FaceCoefficients&, double scale, SurveyOfDevice* told);
  std::size_t first_in_block() const;
  LevelsOfBlock levels_of_block();

  Memory memory_;
  std::int64_t deepest_ = 1;
  std::vector<Level> levels_, spare_; ///< spare: what an earlier plan had
  TransferBuffers buffers_;
  Array<Survey> surveys_;   ///< one per row
  Array<double> cholesky_;  ///< lower factor of the coarsest grid's matrix, row by row; empty where it is too large
  Array<double> unknowns_;
  // On a device
  Array<float> residual_{Memory::device}; ///< of one grid at a time
  Array<double> inverse_{Memory::device}; ///< of the coarsest grid's matrix
  SumMemory<SurveyOfDevice> survey_;
  Array<SurveyOfDevice> told_{Memory::device}, seen_{Memory::pinned};
};

} // namespace corral::fluid::multigrid
