#pragma once

#include <corral/array.hpp>
#include <corral/for_each.hpp>
#include <corral/grid.hpp>

#include <array>
#include <cstdint>

namespace corral::fluid {

/// A vector field by its normal components on the faces: component d has grid.points(face(d)) values, x fastest.
using FaceArrays = std::array<Array<double>, 3>;

inline FaceArrays make_face_arrays(const Grid& grid, double value = 0) {
  return {Array<double>(grid.points(face(0)), value), Array<double>(grid.points(face(1)), value),
          Array<double>(grid.points(face(2)), value)};
}

inline std::array<const double*, 3> pointers(const FaceArrays& f) { return {f[0].data(), f[1].data(), f[2].data()}; }

/// A face and the two cells that it parts; -1 where there is none beyond a boundary.
struct Face {
  std::int64_t index;
  std::int64_t below, above; ///< cells
  std::array<std::int64_t, 3> place;
  bool boundary() const { return below < 0 || above < 0; }
};

inline constexpr std::int64_t rows_per_task = 16;

/// Calls f(Face) for every face with normal d, in parallel; faces of one row along x in ascending order.
template <class F> void for_each_face(Cpu cpu, const Grid& grid, int d, F f) {
  const std::array<std::int64_t, 3> cells{grid.axis(0).cells, grid.axis(1).cells, grid.axis(2).cells};
  const std::array<std::int64_t, 3> step{1, cells[0], cells[0] * cells[1]};
  const std::int64_t nx = grid.points(face(d), 0), ny = grid.points(face(d), 1), nz = grid.points(face(d), 2);
  const auto axis = static_cast<std::size_t>(d);
  const bool wraps = grid.axis(d).periodic();
  for_each_chunk(cpu, ny * nz, rows_per_task, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      Face s{row * nx, 0, 0, {0, row % ny, row / ny}};
      for (; s.place[0] < nx; ++s.place[0], ++s.index) {
        const std::int64_t at = s.place[axis];
        const std::int64_t cell = s.place[0] + s.place[1] * step[1] + s.place[2] * step[2];
        s.above = at < cells[axis] ? cell : -1;
        s.below = at > 0 ? cell - step[axis] : wraps ? cell + (cells[axis] - 1) * step[axis] : -1;
        f(static_cast<const Face&>(s));
      }
    }
  });
}

/// The face beside a side's face, one cell further in along the normal; -1 where f is on no side, or there is none.
inline std::int64_t inner_face(const Grid& grid, int d, const Face& f) {
  if (!f.boundary() || grid.axis(d).cells < 2) return -1;
  const std::int64_t nx = grid.points(face(d), 0);
  const std::int64_t stride = d == 0 ? 1 : d == 1 ? nx : nx * grid.points(face(d), 1);
  return f.below < 0 ? f.index + stride : f.index - stride;
}

/// A cell and its six faces.
struct Cell {
  std::int64_t index;
  std::array<std::int64_t, 3> low, high; ///< faces, per normal
  std::array<std::int64_t, 3> place;
};

/// The cell beside c along axis d, above or below it; around the end of a periodic axis, -1 beyond a side.
inline std::int64_t neighbour(const Grid& grid, const Cell& c, int d, bool above) {
  const Axis& axis = grid.axis(d);
  const std::int64_t nx = grid.axis(0).cells, step = d == 0 ? 1 : d == 1 ? nx : nx * grid.axis(1).cells;
  const std::int64_t at = c.place[static_cast<std::size_t>(d)], around = (axis.cells - 1) * step;
  if (above) return at < axis.cells - 1 ? c.index + step : axis.periodic() ? c.index - around : -1;
  return at > 0 ? c.index - step : axis.periodic() ? c.index + around : -1;
}

/// Calls f(Cell) for every cell of the rows for which wanted(j, k), in parallel; cells of one row along x in ascending
/// order.
template <class Wanted, class F> void for_each_cell_of_rows(Cpu cpu, const Grid& grid, Wanted wanted, F f) {
  const std::array<std::int64_t, 3> cells{grid.axis(0).cells, grid.axis(1).cells, grid.axis(2).cells};
  std::array<std::int64_t, 3> face_nx{}, face_ny{};
  for (int d = 0; d < 3; ++d) {
    face_nx[static_cast<std::size_t>(d)] = grid.points(face(d), 0);
    face_ny[static_cast<std::size_t>(d)] = grid.points(face(d), 1);
  }
  const std::array<bool, 3> wraps{grid.axis(0).periodic(), grid.axis(1).periodic(), grid.axis(2).periodic()};
  for_each_chunk(cpu, cells[1] * cells[2], rows_per_task, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      Cell c{row * cells[0], {}, {}, {0, row % cells[1], row / cells[1]}};
      if (!wanted(c.place[1], c.place[2])) continue;
      for (; c.place[0] < cells[0]; ++c.place[0], ++c.index) {
        for (std::size_t d = 0; d < 3; ++d) {
          const std::int64_t step = d == 0 ? 1 : d == 1 ? face_nx[d] : face_nx[d] * face_ny[d];
          c.low[d] = c.place[0] + face_nx[d] * (c.place[1] + face_ny[d] * c.place[2]);
          const bool last = wraps[d] && c.place[d] == cells[d] - 1;
          c.high[d] = c.low[d] + (last ? -(cells[d] - 1) * step : step);
        }
        f(static_cast<const Cell&>(c));
      }
    }
  });
}

/// Calls f(Cell) for every cell, in parallel; cells of one row along x in ascending order.
template <class F> void for_each_cell(Cpu cpu, const Grid& grid, F f) {
  for_each_cell_of_rows(cpu, grid, [](std::int64_t, std::int64_t) { return true; }, f);
}

} // namespace corral::fluid
