#pragma once

#include "fluid/own_planes.hpp"

#include <corral/array.hpp>
#include <corral/for_each.hpp>
#include <corral/grid.hpp>
#include <corral/host_device.hpp>

#include <array>
#include <concepts>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace corral::fluid {

/// A vector field by its normal components on the faces: component d has grid.points(face(d)) values, x fastest.
using FaceArrays = std::array<Array<double>, 3>;

inline FaceArrays make_face_arrays(const Grid& grid, double value = 0, Memory memory = Memory::host) {
  return {Array<double>(grid.points(face(0)), value, memory), Array<double>(grid.points(face(1)), value, memory),
          Array<double>(grid.points(face(2)), value, memory)};
}

/// Three values per cell: a vector of which all components stand at the centre.
inline std::array<Array<double>, 3> make_cell_arrays(const Grid& grid, double value = 0, Memory memory = Memory::host) {
  const Array<double> cells(grid.cells(), value, memory);
  return {cells, cells, cells};
}

/// What loops see of a vector field: [d][f] for face f of direction d.
using ConstFacePointers = std::array<const double*, 3>;
using FacePointers = std::array<double*, 3>;

inline ConstFacePointers pointers(const FaceArrays& f) { return {f[0].data(), f[1].data(), f[2].data()}; }
inline FacePointers writable_pointers(FaceArrays& f) { return {f[0].data(), f[1].data(), f[2].data()}; }

inline ConstFacePointers as_const(const FacePointers& f) { return {f[0], f[1], f[2]}; }

/// A vector field as a function of direction and face.
struct ValueOnFace {
  ConstFacePointers values;
  CORRAL_HOST_DEVICE double operator()(int d, std::int64_t f) const { return values[d][f]; }
};

/// A face and the two cells that it parts; -1 where there is none beyond a boundary.
struct Face {
  std::int64_t index;
  std::int64_t below, above; ///< cells
  std::int64_t along;        ///< its place along its normal
  std::array<std::int64_t, 3> place;
  CORRAL_HOST_DEVICE bool boundary() const { return below < 0 || above < 0; }
};

/// The faces with normal d of a row along x: what they have in common is found once.
class FaceRow {
public:
  CORRAL_HOST_DEVICE FaceRow(const Grid& grid, int d, std::int64_t j, std::int64_t k)
      : j_(j), k_(k), along_x_(d == 0), at_(d == 1 ? j : k), cells_(grid.axis(d).cells) {
    const std::int64_t nx = grid.axis(0).cells, ny = grid.axis(1).cells;
    step_ = d == 0 ? 1 : d == 1 ? nx : nx * ny;
    around_ = grid.axis(d).periodic() ? (cells_ - 1) * step_ : -1;
    first_ = grid.points(face(d), 0) * (j + grid.points(face(d), 1) * k);
    cell_ = nx * (j + ny * k);
  }

  CORRAL_HOST_DEVICE Face operator[](std::int64_t i) const {
    const std::int64_t at = along_x_ ? i : at_, cell = cell_ + i;
    const std::int64_t beyond = around_ < 0 ? -1 : cell + around_;
    return {first_ + i, at > 0 ? cell - step_ : beyond, at < cells_ ? cell : -1, at, {i, j_, k_}};
  }

private:
  std::int64_t j_, k_;
  bool along_x_;
  std::int64_t at_, cells_, step_, around_, first_, cell_; ///< around_: steps to the far end's cell; -1: no way there
};

