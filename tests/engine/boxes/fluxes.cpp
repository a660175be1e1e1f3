#include "tests/catch.hpp"
#include "tests/engine/boxes/scene.hpp"
#include "tests/tolerance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace corral::test {

namespace {

/// What cells gain of a flux through the faces with normal d, times the spacing; sides let nothing through.
Array<double> gained(const Grid& grid, int d, const Array<double>& flux) {
  const std::int64_t n = grid.axis(d).cells;
  Array<double> gain(grid.cells(), 0.0);
  for (std::int64_t c = 0; c < grid.cells(); ++c) {
    const std::int64_t nx = grid.axis(0).cells, ny = grid.axis(1).cells;
    const std::array<std::int64_t, 3> place{c % nx, c / nx % ny, c / (nx * ny)};
    const auto through = [&](std::int64_t at) {
      if (grid.axis(d).periodic()) at %= n;
      else if (at == 0 || at == n) return 0.0;
      std::array<std::int64_t, 3> f = place;
      f[d] = at;
      return flux[f[0] + grid.points(face(d), 0) * (f[1] + grid.points(face(d), 1) * f[2])];
    };
    gain[c] = through(place[d]) - through(place[d] + 1);
  }
  return gain;
}

} // namespace

TEST_CASE("boxes spread what is carried as the engine's maps do") {
  for_each_scene([](const Scene& s) {
    FaceArrays fluxes = face_arrays(s.grid, 0.0);
    std::array<Array<double>, 3> distance, product, absolute;
    Random random(11);
    for (int d = 0; d < 3; ++d) {
      const Axis& axis = s.grid.axis(d);
      for (Array<double>* a : {&distance[d], &product[d], &absolute[d]}) a->resize(s.n);
      for (std::int64_t p = 0; p < s.n; ++p) {
        const double index = axis.index(s.x[d][p]), centre = std::floor(index - 0.5) + 0.5;
        distance[d][p] = (random.uniform(centre, centre + 1) - index) * axis.spacing; // ends in the box that it begins in
        product[d][p] = s.absolute[p] * distance[d][p];
        absolute[d][p] = std::abs(product[d][p]);
      }
    }
    spread_box_fluxes(Cpu{}, s.order, s.columns(), s.absolute.data(), pointers(std::as_const(distance)), pointers(fluxes));
    for (std::size_t d = 0; d < 3; ++d)
      check_same(fluxes[d], by_engine(s, product[d]).faces[d], by_engine(s, absolute[d]).faces[d], s.n);
  });
}

TEST_CASE("what particles carry into the next box is what the cells gain, too") {
  for (const Shape& shape : shapes)
    for (int d = 0; d < 3; ++d) {
      Scene s(grid_of(shape.cells, shape.periodic), 300, Where::anywhere, 23);
      const Axis& axis = s.grid.axis(d);
      INFO(shape.cells[0] << " x " << shape.cells[1] << " x " << shape.cells[2] << ", axis " << d);
      Random random(5);
      std::array<Array<double>, 3> distance;
      for (Array<double>& column : distance) column.resize(s.n);
      Array<double> moved = s.x[d];
      const double length = axis.length();
      for (std::int64_t p = 0; p < s.n; ++p) {
        double to = s.x[d][p] + random.uniform(-0.99, 0.99) * axis.spacing;
        if (!axis.periodic()) to = std::clamp(to, axis.origin, axis.origin + length);
        distance[d][p] = to - s.x[d][p];
        moved[p] = axis.periodic() ? to - length * std::floor((to - axis.origin) / length) : to;
      }
      FaceArrays fluxes = face_arrays(s.grid, 0.0);
      spread_box_fluxes(Cpu{}, s.order, s.columns(), s.absolute.data(), pointers(std::as_const(distance)), pointers(fluxes));
      const Sums before = by_boxes(s, s.absolute);
      s.x[d] = moved;
      s.sort();
      const Sums after = by_boxes(s, s.absolute);
      const Array<double> change = gained(s.grid, d, fluxes[d]);
      for (std::int64_t c = 0; c < s.grid.cells(); ++c) {
        const double held = before.cells[c] + after.cells[c] + 1;
        CHECK(std::abs(after.cells[c] - before.cells[c] - change[c] / axis.spacing) <= round_off(2000) * held);
      }
    }
}

TEST_CASE("what particles carry through their boxes is what the cells gain") {
  for (const Shape& shape : shapes)
    for (int d = 0; d < 3; ++d) {
      Scene s(grid_of(shape.cells, shape.periodic), 300, Where::anywhere, 17);
      const Axis& axis = s.grid.axis(d);
      INFO(shape.cells[0] << " x " << shape.cells[1] << " x " << shape.cells[2] << ", axis " << d);
      // Every particle goes part of the way to the end of its box, or of the domain.
      Random random(3);
      Array<double> carried(s.n), moved = s.x[d];
      for (std::int64_t p = 0; p < s.n; ++p) {
        const double index = axis.index(s.x[d][p]), centre = std::floor(index - 0.5) + 0.5;
        const double to = random.uniform(std::max(centre, 0.0), std::min(centre + 1, static_cast<double>(axis.cells)));
        moved[p] = axis.origin + to * axis.spacing;
        carried[p] = s.absolute[p] * (moved[p] - s.x[d][p]);
      }
      const Sums before = by_boxes(s, s.absolute), flux = by_boxes(s, carried);
      s.x[d] = moved;
      s.sort();
      const Sums after = by_boxes(s, s.absolute);
      const Array<double> change = gained(s.grid, d, flux.faces[d]);
      double total = 0;
      for (std::int64_t c = 0; c < s.grid.cells(); ++c) {
        const double held = before.cells[c] + after.cells[c];
        CHECK(std::abs(after.cells[c] - before.cells[c] - change[c] / axis.spacing) <= round_off(2000) * held);
        total += std::abs(change[c]) / axis.spacing;
      }
      CHECK((total > 0.1) == !axis.thin()); // something moved
    }
}

} // namespace corral::test
