#include "tests/catch.hpp"
#include "tests/fluid/in_turn.hpp"
#include "tests/mppic/boxes/scene.hpp"
#include "tests/tolerance.hpp"

#include <algorithm>
#include <cmath>

namespace corral::test {

using mppic::Boxes;

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

} // namespace corral::test
