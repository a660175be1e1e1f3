#pragma once

#include "engine/cpu/map_fields.hpp"
#include "engine/shared/support.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

namespace corral::cpu {

/// Cells and particles that a method is handed at most at a time: what its buffers hold.
inline constexpr int row_cells = 40;
inline constexpr int row_particles = 2048;

/// Neighbouring cells of one row along x with their particles, or a part of a cell that holds many. Particle p of the
/// piece has value[f][p] and fractions u[d][p]; `Value` and `Point` say which of the two is written.
template <class T, class Value, class Point> struct RowTask {
  int cells;                            ///< 1 .. row_cells
  const std::int32_t* begin;            ///< [cells + 1] the particles of cell c are [begin[c], begin[c + 1])
  std::array<const T*, 3> u;            ///< fractions within the cell
  int fields;                           ///< 1 .. field_block
  std::array<Value*, field_block> value;
  std::array<Point*, field_block> point; ///< first padded point of the first cell's stencil
};
template <class T> using SpreadTask = RowTask<T, const T, T>;
template <class T> using InterpolateTask = RowTask<T, T, const T>;

/// Where a piece lies.
struct RowPiece {
  std::int64_t i, j, k; ///< its first cell
  std::int64_t first;   ///< place of its first particle in the order
  int cells;
  std::array<std::int32_t, row_cells + 1> begin; ///< relative to `first`

  std::int64_t particles() const { return begin[cells]; }
};

/// Calls f(piece) for the particles of the rows (row = j + k groups_y) in order. How rows are cut depends on the
/// order alone. Stretches without particles are left out.
template <class T, class F>
void for_each_piece(const typename CellOrder<T>::Data& order, std::int64_t row_begin, std::int64_t row_end, F f) {
  const std::int64_t gx = order.groups[0].count, gy = order.groups[1].count;
  for (std::int64_t row = row_begin; row < row_end; ++row) {
    const std::int64_t* begin = order.begin.data() + row * gx;
    std::int64_t i = 0, first = begin[0];
    while (i < gx && first < begin[gx]) {
      RowPiece piece;
      piece.i = i;
      piece.j = row % gy;
      piece.k = row / gy;
      piece.first = first;
      piece.begin[0] = 0;
      piece.cells = 0;
      const std::int64_t most = first + row_particles;
      while (i < gx && piece.cells < row_cells && (begin[i + 1] <= most || piece.cells == 0)) {
        const std::int64_t end = std::min(begin[i + 1], most);
        piece.begin[++piece.cells] = static_cast<std::int32_t>(end - piece.first);
        first = end;
        if (end < begin[i + 1]) break; // the rest of the cell begins the next piece
        ++i;
      }
      if (piece.particles() > 0) f(piece);
    }
  }
}

/// Maps the particles of a row's cells to and from padded fields.
template <class T> class RowMethod {
public:
  virtual ~RowMethod() = default;
  virtual void spread(const SpreadTask<T>&) const = 0;
  virtual void interpolate(const InterpolateTask<T>&) const = 0;
};

/// Trilinear: all points of a cell in vector registers; dispatched to the best instruction set at run time.
template <class T>
std::unique_ptr<RowMethod<T>> linear_method(const shared::FieldSupport&, std::array<std::int64_t, 3> stride);

/// Trilinear for one field on each of the face grids x, y, z, each straddled on its own axis alone and 2 points wide on
/// the others: the three fields of a task, whose grids have these strides.
template <class T>
std::unique_ptr<RowMethod<T>> linear_faces_method(const std::array<std::array<std::int64_t, 3>, 3>& stride);

/// The weights of one axis of a cell, or basis functions that they are made of, as straight lines in the fraction u:
/// lane j is max(0, intercept[j] + slope[j] u). A straddled axis has the lines (max(0, 1/2 - u), 1, max(0, u - 1/2));
/// the sum that belongs to its middle point is put right once per cell: middle - low - high.
template <class T> struct Lines {
  T intercept[4], slope[4];
};

template <class T> constexpr Lines<T> lines(int width) {
  if (width == 1) return {{1, 0, 0, 0}, {0, 0, 0, 0}};
  if (width == 2) return {{1, 0, 0, 0}, {-1, 1, 0, 0}};
  return {{T(0.5), 1, T(-0.5), 0}, {-1, 0, 1, 0}};
}

/// The lines of two or three axes, one value per lane: lane i takes line a[i] of an axis of width w, and 0 for -1.
template <class T> struct LaneLines {
  T intercept[8], slope[8];

  constexpr LaneLines(int width, const int (&line)[8]) : intercept{}, slope{} {
    const Lines<T> l = lines<T>(width);
    for (int i = 0; i < 8; ++i)
      if (line[i] >= 0) {
        intercept[i] = l.intercept[line[i]];
        slope[i] = l.slope[line[i]];
      }
  }
};

} // namespace corral::cpu
