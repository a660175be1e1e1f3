#include "tests/engine/errors/two_particles.hpp"

#include <limits>

/// Calls whose results would be wrong in silence: memory that is written twice, numbers that are no enumerators,
/// grids that positions cannot resolve.
namespace corral::test {
namespace {
using Strides = std::array<std::int64_t, 3>;
} // namespace

TEST_CASE("strides that put two points of a field in one place are refused") {
  const TwoParticles scene;
  double memory[40] = {};
  const auto error = [&](Strides stride) {
    return scene.spread_error({{scene.ones(), FieldView<double>{memory + 20, Staggering::centre, stride}}});
  };
  const auto share = [](const std::string& strides) {
    return "a centre field with strides " + strides + " (points of it share a value, to which a spread would add the "
           "sums of both) set its three strides";
  };
  CHECK(error({1, 2, 0}) == share("1, 2 and 0")); // (2, 0) and (0, 1)
  CHECK(error({1, 1, 0}) == share("1, 1 and 0"));
  CHECK(error({-2, 4, 0}) == share("-2, 4 and 0"));
  CHECK(error({1, 3, 0}) == "no error");
  CHECK(error({-1, 3, 0}) == "no error");
  CHECK(error({2, 1, 0}) == "no error"); // y fastest
  CHECK(error({2, 3, 0}) == "no error"); // 0 2 4 and 3 5 7
  CHECK(error({3, 4, 0}) == "no error");
  CHECK(error({2, -4, 0}) == share("2, -4 and 0"));
  const Grid halo({axis_of(2, Boundary::halo), axis_of(2, Boundary::halo), Axis{}});
  CellOrder<double> order(halo);
  order.sort(Cpu{}, scene.at);
  FieldView<double> view{memory + 20, Staggering::centre, {1, 2, 0}}; // right without ghosts
  view.ghosts = 1;
  CHECK(message_of([&] { spread(Cpu{}, order, linear, {{scene.ones(), view}}); }) == share("1, 2 and 0"));
}

TEST_CASE("two terms that add to one value are refused") {
  const TwoParticles scene;
  std::vector<double> memory(40);
  const auto field = [&](std::ptrdiff_t begin, Strides stride) {
    return FieldView<double>{memory.data() + begin, Staggering::centre, stride};
  };
  const auto error = [&](const FieldView<double>& a, const FieldView<double>& b) {
    return scene.spread_error({{scene.ones(), a}, {scene.ones(), b}});
  };
  const std::string shared = "a field that two terms add to (they may be added at once) spread them in two calls";
  CHECK(error(field(0, {1, 3, 0}), field(0, {1, 3, 0})) == shared);
  CHECK(error(field(0, {1, 3, 0}), field(5, {1, 3, 0})) == shared);
  CHECK(error(field(5, {1, 3, 0}), field(0, {1, 3, 0})) == shared);
  CHECK(error(field(0, {1, 3, 0}), field(0, {2, 6, 0})) == shared);
  CHECK(error(field(0, {1, 3, 0}), field(6, {1, 3, 0})) == "no error");
  CHECK(error(field(0, {2, 6, 0}), field(1, {2, 6, 0})) == "no error");   // interleaved
  CHECK(error(field(0, {1, 10, 0}), field(3, {1, 10, 0})) == "no error"); // side by side in one array
  CHECK(error(field(0, {1, 10, 0}), field(2, {1, 10, 0})) == shared);
  CHECK(error(field(25, {-1, 10, 0}), field(23, {-1, 10, 0})) == shared);
  CHECK(error(field(25, {-1, 10, 0}), field(22, {-1, 10, 0})) == "no error");
}

TEST_CASE("columns that share values are not written to") {
  TwoParticles scene;
  const std::vector<double> six(6, 1.0);
  const FieldView<const double> field = field_view(scene.grid, six.data(), Staggering::centre);
  std::vector<double> memory(8, 7.0);
  const auto column = [&](std::ptrdiff_t begin, std::int64_t stride) {
    return Column<double>{memory.data() + begin, 2, stride};
  };
  const auto error = [&](const Column<double>& a, const Column<double>& b) {
    return scene.read_error({{field, a}, {field, b}});
  };
  const std::string shared = "a column that two terms set (each overwrites the other's values) give each a column of "
                             "its own";
  CHECK(error(column(0, 1), column(1, 1)) == shared);
  CHECK(error(column(0, 2), column(2, 2)) == shared);
  CHECK(error(column(3, -1), column(2, 3)) == shared);
  CHECK(error(column(0, 2), column(1, 2)) == "no error");
  CHECK(error(column(0, 1), column(2, 1)) == "no error");
  CHECK(error(column(7, -3), column(3, 3)) == "no error");
  CHECK(scene.read_error({{field, column(0, 0)}}) ==
        "a column with stride 0 that is written to (its 2 values lie in one place) set its stride");
  CHECK(scene.spread_error({{{six.data(), 2, 0}, field_view(scene.grid, memory.data(), Staggering::centre)}}) ==
        "no error"); // one value for all particles

  std::vector<double> packed{1, 2, 3};
  auto* const halves = reinterpret_cast<std::int32_t*>(packed.data());
  const std::string twice = "two columns share values (which would be reordered twice) name each value once";
  const auto reorder_error = [&](const auto&... columns) {
    return message_of([&] { scene.order.reorder(Cpu{}, columns...); });
  };
  CHECK(reorder_error(column(0, 1), column(1, 1)) == twice);
  CHECK(reorder_error(Column<double>{packed.data(), 2}, Column<std::int32_t>{halves + 1, 2, 2}) == twice);
  CHECK(reorder_error(column(0, 0)) ==
        "a column with stride 0 that is written to (its 2 values lie in one place) set its stride");
  CHECK(packed == std::vector<double>{1, 2, 3});
  CHECK(reorder_error(Column<std::int32_t>{halves, 2, 2}, Column<std::int32_t>{halves + 1, 2, 2}) == "no error");
}

TEST_CASE("columns in the memory of a field are refused") {
  const TwoParticles scene;
  std::vector<double> memory(30), other(30);
  const auto field = field_view(scene.grid, memory.data() + 4, Staggering::centre); // 3 x 2 points
  const std::string inside = "a column in the memory of a field (what is written would change what is read) give it "
                             "its own";
  const auto at = [&](std::ptrdiff_t i, std::int64_t stride) { return Column<double>{memory.data() + i, 2, stride}; };
  CHECK(scene.spread_error({{at(4, 1), field}}) == inside);
  CHECK(scene.spread_error({{at(9, 7), field}}) == inside);
  CHECK(scene.spread_error({{at(3, 7), field}}) == inside); // at both ends of it
  CHECK(scene.spread_error({{at(2, 1), field}}) == "no error");
  CHECK(scene.spread_error({{at(10, 1), field}}) == "no error");
  CHECK(scene.read_error({{field, at(8, -1)}}) == inside);
  CHECK(scene.read_error({{field_view(scene.grid, other.data(), Staggering::centre), at(0, 1)},
                          {field, Column<double>{other.data() + 3, 2}}}) == inside); // that another term reads
  const FieldView<double> pairs{memory.data(), Staggering::centre, {2, 6, 12}}; // a column of what lies between
  CHECK(scene.spread_error({{at(1, 2), pairs}}) == "no error");
  CHECK(scene.spread_error({{at(2, 2), pairs}}) == inside);
}

TEST_CASE("strides that reach beyond any memory are refused") {
  const TwoParticles scene;
  std::vector<double> memory(8);
  const auto beyond = [](std::int64_t stride, int count) {
    return "a stride of " + std::to_string(stride) + " (no memory is as long as " + std::to_string(count) +
           " values that far apart) count strides in values";
  };
  for (const std::int64_t far : {std::int64_t{1} << 61, -(std::int64_t{1} << 61), std::int64_t{1} << 56,
                                 std::numeric_limits<std::int64_t>::min()}) {
    const FieldView<double> field{memory.data(), Staggering::centre, {1, far, 8}};
    const Column<double> column{memory.data() + 7, 2, far};
    const auto near = field_view(scene.grid, memory.data(), Staggering::centre);
    CHECK(scene.spread_error({{scene.ones(), field}}) == beyond(far, 2));
    CHECK(scene.spread_error({{column, near}}) == beyond(far, 2));
    CHECK(scene.read_error({{field, Column<double>{memory.data() + 6, 2}}}) == beyond(far, 2));
    CellOrder<double> order(scene.grid);
    CHECK(message_of([&] { order.sort(Cpu{}, {{scene.at.axis[0], column, column}}); }) == beyond(far, 2));
    order.sort(Cpu{}, scene.at);
    CHECK(message_of([&] { order.reorder(Cpu{}, column); }) == beyond(far, 2));
  }
  const FieldView<double> thin{memory.data(), Staggering::centre, {1, 3, std::int64_t{1} << 57}};
  CHECK(scene.spread_error({{scene.ones(), thin}}).starts_with("a stride"));
}

TEST_CASE("cells whose size no number inverts are refused") {
  const auto error = [&]<class T>(T, double spacing) {
    const Axis axis{2, 0, spacing, Boundary::wall, Boundary::wall};
    return message_of([&] { CellOrder<T>(Grid({axis, Axis{}, Axis{}})); });
  };
  CHECK(error(0.0F, 1e-39) == "axis x has cells of 1e-39 m (one over that is no number of its precision) take another "
                              "unit of length, or double");
  CHECK(error(0.0, 1e-310) == "axis x has cells of 1e-310 m (one over that is no number of its precision) take another "
                              "unit of length");
  CHECK(error(0.0F, 1e39).ends_with("take another unit of length, or double"));
  CHECK(error(0.0F, 1e-30) == "no error");
  CHECK(error(0.0, 1e-300) == "no error");
}

TEST_CASE("fields that know their extents are compared with the grid") {
  const TwoParticles scene;
  std::vector<double> memory(5 * 3 * 3);
  const Grid other({axis_of(2, Boundary::wall), axis_of(3, Boundary::open), Axis{}});
  CHECK(scene.spread_error({{scene.ones(), field_view(other, memory.data(), Staggering::face_y)}}) ==
        "a face_y field of 2 x 4 x 1 points (the grid has 3 x 3 x 1 of them)");
  FieldView<double> view = field_view(scene.grid, memory.data(), Staggering::centre);
  CHECK(scene.spread_error({{scene.ones(), view}}) == "no error");
  view.staggering = Staggering::face_x;
  CHECK(scene.spread_error({{scene.ones(), view}}) ==
        "a face_x field of 3 x 2 x 1 points (the grid has 4 x 2 x 1 of them)");
  view.extent = {}; // not known
  view.stride = {1, 4, 8};
  CHECK(scene.spread_error({{scene.ones(), view}}) == "no error");
  const Grid halo({axis_of(3, Boundary::halo), Axis{}, Axis{}});
  CellOrder<double> order(halo);
  CHECK(message_of([&] {
          order.sort(Cpu{}, scene.at);
          spread(Cpu{}, order, linear,
                 {{scene.ones(), field_view_with_ghosts(halo, memory.data(), Staggering::centre, 1)}});
        }) == "no error");
}

TEST_CASE("numbers that are no enumerators are refused") {
  CHECK(name(static_cast<Staggering>(5)) == "no staggering");
  CHECK(name(static_cast<Boundary>(4)) == "no boundary");
  TwoParticles scene;
  std::vector<double> memory(12);
  FieldView<double> view{memory.data(), static_cast<Staggering>(5), {1, 3, 6}};
  CHECK(scene.spread_error({{scene.ones(), view}}) == "staggering number 5 (Staggering has no such value)");
  view.staggering = Staggering::centre;
  view.wall_sign[1] = static_cast<Sign>(0);
  CHECK(scene.spread_error({{scene.ones(), view}}) == "wall sign 0 (Sign is plus, 1, or minus, -1)");
  CHECK(message_of([] { Grid({Axis{2, 0, 1, Boundary::open, static_cast<Boundary>(4)}, Axis{}, Axis{}}); }) ==
        "axis x has a side of boundary number 4 (Boundary has no such value)");
  CHECK(message_of([&] { CellOrder<double>(scene.grid, {Offset::zero, Offset::zero, static_cast<Offset>(2)}); }) ==
        "offset number 2 (Offset has no such value)");
}

TEST_CASE("floats far from 0 that cannot tell cells apart are refused, and what is outside never counts as inside") {
  const auto grid_at = [](double origin, double spacing) {
    return Grid({Axis{16, origin, spacing, Boundary::open, Boundary::open}, Axis{}, Axis{}});
  };
  const auto make = [](const Grid& grid) { return message_of([&] { CellOrder<float> order(grid); }); };
  CHECK(make(grid_at(1e7, 1)) == "axis x lies too far from 0 for its precision (coordinates there are 1.19209 m apart, "
                                 "cells 1 m wide) take double, or an origin near 0");
  CHECK(make(grid_at(-1e7, 1)).starts_with("axis x lies too far"));
  CHECK(message_of([&] { CellOrder<double> order(grid_at(1e7, 1)); }) == "no error");
  CHECK(make(grid_at(2e6, 1)) == "no error");
  CHECK(make(grid_at(-16, 1)) == "no error");
  const float half = 0.5f, one = 1;
  float memory[16] = {};
  const Grid far = grid_at(1e7, 1), close = grid_at(2e6, 1);
  CHECK(message_of([&] {
          const float x = 1e7f;
          spread(Cpu{}, far, positions(&x, &half, &half, 1), linear,
                 {{{&one, 1}, field_view(far, memory, Staggering::centre)}});
        }).starts_with("axis x lies too far"));

  CellOrder<float> order(close);
  const auto inside = [&](float x) { return order.sort(Cpu{}, positions(&x, &half, &half, 1)).inside; };
  CHECK(inside(2e6f + 16.5f) == 1); // as the face itself may be rounded
  CHECK(inside(2e6f + 16.75f) == 0);
  CHECK(inside(2e6f + 17) == 0);
  CHECK(inside(2e6f - 1) == 0);
}

} // namespace corral::test