/// The faces of a side of the box, numbered; where ranks share planes, those of its own.
class FacesOfSide {
public:
  FacesOfSide(const Grid& grid, const Planes& planes, int side) {
    const int d = side / 2, a = d == 0 ? 1 : 0, b = d == 2 ? 1 : 2; // axes along the side
    const std::array<std::int64_t, 3> n{grid.points(face(d), 0), grid.points(face(d), 1), grid.points(face(d), 2)};
    const std::array<std::int64_t, 3> stride{1, n[0], n[0] * n[1]};
    first_ = side % 2 == 0 ? 0 : (n[d] - 1) * stride[d];
    row_ = n[a], rows_ = n[b], along_ = stride[a], across_ = stride[b];
    if (!planes.shared()) return;
    if (b == 2) first_ += planes.begin() * across_, rows_ = planes.end() - planes.begin();
    else if (side % 2 == 0 ? planes.begin() > 0 : planes.end() < planes.count()) rows_ = 0;
  }
  CORRAL_HOST_DEVICE std::int64_t count() const { return row_ * rows_; }
  CORRAL_HOST_DEVICE std::int64_t operator[](std::int64_t k) const { return first_ + k % row_ * along_ + k / row_ * across_; }

private:
  std::int64_t first_, row_, rows_, along_, across_;
};

inline constexpr std::int64_t rows_per_task = 16;

/// The face beside a side's face, one cell further in along the normal; -1 where f is on no side, or there is none.
CORRAL_HOST_DEVICE inline std::int64_t inner_face(const Grid& grid, int d, const Face& f) {
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

/// The cell at `place`, whose index is that of the place.
CORRAL_HOST_DEVICE inline Cell cell_at(const Grid& grid, const std::array<std::int64_t, 3>& place) {
  Cell c{place[0] + grid.axis(0).cells * (place[1] + grid.axis(1).cells * place[2]), {}, {}, place};
  for (int d = 0; d < 3; ++d) {
    const Axis& axis = grid.axis(d);
    const std::int64_t nx = grid.points(face(d), 0), ny = grid.points(face(d), 1);
    const std::int64_t step = d == 0 ? 1 : d == 1 ? nx : nx * ny;
    const bool last = axis.periodic() && place[d] == axis.cells - 1;
    c.low[d] = place[0] + nx * (place[1] + ny * place[2]);
    c.high[d] = c.low[d] + (last ? -(axis.cells - 1) * step : step);
  }
  return c;
}

/// The cell beside c along axis d, above or below it; around the end of a periodic axis, -1 beyond a side.
CORRAL_HOST_DEVICE inline std::int64_t neighbour(const Grid& grid, const Cell& c, int d, bool above) {
  const Axis& axis = grid.axis(d);
  const std::int64_t nx = grid.axis(0).cells, step = d == 0 ? 1 : d == 1 ? nx : nx * grid.axis(1).cells;
  const std::int64_t at = c.place[d], around = (axis.cells - 1) * step;
  if (above) return at < axis.cells - 1 ? c.index + step : axis.periodic() ? c.index - around : -1;
  return at > 0 ? c.index - step : axis.periodic() ? c.index + around : -1;
}

namespace detail {

/// f(the face of an index): what a device's thread does.
template <class F> struct CallWithFace {
  Grid grid;
  int d;
  F f;

  CORRAL_HOST_DEVICE void operator()(std::int64_t index) const {
    const std::int64_t nx = grid.points(face(d), 0), ny = grid.points(face(d), 1);
    f(FaceRow(grid, d, index / nx % ny, index / (nx * ny))[index % nx]);
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

template <class F> struct CallWithPart {
  std::int64_t n;
  F f;
  CORRAL_HOST_DEVICE void operator()(std::int64_t index) const { f(index / n, index % n, index % n + 1); }
};

} // namespace detail

/// Calls f(Face) for every face with normal d, in parallel; on the CPU faces of one row along x in ascending order. Where ranks share
/// planes, those of its own cells: faces on a cut both ranks find.
template <Execution E, class F> void for_each_face(E execution, const Grid& grid, const Planes& planes, int d, F f) {
  const std::int64_t nx = grid.points(face(d), 0), ny = grid.points(face(d), 1), nz = grid.points(face(d), 2);
  if constexpr (std::same_as<E, Cpu>) {
    const std::int64_t first = planes.shared() ? planes.begin() : 0, last = planes.shared() ? planes.end() + (d == 2 ? 1 : 0) : nz;
    for_each_chunk(execution, ny * (last - first), rows_per_task, [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) {
        const std::int64_t k = first + row / ny;
        const FaceRow faces(grid, d, row % ny, k < nz ? k : 0); // periodic, and plane 0 is another rank's
        for (std::int64_t i = 0; i < nx; ++i) f(faces[i]);
      }
    });
  } else {
    for_each(execution, nx * ny * nz, detail::CallWithFace<F>{grid, d, f});
  }
}
template <Execution E, class F> void for_each_face(E execution, const Grid& grid, int d, F f) {
  for_each_face(execution, grid, Planes(), d, f);
}
/// The same of those whose index says all: f(index).
template <Execution E, class F> void for_each_face_index(E execution, const Grid& grid, const Planes& planes, int d, F f) {
  if (!planes.shared()) return for_each(execution, grid.points(face(d)), f);
  if constexpr (std::same_as<E, Cpu>) {
    const OwnRange own = own_faces(grid, planes, d);
    for_each(execution, own.count, [=](std::int64_t k) { f(own.first + k); });
    const bool last = planes.end() == planes.count();
    if (d != 2 || (last && !grid.axis(2).periodic())) return;
    const std::int64_t cut = last ? 0 : own.first + own.count;
    for_each(execution, points_of_plane(grid, face(d)), [=](std::int64_t k) { f(cut + k); });
  }
}

/// Calls f(Cell) for every cell of the rows for which wanted(j, k), in parallel; cells of one row along x in ascending
/// order. Where ranks share planes, of its own.
template <class Wanted, class F> void for_each_cell_of_rows(Cpu cpu, const Grid& grid, const Planes& planes, Wanted wanted, F f) {
  const std::int64_t nx = grid.axis(0).cells, ny = grid.axis(1).cells;
  const std::int64_t first = planes.shared() ? planes.begin() : 0, last = planes.shared() ? planes.end() : grid.axis(2).cells;
  for_each_chunk(cpu, ny * (last - first), rows_per_task, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const std::int64_t j = row % ny, k = first + row / ny;
      if (!wanted(j, k)) continue;
      for (std::int64_t i = 0; i < nx; ++i) f(cell_at(grid, {i, j, k}));
    }
  });
}

