#include "mppic/contact/boxes.hpp"

#include "tests/catch.hpp"
#include "tests/engine/random.hpp"
#include "tests/fluid/in_turn.hpp"
#include "tests/tolerance.hpp"

#include <corral/interpolate.hpp>
#include <corral/spread.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace corral::test {
namespace {

using mppic::Boxes;
using mppic::BoxKernel;

constexpr std::array<double, 3> origin{-0.3, 0.1, 2}, spacing{0.01, 0.02, 0.005};

Grid grid_of(std::array<std::int64_t, 3> cells, std::array<bool, 3> periodic) {
  std::array<Axis, 3> axes;
  for (std::size_t d = 0; d < 3; ++d) {
    const Boundary side = periodic[d] ? Boundary::periodic : Boundary::wall;
    axes[d] = {cells[d], origin[d], spacing[d], side, side};
  }
  return Grid(axes);
}

enum class Where { anywhere, faces, sides, one_cell };

/// Parcels in cell order, with a column of values of either sign.
struct Scene {
  Grid grid;
  std::int64_t n;
  std::array<Array<double>, 3> x;
  Array<double> value, absolute;
  CellOrder<double> order;

  Scene(const Grid& g, std::int64_t parcels, Where where, unsigned seed)
      : grid(g), n(parcels), value(n), absolute(n), order(g, {Offset::half, Offset::half, Offset::half}) {
    Random random(seed);
    for (int d = 0; d < 3; ++d) {
      const Axis& a = grid.axis(d);
      Array<double>& column = x[static_cast<std::size_t>(d)];
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
  Boxes::Place columns() const { return {x[0].data(), x[1].data(), x[2].data()}; }
  void sort() {
    REQUIRE(order.sort(Cpu{}, places()).inside == n);
    const auto column = [&](Array<double>& a) { return Column<double>{a.data(), n}; };
    order.reorder(Cpu{}, column(x[0]), column(x[1]), column(x[2]), column(value), column(absolute));
  }
};

/// Sums over cells and over the boxes of each axis.
struct Sums {
  Array<double> cells;
  fluid::FaceArrays faces;

  explicit Sums(const Grid& grid) : cells(grid.cells(), 99.0), faces(fluid::make_face_arrays(grid, 99.0)) {}
  Boxes::Term term(const Array<double>& column) {
    return {column.data(), cells.data(), {faces[0].data(), faces[1].data(), faces[2].data()}};
  }
};

Sums by_boxes(const Scene& s, const Array<double>& column) {
  Sums sums(s.grid);
  Boxes(s.grid).spread(Cpu{}, s.order, s.columns(), {sums.term(column)});
  return sums;
}

Sums by_engine(const Scene& s, const Array<double>& column) {
  Sums sums(s.grid);
  sums.cells.fill(0);
  corral::spread<kernels::Linear, double>(
      Cpu{}, s.order, kernels::Linear{},
      {{{column.data(), s.n}, field_view(s.grid, sums.cells.data(), Staggering::centre)}});
  for (int d = 0; d < 3; ++d) {
    Array<double>& out = sums.faces[static_cast<std::size_t>(d)];
    out.fill(0);
    if (s.grid.axis(d).thin()) continue; // there boxes have no flux
    corral::spread<BoxKernel, double>(Cpu{}, s.order, BoxKernel{},
                                      {{{column.data(), s.n}, field_view(s.grid, out.data(), face(d))}});
  }
  return sums;
}

/// A fraction errs by eps of the place in cells, 25 at most here and beyond the origin, whatever the weight.
void check_same(const Array<double>& a, const Array<double>& b, const Array<double>& absolute, std::int64_t n) {
  double largest = 0;
  for (const double v : absolute) largest = std::max(largest, v);
  double worst = 0;
  for (std::int64_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  CHECK(worst <= round_off(n + 1000) * largest);
}

struct Shape {
  std::array<std::int64_t, 3> cells;
  std::array<bool, 3> periodic;
};
const std::vector<Shape> shapes{{{6, 5, 4}, {false, false, false}}, {{6, 5, 4}, {true, true, true}},
                                {{5, 4, 3}, {true, false, true}},   {{3, 3, 5}, {true, true, true}},
                                {{2, 2, 2}, {true, true, true}},    {{2, 2, 2}, {false, false, false}},
                                {{1, 5, 4}, {true, true, false}},   {{6, 1, 4}, {false, false, true}},
                                {{1, 1, 7}, {true, false, true}},   {{6, 5, 1}, {true, false, true}},
                                {{1, 1, 1}, {false, true, false}}};

/// Calls f(scene) for every shape, place and number of parcels.
template <class F> void for_each_scene(F f) {
  unsigned seed = 0;
  for (const Shape& shape : shapes)
    for (const Where where : {Where::anywhere, Where::faces, Where::sides, Where::one_cell})
      for (const std::int64_t n : {0, 1, 300}) {
        INFO(shape.cells[0] << " x " << shape.cells[1] << " x " << shape.cells[2] << ", periodic " << shape.periodic[0]
                            << shape.periodic[1] << shape.periodic[2] << ", place " << static_cast<int>(where) << ", "
                            << n << " parcels");
        f(Scene(grid_of(shape.cells, shape.periodic), n, where, ++seed));
      }
}

fluid::FaceArrays random_fields(const Grid& grid, unsigned seed) {
  Random random(seed);
  fluid::FaceArrays fields = fluid::make_face_arrays(grid);
  for (auto& field : fields)
    for (double& v : field) v = random.uniform(-1, 1);
  return fields;
}

std::array<Array<double>, 3> random_cells(const Grid& grid, unsigned seed) {
  Random random(seed);
  std::array<Array<double>, 3> cells;
  for (auto& field : cells) {
    field.resize(grid.cells());
    for (double& v : field) v = random.uniform(-1, 1);
  }
  return cells;
}

std::array<Array<double>, 3> nothing_in_cells(const Grid& grid) {
  const Array<double> zero(grid.cells(), 0.0);
  return {zero, zero, zero};
}

std::array<Array<double>, 3> interpolated(const Scene& s, const fluid::FaceArrays& faces,
                                          const std::array<Array<double>, 3>& cells) {
  std::array<Array<double>, 3> out{Array<double>(s.n, 99.0), Array<double>(s.n, 99.0), Array<double>(s.n, 99.0)};
  Boxes(s.grid).interpolate(Cpu{}, s.order, s.columns(), faces, cells, {out[0].data(), out[1].data(), out[2].data()});
  return out;
}

} // namespace

TEST_CASE("boxes spread as the engine's maps do") {
  for_each_scene([](const Scene& s) {
    const Sums boxes = by_boxes(s, s.value), engine = by_engine(s, s.value), absolute = by_engine(s, s.absolute);
    check_same(boxes.cells, engine.cells, absolute.cells, s.n);
    for (std::size_t d = 0; d < 3; ++d) check_same(boxes.faces[d], engine.faces[d], absolute.faces[d], s.n);
  });
}

TEST_CASE("boxes interpolate as the engine's maps do, and are adjoint to their spread") {
  for_each_scene([](const Scene& s) {
    const fluid::FaceArrays fields = random_fields(s.grid, 5);
    const auto boxes = interpolated(s, fields, nothing_in_cells(s.grid));
    const Sums spread = by_boxes(s, s.value);
    const Array<double> one(s.n, 1.0);
    for (int d = 0; d < 3; ++d) {
      const auto i = static_cast<std::size_t>(d);
      Array<double> engine(s.n, 0.0);
      if (!s.grid.axis(d).thin())
        corral::interpolate<BoxKernel, double>(
            Cpu{}, s.order, BoxKernel{},
            {{field_view<const double>(s.grid, fields[i].data(), face(d)), {engine.data(), s.n}}});
      check_same(boxes[i], engine, one, 4);
      double grid_side = 0, parcel_side = 0, absolute = 0;
      for (std::int64_t f = 0; f < fields[i].size(); ++f) grid_side += fields[i][f] * spread.faces[i][f];
      for (std::int64_t p = 0; p < s.n; ++p) parcel_side += s.value[p] * boxes[i][p], absolute += s.absolute[p];
      CHECK(std::abs(grid_side - parcel_side) <= round_off(s.n + 1000) * absolute);
    }
  });
}

TEST_CASE("boxes interpolate faces and cells together as the engine's maps do one by one") {
  for_each_scene([](const Scene& s) {
    const fluid::FaceArrays fields = random_fields(s.grid, 7);
    const auto cells = random_cells(s.grid, 8);
    const auto alone = interpolated(s, fields, nothing_in_cells(s.grid)), together = interpolated(s, fields, cells);
    const Array<double> one(s.n, 1.0);
    for (int d = 0; d < 3; ++d) {
      const auto i = static_cast<std::size_t>(d);
      Array<double> engine(s.n, 0.0);
      if (!s.grid.axis(d).thin())
        corral::interpolate<kernels::Linear, double>(
            Cpu{}, s.order, kernels::Linear{},
            {{field_view<const double>(s.grid, cells[i].data(), Staggering::centre), {engine.data(), s.n}}});
      // Beyond the last centre the values fall to 0 at the side: twice the distance from it, in cells, of what they were.
      const Axis& axis = s.grid.axis(d);
      for (std::int64_t p = 0; p < s.n; ++p) {
        const double index = axis.index(s.x[i][p]), side = std::min(index, static_cast<double>(axis.cells) - index);
        if (!axis.periodic() && !axis.thin() && side < 0.5) engine[p] *= 2 * side;
        engine[p] += alone[i][p];
      }
      check_same(together[i], engine, one, 8);
    }
  });
}

TEST_CASE("boxes spread what is carried as the engine's maps do") {
  for_each_scene([](const Scene& s) {
    fluid::FaceArrays fluxes = fluid::make_face_arrays(s.grid, 99.0);
    std::array<Array<double>, 3> distance, product, absolute;
    Random random(11);
    for (int d = 0; d < 3; ++d) {
      const auto i = static_cast<std::size_t>(d);
      const Axis& axis = s.grid.axis(d);
      for (Array<double>* a : {&distance[i], &product[i], &absolute[i]}) a->resize(s.n);
      for (std::int64_t p = 0; p < s.n; ++p) {
        const double index = axis.index(s.x[i][p]), centre = std::floor(index - 0.5) + 0.5;
        distance[i][p] = (random.uniform(centre, centre + 1) - index) * axis.spacing; // ends in the box that it begins in
        product[i][p] = s.absolute[p] * distance[i][p];
        absolute[i][p] = std::abs(product[i][p]);
      }
    }
    Boxes(s.grid).spread_fluxes(Cpu{}, s.order, s.columns(), s.absolute.data(),
                                {distance[0].data(), distance[1].data(), distance[2].data()}, fluxes);
    for (std::size_t d = 0; d < 3; ++d)
      check_same(fluxes[d], by_engine(s, product[d]).faces[d], by_engine(s, absolute[d]).faces[d], s.n);
  });
}

TEST_CASE("what parcels carry into the next box is what the cells gain, too") {
  for (const Shape& shape : shapes)
    for (int d = 0; d < 3; ++d) {
      Scene s(grid_of(shape.cells, shape.periodic), 300, Where::anywhere, 23);
      const auto i = static_cast<std::size_t>(d);
      const Axis& axis = s.grid.axis(d);
      INFO(shape.cells[0] << " x " << shape.cells[1] << " x " << shape.cells[2] << ", axis " << d);
      Random random(5);
      std::array<Array<double>, 3> distance;
      for (Array<double>& column : distance) column.resize(s.n);
      Array<double> moved = s.x[i];
      const double length = axis.length();
      for (std::int64_t p = 0; p < s.n; ++p) {
        double to = s.x[i][p] + random.uniform(-0.99, 0.99) * axis.spacing;
        if (!axis.periodic()) to = std::clamp(to, axis.origin, axis.origin + length);
        distance[i][p] = to - s.x[i][p];
        moved[p] = axis.periodic() ? to - length * std::floor((to - axis.origin) / length) : to;
      }
      fluid::FaceArrays fluxes = fluid::make_face_arrays(s.grid, 99.0);
      Boxes(s.grid).spread_fluxes(Cpu{}, s.order, s.columns(), s.absolute.data(),
                                  {distance[0].data(), distance[1].data(), distance[2].data()}, fluxes);
      const Sums before = by_boxes(s, s.absolute);
      s.x[i] = moved;
      s.sort();
      const Sums after = by_boxes(s, s.absolute);
      Array<double> change(s.grid.cells(), 0.0);
      each_face_in_turn(s.grid, d, [&](const fluid::Face& f) {
        if (f.boundary()) return;
        change[f.above] += fluxes[i][f.index] / axis.spacing;
        change[f.below] -= fluxes[i][f.index] / axis.spacing;
      });
      for (std::int64_t c = 0; c < s.grid.cells(); ++c) {
        const double held = before.cells[c] + after.cells[c] + 1;
        CHECK(std::abs(after.cells[c] - before.cells[c] - change[c]) <= round_off(2000) * held);
      }
    }
}

TEST_CASE("what parcels carry through their boxes is what the cells gain") {
  for (const Shape& shape : shapes)
    for (int d = 0; d < 3; ++d) {
      Scene s(grid_of(shape.cells, shape.periodic), 300, Where::anywhere, 17);
      const auto i = static_cast<std::size_t>(d);
      const Axis& axis = s.grid.axis(d);
      INFO(shape.cells[0] << " x " << shape.cells[1] << " x " << shape.cells[2] << ", axis " << d);
      // Every parcel goes part of the way to the end of its box, or of the domain.
      Random random(3);
      Array<double> carried(s.n), moved = s.x[i];
      for (std::int64_t p = 0; p < s.n; ++p) {
        const double index = axis.index(s.x[i][p]), centre = std::floor(index - 0.5) + 0.5;
        const double to = random.uniform(std::max(centre, 0.0), std::min(centre + 1, static_cast<double>(axis.cells)));
        moved[p] = axis.origin + to * axis.spacing;
        carried[p] = s.absolute[p] * (moved[p] - s.x[i][p]);
      }
      const Sums before = by_boxes(s, s.absolute), flux = by_boxes(s, carried);
      s.x[i] = moved;
      s.sort();
      const Sums after = by_boxes(s, s.absolute);
      Array<double> change(s.grid.cells(), 0.0);
      each_face_in_turn(s.grid, d, [&](const fluid::Face& f) {
        if (f.boundary()) return;
        change[f.above] += flux.faces[i][f.index] / axis.spacing;
        change[f.below] -= flux.faces[i][f.index] / axis.spacing;
      });
      double total = 0;
      for (std::int64_t c = 0; c < s.grid.cells(); ++c) {
        const double held = before.cells[c] + after.cells[c];
        CHECK(std::abs(after.cells[c] - before.cells[c] - change[c]) <= round_off(2000) * held);
        total += std::abs(change[c]);
      }
      CHECK((total > 0.1) == !axis.thin()); // something moved
    }
}

TEST_CASE("terms of one pass do not mix, columns beyond eight are refused") {
  const Scene s(grid_of({5, 4, 3}, {true, false, true}), 200, Where::anywhere, 11);
  const Sums alone = by_boxes(s, s.value);
  Sums first(s.grid), second(s.grid);
  second.faces[1].fill(7);
  Boxes::Term partly = second.term(s.value);
  partly.faces[1] = nullptr;
  Boxes(s.grid).spread(Cpu{}, s.order, s.columns(), {first.term(s.absolute), partly});
  CHECK(std::equal(alone.cells.begin(), alone.cells.end(), second.cells.begin()));
  CHECK(std::equal(alone.faces[2].begin(), alone.faces[2].end(), second.faces[2].begin()));
  CHECK(std::all_of(second.faces[1].begin(), second.faces[1].end(), [](double v) { return v == 7; }));
  CHECK_THROWS_AS(Boxes(s.grid).spread(Cpu{}, s.order, s.columns(), std::vector<Boxes::Term>(9, first.term(s.value))),
                  Error);
}

TEST_CASE("boxes have the same bits for any number of threads") {
  const Scene s(grid_of({7, 25, 23}, {true, true, true}), 30'000, Where::anywhere, 13);
  std::vector<double> reference;
  for (const int threads : {1, 2, 3}) {
    std::vector<double> state;
    run_with_threads(threads, [&] {
      const Sums sums = by_boxes(s, s.value);
      state.assign(sums.cells.begin(), sums.cells.end());
      for (const auto& f : sums.faces) state.insert(state.end(), f.begin(), f.end());
    });
    if (threads == 1) reference = state;
    CHECK(state == reference);
  }
}

} // namespace corral::test
