#include "tests/catch.hpp"
#include "tests/engine/boxes/scene.hpp"
#include "tests/tolerance.hpp"

#include <corral/interpolate.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace corral::test {
namespace {

FaceArrays random_fields(const Grid& grid, unsigned seed) {
  Random random(seed);
  FaceArrays fields = face_arrays(grid);
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

std::array<Array<double>, 3> interpolated(const Scene& s, const FaceArrays& faces,
                                          const std::array<Array<double>, 3>& cells) {
  std::array<Array<double>, 3> out{Array<double>(s.n, 99.0), Array<double>(s.n, 99.0), Array<double>(s.n, 99.0)};
  interpolate_boxes(Cpu{}, s.order, s.columns(), pointers(faces), pointers(cells), pointers(out));
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
    const FaceArrays fields = random_fields(s.grid, 5);
    const auto boxes = interpolated(s, fields, nothing_in_cells(s.grid));
    const Sums spread = by_boxes(s, s.value);
    const Array<double> one(s.n, 1.0);
    for (int d = 0; d < 3; ++d) {
      Array<double> engine(s.n, 0.0);
      if (!s.grid.axis(d).thin())
        corral::interpolate<BoxKernel, double>(
            Cpu{}, s.order, BoxKernel{},
            {{field_view<const double>(s.grid, fields[d].data(), face(d)), {engine.data(), s.n}}});
      check_same(boxes[d], engine, one, 4);
      double grid_side = 0, particle_side = 0, absolute = 0;
      for (std::int64_t f = 0; f < fields[d].size(); ++f) grid_side += fields[d][f] * spread.faces[d][f];
      for (std::int64_t p = 0; p < s.n; ++p) particle_side += s.value[p] * boxes[d][p], absolute += s.absolute[p];
      CHECK(std::abs(grid_side - particle_side) <= round_off(s.n + 1000) * absolute);
    }
  });
}

TEST_CASE("boxes interpolate faces and cells together as the engine's maps do one by one") {
  for_each_scene([](const Scene& s) {
    const FaceArrays fields = random_fields(s.grid, 7);
    const auto cells = random_cells(s.grid, 8);
    const auto alone = interpolated(s, fields, nothing_in_cells(s.grid)), together = interpolated(s, fields, cells);
    const Array<double> one(s.n, 1.0);
    for (int d = 0; d < 3; ++d) {
      Array<double> engine(s.n, 0.0);
      if (!s.grid.axis(d).thin())
        corral::interpolate<kernels::Linear, double>(
            Cpu{}, s.order, kernels::Linear{},
            {{field_view<const double>(s.grid, cells[d].data(), Staggering::centre), {engine.data(), s.n}}});
      // Beyond the last centre the values fall to 0 at the side: twice the distance from it, in cells, of what they were.
      const Axis& axis = s.grid.axis(d);
      for (std::int64_t p = 0; p < s.n; ++p) {
        const double index = axis.index(s.x[d][p]), side = std::min(index, static_cast<double>(axis.cells) - index);
        if (!axis.periodic() && !axis.thin() && side < 0.5) engine[p] *= 2 * side;
        engine[p] += alone[d][p];
      }
      check_same(together[d], engine, one, 8);
    }
  });
}

