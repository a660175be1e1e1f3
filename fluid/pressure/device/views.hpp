#pragma once

#include "fluid/pressure/multigrid.hpp"
#include "fluid/pressure/pressure.hpp"

#include <corral/host_device.hpp>

#include <algorithm>
#include <cstdint>

/// What a device's threads see of a pressure equation: pointers to its memory, and numbers. Cells and places in rows are
/// fewer than 2^31, for they are divided.
namespace corral::fluid {

/// The caller's coefficients.
struct EquationView {
  std::uint32_t n[3]{}, cells = 0;
  std::uint32_t periodic = 0; ///< bit d: axis d
  const double* b[3]{};
  const double* diagonal = nullptr;

  EquationView() = default;
  EquationView(const std::array<std::int64_t, 3>& of, const std::array<bool, 3>& wraps, const FaceCoefficients& a)
      : cells(static_cast<std::uint32_t>(of[0] * of[1] * of[2])), b{a.b[0], a.b[1], a.b[2]}, diagonal(a.diagonal) {
    for (unsigned d = 0; d < 3; ++d) {
      n[d] = static_cast<std::uint32_t>(of[d]);
      periodic |= wraps[d] ? 1u << d : 0u;
    }
  }

  CORRAL_HOST_DEVICE bool wraps(unsigned d) const { return (periodic >> d & 1) != 0; }
};

/// A cell with its six faces and neighbours: lower and upper x, y, z. A neighbour beyond a boundary is none, that of a
/// thin periodic axis the cell itself.
struct CellOfEquation {
  static constexpr std::uint32_t none = 0xFFFFFFFFu;
  std::uint32_t i, j, k, index;
  std::int64_t face[6];
  std::uint32_t neighbour[6];

  CORRAL_HOST_DEVICE CellOfEquation(const EquationView& e, std::uint32_t cell) : index(cell) {
    const std::uint32_t nx = e.n[0], ny = e.n[1], row = cell / nx;
    i = cell - row * nx;
    k = row / ny;
    j = row - k * ny;
    const std::uint32_t plane = nx * ny;
    const std::int64_t faces_x = nx + (e.wraps(0) ? 0 : 1), faces_y = ny + (e.wraps(1) ? 0 : 1);
    set(0, i, nx, 1, faces_x * row, 1, e.wraps(0));
    set(1, j, ny, nx, i + nx * (faces_y * k), nx, e.wraps(1));
    set(2, k, e.n[2], plane, i + static_cast<std::int64_t>(nx) * j, plane, e.wraps(2));
  }

private:
  /// Along an axis: the place, cells, their step; the axis' first face, and the faces' step.
  CORRAL_HOST_DEVICE void set(int d, std::uint32_t at, std::uint32_t n, std::uint32_t step, std::int64_t first,
                              std::int64_t face_step, bool wraps) {
    const bool is_first = at == 0, is_last = at == n - 1;
    face[2 * d] = first + face_step * at;
    face[2 * d + 1] = is_last && wraps ? first : first + face_step * (at + 1);
    neighbour[2 * d] = !is_first ? index - step : wraps ? index + (n - 1) * step : none;
    neighbour[2 * d + 1] = !is_last ? index + step : wraps ? index - (n - 1) * step : none;
  }
};

CORRAL_HOST_DEVICE inline FaceBits bits_of_faces(const EquationView& e, const CellOfEquation& c) {
  FaceBits bits;
#pragma unroll
  for (unsigned f = 0; f < 6; ++f) {
    if (e.b[f / 2][c.face[f]] > 0) bits.positive |= 1u << f;
    if (c.neighbour[f] == CellOfEquation::none) bits.outside |= 1u << f;
    if (c.neighbour[f] == c.index) bits.itself |= 1u << f;
  }
  return bits;
}

namespace multigrid {

/// A grid (multigrid.hpp). Ghosts of x stay 0 but on seams: threads find neighbours across a periodic axis by themselves.
struct LevelView {
  std::int32_t n[3]{}, factor[3]{};
  std::int32_t half = 0, odd = 0, y = 0, z = 0; ///< y, z: steps from row to row and from plane to plane
  std::uint32_t periodic = 0, seams = 0;        ///< bit d: axis d; a seam is that of an odd number of cells
  std::int32_t sweeps = 0;
  bool uncoupled = false; ///< no cell knows another, and there are too many for a direct solve
  float *face[3]{}, *reaction = nullptr, *inverse = nullptr, *weight[3]{}, *b = nullptr, *x = nullptr;

  CORRAL_HOST_DEVICE std::int32_t place(std::int32_t i) const { return (i & 1) * odd + (i >> 1); }
  CORRAL_HOST_DEVICE std::int32_t row(std::int32_t j, std::int32_t k) const { return (j + 1) * y + (k + 1) * z; }
  CORRAL_HOST_DEVICE bool wraps(int d) const { return (periodic >> d & 1) != 0; }
  CORRAL_HOST_DEVICE bool has_seam(int d) const { return (seams >> d & 1) != 0; }
  CORRAL_HOST_DEVICE std::uint32_t cells() const { return static_cast<std::uint32_t>(n[0] * n[1] * n[2]); }
  /// Of one colour; the last of a row may be none.
  CORRAL_HOST_DEVICE std::uint32_t sites() const { return static_cast<std::uint32_t>(half * n[1] * n[2]); }
};

inline LevelView view(Level& l, std::size_t number, bool coarsest) {
  LevelView v;
  for (unsigned d = 0; d < 3; ++d) {
    v.n[d] = static_cast<std::int32_t>(l.cells[d]);
    v.factor[d] = static_cast<std::int32_t>(l.factor[d]);
    if (l.periodic[d]) v.periodic |= 1u << d;
    if (l.periodic[d] && l.cells[d] > 1 && l.cells[d] % 2 == 1) v.seams |= 1u << d;
    v.face[d] = l.face[d].data();
    v.weight[d] = l.weight[d].data();
  }
  v.half = static_cast<std::int32_t>(l.half);
  v.odd = static_cast<std::int32_t>(l.odd);
  v.y = static_cast<std::int32_t>(l.row_step());
  v.z = static_cast<std::int32_t>(l.plane_step());
  v.sweeps = sweeps(number);
  v.uncoupled = coarsest && l.cell_count() > coarsest_cells;
  v.reaction = l.reaction.data();
  v.inverse = l.inverse.data();
  v.b = l.b.data();
  v.x = l.x.data();
  return v;
}

inline constexpr std::int64_t cells_of_a_block = 8192; ///< grids up to here are one block's: a launch costs more than they do
inline constexpr int most_levels_of_a_block = 17;      ///< each has at most half the cells, but for odd axes

/// The last grids, down to the one that is solved directly.
struct LevelsOfBlock {
  LevelView level[most_levels_of_a_block];
  int count = 0;
  bool first_is_finest = false; ///< whose inverse is there already
  float* residual = nullptr;
  double* inverse = nullptr; ///< of the coarsest grid's matrix
};

} // namespace multigrid
} // namespace corral::fluid
