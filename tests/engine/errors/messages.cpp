#include "tests/engine/errors/two_particles.hpp"

#include <cmath>
#include <limits>

/// Every message of the engine, word for word: problem (why) suggestion.
namespace corral::test {
namespace {

std::string grid_error(const Axis& x) {
  return message_of([&] { Grid({x, Axis{}, Axis{}}); });
}

constexpr kernels::Nearest nearest;

} // namespace

TEST_CASE("a grid says what is wrong with its axes") {
  Axis a{4, 0.0, 0.5};
  CHECK(grid_error(a) == "no error");
  a.cells = 0;
  CHECK(grid_error(a) == "axis x has 0 cells (one at least is needed)");
  a = {std::numeric_limits<std::int64_t>::max(), 0.0, 0.5, Boundary::wall, Boundary::open};
  CHECK(grid_error(a) == "a grid of more than 2^62 points (its indices would not fit 64 bits)");
  a = {4, 0.0, 0.0};
  CHECK(grid_error(a) == "axis x has spacing 0.000000 (a positive, finite length is needed)");
  a.spacing = -1;
  CHECK(grid_error(a) == "axis x has spacing -1.000000 (a positive, finite length is needed)");
  a.spacing = std::numeric_limits<double>::infinity();
  CHECK(grid_error(a) == "axis x has spacing inf (a positive, finite length is needed)");
  a = {4, std::nan(""), 1.0};
  CHECK(grid_error(a) == "axis x has an origin that is not finite");
  a = {4, 0.0, 1.0, Boundary::periodic, Boundary::open};
  CHECK(grid_error(a) == "axis x is periodic on one side only (a periodic axis wraps: make both sides periodic)");
  const Axis huge{std::int64_t{1} << 31, 0.0, 1.0};
  CHECK(message_of([&] { Grid({huge, huge, Axis{}}); }) ==
        "a grid of more than 2^62 points (its indices would not fit 64 bits)");
  CHECK(message_of([&] { Grid({Axis{}, Axis{}, Axis{-3}}); }) == "axis z has -3 cells (one at least is needed)");
}

TEST_CASE("names, points and volumes") {
  CHECK(name(Staggering::centre) == "centre");
  CHECK(name(Staggering::node) == "node");
  CHECK(name(face(2)) == "face_z");
  CHECK(name(Boundary::periodic) == "periodic");
  CHECK(name(Boundary::halo) == "halo");
  const Grid grid({Axis{3, 0.0, 2.0}, Axis{4, 0.0, 0.5, Boundary::wall, Boundary::open}, axis_of(1, Boundary::halo)});
  CHECK(grid.cells() == 12);
  CHECK(grid.cell_volume() == 1.0);
  CHECK(grid.points(Staggering::centre) == 12);
  CHECK(grid.points(Staggering::node) == 3 * 5 * 2); // periodic along x: as many nodes as cells
  CHECK(grid.points(Staggering::face_x) == 12);
  CHECK(grid.points(Staggering::face_y) == 15);
  CHECK(grid.points(Staggering::face_z) == 24);
  CHECK(axis_of(1, Boundary::wall).thin());
  CHECK_FALSE(axis_of(2, Boundary::wall).thin());
}

TEST_CASE("columns and fields that don't fit an order are refused, and nothing is mapped") {
  const Grid grid({axis_of(3, Boundary::wall), Axis{}, Axis{}});
  const std::vector<double> x{0.5, 1.5};
  CellOrder<double> order(grid);
  order.sort(Cpu{}, positions(x.data(), x.data(), x.data(), 2));
  std::vector<double> values(3, 1.0), field(3, 0.0);
  const FieldView<double> view = field_view(grid, field.data(), Staggering::centre);
  const std::string too_long = "a column of 3 values cannot be mapped (the order holds 2 particles) "
                               "hand over columns as long as the positions";
  const Column<const double> good{values.data(), 2}, bad{values.data(), 3};
  const Column<double> read{values.data(), 2}, read_too_long{values.data(), 3};
  CHECK(message_of([&] { spread(Cpu{}, order, linear, {{good, view}, {bad, view}}); }) == too_long);
  CHECK(field == std::vector<double>(3, 0.0));
  CHECK(message_of([&] { interpolate(Cpu{}, order, linear, {{view, read_too_long}}); }) == too_long);
  CHECK(values == std::vector<double>(3, 1.0));

  const std::string null = "a column or field without memory (its pointer is null)";
  FieldView<double> nowhere = view;
  nowhere.data = nullptr;
  CHECK(message_of([&] { spread(Cpu{}, order, linear, {{Column<const double>{nullptr, 2}, view}}); }) == null);
  CHECK(message_of([&] { spread(Cpu{}, order, linear, {{good, nowhere}}); }) == null);
  CHECK(message_of([&] { interpolate(Cpu{}, order, linear, {{nowhere, read}}); }) == null);
  CHECK(message_of([&] { spread(Cpu{}, order, linear, std::span<const Spread<double>>{}); }) == "no error");

  CellOrder<double> fresh(grid);
  const Positions<double> missing{{Column<const double>{values.data(), 2}, Column<const double>{nullptr, 2},
                                   Column<const double>{values.data(), 2}}};
  const std::string no_memory = "coordinates without memory (a column's pointer is null)";
  CHECK(message_of([&] { fresh.sort(Cpu{}, missing); }) == no_memory);
  CHECK(message_of([&] { spread(Cpu{}, grid, missing, linear, {{good, view}}); }) == no_memory);
  CHECK(message_of([&] { fresh.sort(Cpu{}, Positions<double>{}); }) == "no error");
}

TEST_CASE("points that share a value are read, but nothing is added to them") {
  const Grid grid({axis_of(3, Boundary::wall), axis_of(2, Boundary::open), Axis{}});
  const double x = 0.5, one = 1.0;
  double seen = 0, field[3] = {2, 2, 2};
  const auto at = positions(&x, &x, &x, 1);
  CellOrder<double> order(grid);
  order.sort(Cpu{}, at);
  const auto spread_error = [&](std::array<std::int64_t, 3> stride) {
    const FieldView<double> view{field, Staggering::centre, stride};
    const std::string with_order =
        message_of([&] { spread(Cpu{}, order, linear, {{Column<const double>{&one, 1}, view}}); });
    CHECK(message_of([&] { spread(Cpu{}, grid, at, linear, {{Column<const double>{&one, 1}, view}}); }) == with_order);
    return with_order;
  };
  CHECK(spread_error({}) ==
        "a centre field with stride 0 along axis x (a spread would add up its 3 points in one) set its three strides");
  CHECK(spread_error({1, 0, 0}) ==
        "a centre field with stride 0 along axis y (a spread would add up its 2 points in one) set its three strides");
  CHECK(field[0] + field[1] + field[2] == 6.0);
  const FieldView<const double> constant{field, Staggering::centre};
  CHECK(message_of([&] { interpolate(Cpu{}, order, linear, {{constant, Column<double>{&seen, 1}}}); }) == "no error");
  CHECK(seen == 2.0);
  double plane[6] = {}; // the thin axis has one point, and no stride
  CHECK(message_of([&] {
          const FieldView<double> view{plane, Staggering::centre, {1, 3, 0}};
          spread(Cpu{}, order, linear, {{Column<const double>{&one, 1}, view}});
        }) == "no error");
}

TEST_CASE("a column that two terms would set is refused") {
  const Grid grid({axis_of(3, Boundary::wall), Axis{}, Axis{}});
  const std::vector<double> x{0.5, 1.5}, field(3, 1.0);
  std::vector<double> a(2, 7.0), b(2, 7.0);
  const auto at = positions(x.data(), x.data(), x.data(), 2);
  CellOrder<double> order(grid);
  order.sort(Cpu{}, at);
  const FieldView<const double> view = field_view(grid, field.data(), Staggering::centre);
  const Column<double> into_a{a.data(), 2}, into_b{b.data(), 2};
  const std::string twice = "a column that two terms set (each overwrites the other's values) "
                            "give each a column of its own";
  CHECK(message_of([&] {
          interpolate(Cpu{}, order, linear, {{view, into_a}, {view, into_b}, {view, into_a}});
        }) == twice);
  CHECK(message_of([&] { interpolate(Cpu{}, grid, at, linear, {{view, into_a}, {view, into_a}}); }) == twice);
  CHECK((a == std::vector<double>(2, 7.0) && b == a));
  CHECK(message_of([&] { interpolate(Cpu{}, order, linear, {{view, into_a}, {view, into_b}}); }) == "no error");
  order.sort(Cpu{}, positions(x.data(), x.data(), x.data(), 0));
  const Column<double> empty;
  CHECK(message_of([&] { interpolate(Cpu{}, order, linear, {{view, empty}, {view, empty}}); }) == "no error");
}

TEST_CASE("a halo side asks for as many ghost points as the kernel reaches") {
  const Grid grid({axis_of(3, Boundary::periodic), axis_of(4, Boundary::halo), axis_of(1, Boundary::halo)});
  std::vector<double> memory(1000, 0.0);
  const double x = 0.5;
  CellOrder<double> order(grid, {Offset::half, Offset::half, Offset::half});
  order.sort(Cpu{}, positions(&x, &x, &x, 1));
  const auto error_with = [&](const auto& kernel, Staggering s, std::int64_t ghosts) {
    const FieldView<double> view = field_view_with_ghosts(grid, memory.data(), s, ghosts);
    return message_of([&] { spread(Cpu{}, order, kernel, {{Column<const double>{&x, 1}, view}}); });
  };
  CHECK(error_with(linear, Staggering::centre, 0) ==
        "a centre field with 0 ghost points (this kernel reaches 1 beyond the halo side of axis y)");
  CHECK(error_with(linear, Staggering::centre, 1) == "no error");
  CHECK(error_with(linear, Staggering::face_x, 0) ==
        "a face_x field with 0 ghost points (this kernel reaches 1 beyond the halo side of axis y)");
  CHECK(error_with(linear, Staggering::face_y, 1) == "no error");
  CHECK(error_with(nearest, Staggering::face_y, 0) == "no error");
}

TEST_CASE("either halo side asks for its own ghost points") {
  std::vector<double> memory(100, 0.0);
  const double x = 0.5;
  for (const bool low : {true, false}) {
    const Boundary below = low ? Boundary::halo : Boundary::open, above = low ? Boundary::open : Boundary::halo;
    const Grid grid({Axis{4, 0.0, 1.0, below, above}, Axis{}, Axis{}});
    CellOrder<double> order(grid);
    order.sort(Cpu{}, positions(&x, &x, &x, 1));
    const auto error_with = [&](Staggering s, std::int64_t ghosts) {
      const FieldView<double> view = field_view_with_ghosts(grid, memory.data(), s, ghosts);
      return message_of([&] { spread(Cpu{}, order, linear, {{Column<const double>{&x, 1}, view}}); });
    };
    CHECK(error_with(Staggering::centre, 0) ==
          "a centre field with 0 ghost points (this kernel reaches 1 beyond the halo side of axis x)");
    CHECK(error_with(Staggering::centre, 1) == "no error");
    CHECK(error_with(Staggering::face_x, 0) == "no error");
  }
}

TEST_CASE("coordinates of different lengths and columns of wrong size are refused whole") {
  const Grid grid({axis_of(3, Boundary::wall), Axis{}, Axis{}});
  const std::vector<double> x{2.5, 1.5, 0.5};
  CellOrder<double> order(grid);
  const Column<const double> three{x.data(), 3}, two{x.data(), 2};
  const std::string unequal = "coordinates of 2 and 3 particles (the three columns must be equally long)";
  CHECK(message_of([&] { order.sort(Cpu{}, {{three, two, three}}); }) == unequal);
  CHECK(message_of([&] { order.sort(Cpu{}, {{three, three, two}}); }) == unequal);
  order.sort(Cpu{}, {{three, three, three}});

  const std::string wrong = "a column of 2 values cannot be reordered (the order holds 3 particles) "
                            "hand over columns as long as the positions";
  std::vector<double> good{0, 1, 2}, bad{0, 1};
  CHECK(message_of([&] {
          order.reorder(Cpu{}, Column<double>{good.data(), 3}, Column<double>{bad.data(), 2});
        }) == wrong);
  CHECK(good == std::vector<double>{0, 1, 2}); // not half of the columns
  CHECK_FALSE(order.identity());
  std::vector<std::int32_t> flags{0, 1};
  CHECK(message_of([&] { order.permute(Cpu{}, Column<std::int32_t>{flags.data(), 2}); }) == wrong);

  const std::string null = "a column or field without memory (its pointer is null)";
  const Column<double> column{good.data(), 3};
  CHECK(message_of([&] { order.reorder(Cpu{}, column, Column<std::int64_t>{nullptr, 3}); }) == null);
  CHECK(message_of([&] { order.permute(Cpu{}, Column<float>{nullptr, 3}); }) == null);
  CHECK(message_of([&] { order.gather(Cpu{}, good.data(), nullptr); }) == null);
  CHECK(message_of([&] { order.gather(Cpu{}, nullptr, good.data()); }) == null);
  CHECK(message_of([&] { order.reorder(Cpu{}, column, column); }) ==
        "a column is handed over twice (its values would be reordered twice) name each column once");
  CHECK(good == std::vector<double>{0, 1, 2});
  CHECK_FALSE(order.identity());

  order.sort(Cpu{}, Positions<double>{});
  const Column<double> empty;
  CHECK(message_of([&] { order.reorder(Cpu{}, empty, empty); }) == "no error");
  CHECK(message_of([&] { order.gather(Cpu{}, static_cast<double*>(nullptr), nullptr); }) == "no error");
}

TEST_CASE("an array refuses a negative size and stays as it was") {
  Array<double> a(3, 1.5);
  CHECK(message_of([&] { a.resize(-1); }) == "an array of -1 values (a size is never negative)");
  CHECK(a.size() == 3);
  CHECK(message_of([] { Array<int> b(-2); }) == "an array of -2 values (a size is never negative)");
  a.resize(100, 2.5);
  CHECK(a[2] == 1.5);
  CHECK(a[99] == 2.5);
  CHECK(reinterpret_cast<std::uintptr_t>(a.data()) % Array<double>::alignment == 0);
  Array<double> copy = a, moved = std::move(copy);
  CHECK(moved.size() == 100);
  copy = moved;
  CHECK(copy[99] == 2.5);
}

TEST_CASE("an array goes back and forth between values and memory") {
  Array<std::int32_t> a(std::vector<std::int32_t>{3, 1, 2}, Memory::host);
  CHECK(a.memory() == Memory::host);
  CHECK(a.values() == std::vector<std::int32_t>{3, 1, 2});
  a.assign(std::vector<std::int32_t>{5, 6});
  std::vector<std::int32_t> two(2);
  a.copy_to(two);
  CHECK(two == std::vector<std::int32_t>{5, 6});
  a.zero();
  CHECK(a.values() == std::vector<std::int32_t>{0, 0});
  a.fill(7);
  Array<std::int32_t> b;
  b = a;
  CHECK(b.values() == std::vector<std::int32_t>{7, 7});
  CHECK(name(Memory::pinned) == "pinned");
}

TEST_CASE("threads that cannot be, and work that is none") {
  CHECK(message_of([] { run_with_threads(0, [] {}); }) == "0 threads (one at least is needed)");
  CHECK(message_of([] { run_with_threads(65'537, [] {}); }) ==
        "65537 threads (at most 65536 are served) ask for as many as the machine has");
  CHECK(message_of([] { run_with_threads(1, {}); }) == "threads without work (the function is empty)");
}

TEST_CASE("a number that is no method is refused as one") {
  const Grid grid({Axis{}, Axis{}, Axis{}});
  CellOrder<double> order(grid);
  const std::string unknown = "method number 99 (Method has no such value) take automatic, or one of all_methods()";
  const auto none = static_cast<Method>(99);
  CHECK(message_of([&] { spread(Cpu{}, order, linear, std::span<const Spread<double>>{}, none); }) == unknown);
  CHECK(message_of([&] { interpolate(Cpu{}, order, linear, std::span<const Interpolate<double>>{}, none); }) ==
        unknown);
  CHECK(message_of([&] {
          spread(Cpu{}, grid, Positions<double>{}, linear, std::span<const Spread<double>>{}, none);
        }) == unknown);
}

} // namespace corral::test