TEST_CASE("boxes add to what fields hold, and leave alone what no particle reaches") {
  const Scene s(grid_of({7, 6, 5}, {false, true, false}), 40, Where::one_cell, 3);
  const Array<double> one(s.n, 1.0);
  const Sums alone = by_boxes(s, s.value), reached = by_boxes(s, one), added = by_boxes(s, s.value, 16);
  FaceArrays fluxes = face_arrays(s.grid, 16.0), fluxes_alone = face_arrays(s.grid, 0.0), fluxes_reached = face_arrays(s.grid, 0.0);
  Array<double> way(s.n, 0.1 * s.grid.axis(0).spacing);
  const std::array<const double*, 3> distance{way.data(), way.data(), way.data()};
  spread_box_fluxes(Cpu{}, s.order, s.columns(), s.value.data(), distance, pointers(fluxes));
  spread_box_fluxes(Cpu{}, s.order, s.columns(), s.value.data(), distance, pointers(fluxes_alone));
  spread_box_fluxes(Cpu{}, s.order, s.columns(), one.data(), distance, pointers(fluxes_reached));
  const auto check = [&](const Array<double>& sums, const Array<double>& from_zero, const Array<double>& weights) {
    std::int64_t apart = 0;
    for (std::int64_t i = 0; i < sums.size(); ++i) {
      CHECK(std::abs(sums[i] - 16 - from_zero[i]) <= round_off(s.n) * (16 + static_cast<double>(s.n)));
      if (weights[i] == 0 && ++apart) CHECK(sums[i] == 16);
    }
    CHECK(apart > sums.size() / 2);
  };
  check(added.cells, alone.cells, reached.cells);
  for (std::size_t d = 0; d < 3; ++d) {
    check(added.faces[d], alone.faces[d], reached.faces[d]);
    check(fluxes[d], fluxes_alone[d], fluxes_reached[d]);
  }
}

TEST_CASE("terms of one pass do not mix, columns beyond eight are refused") {
  const Scene s(grid_of({5, 4, 3}, {true, false, true}), 200, Where::anywhere, 11);
  const Sums alone = by_boxes(s, s.value);
  Sums first(s.grid), second(s.grid);
  second.faces[1].fill(7);
  BoxTerm partly = second.term(s.value);
  partly.faces[1] = nullptr;
  const BoxTerm both[] = {first.term(s.absolute), partly};
  spread_to_boxes(Cpu{}, s.order, s.columns(), both);
  CHECK(std::equal(alone.cells.begin(), alone.cells.end(), second.cells.begin()));
  CHECK(std::equal(alone.faces[2].begin(), alone.faces[2].end(), second.faces[2].begin()));
  CHECK(std::all_of(second.faces[1].begin(), second.faces[1].end(), [](double v) { return v == 7; }));
  const std::vector<BoxTerm> many(11, first.term(s.value));
  CHECK_THROWS_AS(spread_to_boxes(Cpu{}, s.order, s.columns(), many), Error);
}