/// Calls f(Cell) for every cell, in parallel; on the CPU cells of one row along x in ascending order.
template <Execution E, class F> void for_each_cell(E execution, const Grid& grid, const Planes& planes, F f) {
  if constexpr (std::same_as<E, Cpu>)
    for_each_cell_of_rows(execution, grid, planes, [](std::int64_t, std::int64_t) { return true; }, f);
  else
    for_each(execution, grid.cells(), detail::CallWithCell<F>{grid, f});
}
template <Execution E, class F> void for_each_cell(E execution, const Grid& grid, F f) {
  for_each_cell(execution, grid, Planes(), f);
}

/// Calls f(row, begin, end) for parts of rows of n values each: on the CPU for whole rows, `rows_at_once` of them a
/// task, so that what is said of a row is found once and the rest runs in vectors; on a device value by value.
template <Execution E, class F>
void for_each_part(E execution, std::int64_t rows, std::int64_t n, std::int64_t rows_at_once, F f) {
  if constexpr (std::same_as<E, Cpu>)
    for_each_chunk(execution, rows, rows_at_once, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) f(row, std::int64_t{0}, n);
    });
  else
    for_each(execution, rows * n, detail::CallWithPart<F>{n, f});
}

/// Calls f(index) for each of these points, in parallel.
template <Execution E, class F> void for_each_point(E execution, const std::vector<OwnRange>& ranges, F f) {
  for (const OwnRange& range : ranges) {
    const std::int64_t first = range.first;
    for_each(execution, range.count, [=] CORRAL_BODY(std::int64_t i) { f(first + i); });
  }
}

/// values = value.
template <Execution E, class T> void fill(E execution, Array<T>& values, std::type_identity_t<T> value) {
  T* const to = values.data();
  for_each(execution, values.size(), [=] CORRAL_BODY(std::int64_t i) { to[i] = value; });
}

} // namespace corral::fluid
