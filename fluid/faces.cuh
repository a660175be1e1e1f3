#pragma once

/// The loops of fluid/faces.hpp on a CUDA device, for `.cu` files: a cell or a face per index.

#include "fluid/faces.hpp"

#include <corral/for_each.cuh>

namespace corral::fluid {

template <class F> struct CallWithFace {
  Grid grid;
  int d;
  F f;

  CORRAL_HOST_DEVICE void operator()(std::int64_t index) const {
    const std::int64_t nx = grid.points(face(d), 0), ny = grid.points(face(d), 1);
    f(face_at(grid, d, index, {index % nx, index / nx % ny, index / (nx * ny)}));
  }
};

template <class F> struct CallWithCell {
  Grid grid;
  F f;

  CORRAL_HOST_DEVICE void operator()(std::int64_t index) const {
    const std::int64_t nx = grid.axis(0).cells, ny = grid.axis(1).cells;
    f(cell_at(grid, {index % nx, index / nx % ny, index / (nx * ny)}));
  }
};

/// Calls f(Face) for every face with normal d, in any order.
template <class F> void for_each_face(Gpu gpu, const Grid& grid, int d, F f) {
  for_each(gpu, grid.points(face(d)), CallWithFace<F>{grid, d, f});
}

/// Calls f(Cell) for every cell, in any order.
template <class F> void for_each_cell(Gpu gpu, const Grid& grid, F f) {
  for_each(gpu, grid.cells(), CallWithCell<F>{grid, f});
}

} // namespace corral::fluid