TEST_CASE("cells have the first columns by weight, too, of which all others know nothing") {
  for_each_scene([](const Scene& s) {
    Array<double> product(s.n);
    for (std::int64_t i = 0; i < s.n; ++i) product[i] = s.absolute[i] * s.value[i];
    const Sums expected = by_boxes(s, product), alone = by_boxes(s, s.value);
    Sums sums(s.grid), others(s.grid);
    Array<double> weighted(s.grid.cells(), 0.0);
    std::vector<BoxTerm> terms(4, BoxTerm{s.absolute.data(), nullptr});
    terms[2] = sums.term(s.value);
    terms[2].weighted = weighted.data();
    terms.push_back(others.term(s.value));
    spread_to_boxes(Cpu{}, s.order, s.columns(), terms, s.absolute.data());
    const Array<double> one(s.n, 1.0);
    check_same(weighted, expected.cells, one, 8);
    for (const Sums* same : {&sums, &others}) {
      CHECK(std::equal(alone.cells.begin(), alone.cells.end(), same->cells.begin()));
      for (std::size_t d = 0; d < 3; ++d)
        CHECK(std::equal(alone.faces[d].begin(), alone.faces[d].end(), same->faces[d].begin()));
    }
    if (s.n > 0) CHECK_THROWS_AS(spread_to_boxes(Cpu{}, s.order, s.columns(), terms), Error); // by a weight that nobody gives
    terms[2].weighted = nullptr, terms[4].weighted = weighted.data();
    CHECK_THROWS_AS(spread_to_boxes(Cpu{}, s.order, s.columns(), terms, s.absolute.data()), Error);
  });
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

TEST_CASE("boxes leave alone what the order skipped, and count it nowhere") {
  const Scene inside(grid_of({5, 4, 3}, {true, false, true}), 80, Where::anywhere, 29);
  const double nan = std::numeric_limits<double>::quiet_NaN(), beyond = origin[1] - 1;
  Scene s(inside.grid, 80, Where::anywhere, 29);
  for (int d = 0; d < 3; ++d) { // five that are beyond a wall, three that are nowhere
    Array<double> longer(88, s.grid.axis(d).origin);
    std::copy(s.x[d].begin(), s.x[d].end(), longer.begin());
    for (int i = 80; i < 88; ++i) longer[i] = i < 85 ? (d == 1 ? beyond : longer[i]) : nan;
    s.x[d] = longer;
  }
  s.n = 88;
  s.value.resize(88), s.absolute.resize(88);
  for (int i = 80; i < 88; ++i) s.value[i] = s.absolute[i] = 1e30;
  const SortCounts counts = s.order.sort(Cpu{}, s.places());
  REQUIRE(counts.outside == 5);
  REQUIRE(counts.not_finite == 3);
  const auto column = [&](Array<double>& a) { return Column<double>{a.data(), s.n}; };
  s.order.reorder(Cpu{}, column(s.x[0]), column(s.x[1]), column(s.x[2]), column(s.value), column(s.absolute));

  const Sums expected = by_boxes(inside, inside.value), found = by_boxes(s, s.value);
  CHECK(std::equal(expected.cells.begin(), expected.cells.end(), found.cells.begin()));
  for (int d = 0; d < 3; ++d)
    CHECK(std::equal(expected.faces[d].begin(), expected.faces[d].end(), found.faces[d].begin()));
  const auto read = interpolated(s, random_fields(s.grid, 5), nothing_in_cells(s.grid));
  for (const Array<double>& values : read) {
    CHECK(std::all_of(values.begin(), values.begin() + 80, [](double v) { return std::abs(v) <= 1; }));
    CHECK(std::all_of(values.begin() + 80, values.end(), [](double v) { return v == 99; }));
  }
}

TEST_CASE("boxes refuse orders whose groups lie otherwise, and change nothing") {
  const Scene good(grid_of({5, 4, 3}, {true, false, true}), 50, Where::anywhere, 19);
  const auto refused = [&](const CellOrder<double>& order, const std::string& why) {
    Sums sums(good.grid, 99);
    const BoxTerm term = sums.term(good.value);
    CHECK_THROWS_WITH(spread_to_boxes(Cpu{}, order, good.columns(), {&term, 1}), Catch::Matchers::ContainsSubstring(why));
    CHECK(std::all_of(sums.cells.begin(), sums.cells.end(), [](double v) { return v == 99; }));
    CHECK_THROWS_AS(spread_box_fluxes(Cpu{}, order, good.columns(), good.value.data(), good.columns(), pointers(sums.faces)), Error);
    CHECK_THROWS_AS(interpolate_boxes(Cpu{}, order, good.columns(), pointers(std::as_const(sums.faces)),
                                      pointers(std::as_const(sums.faces)), pointers(sums.faces)), Error);
    CHECK(std::all_of(sums.faces[0].begin(), sums.faces[0].end(), [](double v) { return v == 99; }));
  };
  CellOrder<double> in_cells(good.grid);
  in_cells.sort(Cpu{}, good.places());
  refused(in_cells, "Offset::half");
  CellOrder<double> unsorted(good.grid, {Offset::half, Offset::half, Offset::half});
  Scene shuffled = Scene(good.grid, 50, Where::anywhere, 20);
  std::reverse(shuffled.x[0].begin(), shuffled.x[0].end());
  unsorted.sort(Cpu{}, shuffled.places());
  refused(unsorted, "cell order");
  std::array<Axis, 3> axes{good.grid.axis(0), good.grid.axis(1), good.grid.axis(2)};
  axes[1].high = Boundary::open;
  CellOrder<double> open(Grid(axes), {Offset::half, Offset::half, Offset::half});
  open.sort(Cpu{}, good.places());
  refused(open, "open or halo side");
}

} // namespace corral::test
