#pragma once

#include "tests/catch.hpp"
#include "tests/engine/cases.hpp"
#include "tests/engine/boxes/shapes.hpp"
#include "tests/tolerance.hpp"

#include <corral/boxes.hpp>
#include <corral/spread.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace corral::test {

inline constexpr std::array<double, 3> origin{-0.3, 0.1, 2}, spacing{0.01, 0.02, 0.005};

inline Grid grid_of(std::array<std::int64_t, 3> cells, std::array<bool, 3> periodic) {
  std::array<Axis, 3> axes;
  for (std::size_t d = 0; d < 3; ++d) {
    const Boundary side = periodic[d] ? Boundary::periodic : Boundary::wall;
    axes[d] = {cells[d], origin[d], spacing[d], side, side};
  }
  return Grid(axes);
}

using FaceArrays = std::array<Array<double>, 3>; ///< [d] has a value for each face with normal d

inline FaceArrays face_arrays(const Grid& grid, double value = 0) {
  return {Array<double>(grid.points(face(0)), value), Array<double>(grid.points(face(1)), value),
          Array<double>(grid.points(face(2)), value)};
}
inline std::array<const double*, 3> pointers(const std::array<Array<double>, 3>& a) {
  return {a[0].data(), a[1].data(), a[2].data()};
}
inline std::array<double*, 3> pointers(std::array<Array<double>, 3>& a) { return {a[0].data(), a[1].data(), a[2].data()}; }

enum class Where { anywhere, faces, sides, one_cell };

/// Particles in cell order, with a column of values of either sign.
struct Scene {
  Grid grid;
  std::int64_t n;
  std::array<Array<double>, 3> x;
  Array<double> value, absolute;
  CellOrder<double> order;

  Scene(const Grid& g, std::int64_t particles, Where where, unsigned seed)
      : grid(g), n(particles), value(n), absolute(n), order(g, {Offset::half, Offset::half, Offset::half}) {
    Random random(seed);
    for (int d = 0; d < 3; ++d) {
      const Axis& a = grid.axis(d);
      Array<double>& column = x[d];
      column.resize(n);
      for (double& at : column) {
        const bool edge = random.uniform(0, 1) < 0.6;
        double cell = random.uniform(0, static_cast<double>(a.cells));
        if (where == Where::one_cell) cell = random.uniform(0, 1);
        if (where == Where::faces && edge) cell = std::floor(cell);
        at = a.origin + cell * a.spacing;
        if (where == Where::sides && edge) at = random.coin() && !a.periodic() ? a.origin + a.length() : a.origin;
      }
    }
    for (std::int64_t i = 0; i < n; ++i) value[i] = random.uniform(-1, 1), absolute[i] = std::abs(value[i]);
    sort();
  }
  Positions<double> places() const { return positions<double>(x[0].data(), x[1].data(), x[2].data(), n); }
  PositionColumns columns() const { return {x[0].data(), x[1].data(), x[2].data()}; }
  void sort() {
    REQUIRE(order.sort(Cpu{}, places()).inside == n);
    const auto column = [&](Array<double>& a) { return Column<double>{a.data(), n}; };
    order.reorder(Cpu{}, column(x[0]), column(x[1]), column(x[2]), column(value), column(absolute));
  }
};

/// Sums over cells and over the boxes of each axis.
struct Sums {
  Array<double> cells;
  FaceArrays faces;

  explicit Sums(const Grid& grid, double begin = 0) : cells(grid.cells(), begin), faces(face_arrays(grid, begin)) {}
  BoxTerm term(const Array<double>& column) {
    return {column.data(), cells.data(), {faces[0].data(), faces[1].data(), faces[2].data()}};
  }
};

inline Sums by_boxes(const Scene& s, const Array<double>& column, double begin = 0) {
  Sums sums(s.grid, begin);
  const BoxTerm term = sums.term(column);
  spread_to_boxes(Cpu{}, s.order, s.columns(), {&term, 1});
  return sums;
}

inline Sums by_engine(const Scene& s, const Array<double>& column) {
  Sums sums(s.grid);
  corral::spread<kernels::Linear, double>(
      Cpu{}, s.order, kernels::Linear{},
      {{{column.data(), s.n}, field_view(s.grid, sums.cells.data(), Staggering::centre)}});
  for (int d = 0; d < 3; ++d) {
    Array<double>& out = sums.faces[d];
    if (s.grid.axis(d).thin()) continue; // there boxes have no flux
    corral::spread<BoxKernel, double>(Cpu{}, s.order, BoxKernel{},
                                             {{{column.data(), s.n}, field_view(s.grid, out.data(), face(d))}});
  }
  return sums;
}

/// A fraction errs by eps of the place in cells, 25 at most here and beyond the origin, whatever the weight.
inline void check_same(const Array<double>& a, const Array<double>& b, const Array<double>& absolute, std::int64_t n) {
  double largest = 0;
  for (const double v : absolute) largest = std::max(largest, v);
  double worst = 0;
  for (std::int64_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  CHECK(worst <= round_off(n + 1000) * largest);
}

/// Calls f(scene) for every shape, place and number of particles.
template <class F> void for_each_scene(F f) {
  unsigned seed = 0;
  for (const Shape& shape : shapes)
    for (const Where where : {Where::anywhere, Where::faces, Where::sides, Where::one_cell})
      for (const std::int64_t n : {0, 1, 300}) {
        INFO(shape.cells[0] << " x " << shape.cells[1] << " x " << shape.cells[2] << ", periodic " << shape.periodic[0]
                            << shape.periodic[1] << shape.periodic[2] << ", place " << static_cast<int>(where) << ", "
                            << n << " particles");
        f(Scene(grid_of(shape.cells, shape.periodic), n, where, ++seed));
      }
}

} // namespace corral::test
