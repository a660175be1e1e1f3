#include "tests/engine/compare_with_reference.hpp"
#include "tests/engine/spline_kernels.hpp"

/// Numbers that can be checked with pencil and paper: all weights are exact, so results are exact too.
namespace corral::test {
namespace {

Axis cells(std::int64_t n, Boundary low = Boundary::periodic, Boundary high = Boundary::periodic) {
  return {n, 0.0, 1.0, low, high};
}

/// A row of 3 cells of size 1; y and z are thin and periodic.
Grid row(Boundary low, Boundary high) { return Grid({cells(3, low, high), cells(1), cells(1)}); }

struct Particle {
  double x, y, z, value;
};

/// Spreads the particles for every offset of the order, with the engine and the reference, and requires `expected`
/// at the points of the field, x fastest; for halo grids one ghost point on either side of x is shown too.
template <class Kernel>
void require_spread(const Kernel& kernel, const Grid& grid, Staggering staggering, Sign sign,
                    const std::vector<Particle>& particles, const std::vector<double>& expected) {
  std::vector<double> x, y, z, value;
  for (const Particle& p : particles) {
    x.push_back(p.x);
    y.push_back(p.y);
    z.push_back(p.z);
    value.push_back(p.value);
  }
  const auto n = static_cast<std::int64_t>(particles.size());
  const Positions<double> at = positions(x.data(), y.data(), z.data(), n);
  const Column<const double> column{value.data(), n};
  const std::int64_t low = grid.axis(0).low == Boundary::halo ? 1 : 0;
  const std::int64_t high = grid.axis(0).high == Boundary::halo ? 1 : 0;
  const auto shown = [&](const OwnedField<double>& field) {
    std::vector<double> values;
    for (std::int64_t k = 0; k < grid.points(staggering, 2); ++k)
      for (std::int64_t j = 0; j < grid.points(staggering, 1); ++j)
        for (std::int64_t i = -low; i < grid.points(staggering, 0) + high; ++i) values.push_back(field.view(i, j, k));
    return values;
  };
  const auto fresh = [&] { return OwnedField<double>(grid, staggering, {sign, sign, sign}, 1); };

  OwnedField<double> from_reference = fresh();
  reference::spread(grid, kernel, at, column, from_reference.view);
  CHECK(shown(from_reference) == expected);
  for (int offset = 0; offset < 8; ++offset) {
    const auto half = [&](int d) { return (offset >> d) % 2 == 1 ? Offset::half : Offset::zero; };
    CellOrder<double> order(grid, {half(0), half(1), half(2)});
    run_sort(order, at);
    OwnedField<double> field = fresh();
    run_spread(order, kernel, {Spread<double>{column, field.view}});
    INFO("offset " << offset);
    CHECK(shown(field) == expected);
  }
}

constexpr kernels::Linear linear;
constexpr kernels::Nearest nearest;
constexpr Sign plus = Sign::plus, minus = Sign::minus;
constexpr Boundary periodic = Boundary::periodic, wall = Boundary::wall, open = Boundary::open, halo = Boundary::halo;
using S = Staggering;
using Expected = std::vector<double>;

} // namespace

TEST_CASE("one particle in a periodic box of 2 x 2 x 2 cells") {
  const Grid box({cells(2), cells(2), cells(2)});
  const std::vector<Particle> one{{0.75, 1.25, 0.5, 16}};
  // Centres lie at 1/2 and 3/2: weights (3/4, 1/4) in x, (1/4, 3/4) in y, (1, 0) in z.
  require_spread(linear, box, S::centre, plus, one, {3, 1, 9, 3, 0, 0, 0, 0});
  // Nodes lie at 0 and 1, and 2 is 0: weights (1/4, 3/4) in x, (1/4, 3/4) in y, (1/2, 1/2) in z.
  require_spread(linear, box, S::node, plus, one, {0.5, 1.5, 1.5, 4.5, 0.5, 1.5, 1.5, 4.5});
  require_spread(linear, box, S::face_x, plus, one, {1, 3, 3, 9, 0, 0, 0, 0});
  require_spread(linear, box, S::face_y, plus, one, {3, 1, 9, 3, 0, 0, 0, 0});
  require_spread(linear, box, S::face_z, plus, one, {1.5, 0.5, 4.5, 1.5, 1.5, 0.5, 4.5, 1.5});
  require_spread(nearest, box, S::centre, plus, one, {0, 0, 16, 0, 0, 0, 0, 0});
  require_spread(nearest, box, S::node, plus, one, {0, 0, 0, 0, 0, 0, 0, 16});
  require_spread(nearest, box, S::face_z, plus, one, {0, 0, 0, 0, 0, 0, 16, 0});
}

TEST_CASE("several particles add up in a box with walls") {
  const Grid box({cells(2, wall, wall), cells(2, wall, wall), cells(2, wall, wall)});
  const std::vector<Particle> three{{0.5, 0.5, 0.5, 1}, {1, 0.5, 0.5, 2}, {1, 1, 1, 8}};
  require_spread(linear, box, S::centre, plus, three, {3, 2, 1, 1, 1, 1, 1, 1});
  require_spread(linear, box, S::face_x, plus, three, {.5, 4.5, 0, 0, 2, 0, 0, 2, 0, 0, 2, 0});
}

TEST_CASE("the sides of a row, linear, at centres") {
  const std::vector<Particle> low{{0.25, 0.5, 0.5, 4}}, high{{2.75, 0.5, 0.5, 4}};
  require_spread(linear, row(periodic, periodic), S::centre, plus, low, {3, 0, 1});
  require_spread(linear, row(periodic, periodic), S::centre, plus, high, {1, 0, 3});
  require_spread(linear, row(wall, wall), S::centre, plus, low, {4, 0, 0});
  require_spread(linear, row(wall, wall), S::centre, plus, high, {0, 0, 4});
  require_spread(linear, row(wall, wall), S::centre, minus, low, {2, 0, 0});
  require_spread(linear, row(wall, wall), S::centre, minus, high, {0, 0, 2});
  require_spread(linear, row(open, open), S::centre, plus, low, {3, 0, 0});
  require_spread(linear, row(open, open), S::centre, plus, high, {0, 0, 3});
  require_spread(linear, row(halo, halo), S::centre, plus, low, {1, 3, 0, 0, 0});
  require_spread(linear, row(halo, halo), S::centre, plus, high, {0, 0, 0, 3, 1});
  require_spread(linear, row(halo, wall), S::centre, minus, {low[0], high[0]}, {1, 3, 0, 2});
  require_spread(linear, row(open, halo), S::centre, plus, {low[0], high[0]}, {3, 0, 3, 1});
}

TEST_CASE("the sides of a row, linear, on faces") {
  const std::vector<Particle> both{{0.25, 0.5, 0.5, 4}, {2.75, 0.5, 0.5, 8}};
  require_spread(linear, row(periodic, periodic), S::face_x, plus, both, {9, 1, 2});
  for (const Sign sign : {plus, minus}) // no stencil point lies beyond the walls
    require_spread(linear, row(wall, wall), S::face_x, sign, both, {3, 1, 2, 6});
  require_spread(linear, row(open, open), S::node, plus, {{0.25, 0, 0, 4}},
                 {3, 1, 0, 0}); // y and z are periodic: one node each
  require_spread(linear, row(halo, halo), S::face_x, plus, both, {0, 3, 1, 2, 6, 0});
}

TEST_CASE("the nearest point of a row") {
  const std::vector<Particle> three{{0.25, 0.5, 0.5, 1}, {1.5, 0.5, 0.5, 2}, {2.75, 0.5, 0.5, 4}};
  require_spread(nearest, row(periodic, periodic), S::centre, plus, three, {1, 2, 4});
  require_spread(nearest, row(periodic, periodic), S::face_x, plus, three, {5, 0, 2}); // 3/2 goes up, 11/4 wraps
  for (const Boundary side : {wall, open}) {
    require_spread(nearest, row(side, side), S::centre, minus, three, {1, 2, 4});
    require_spread(nearest, row(side, side), S::face_x, minus, three, {1, 0, 2, 4});
  }
}

TEST_CASE("a particle on the last face is inside, and its nearest cell is the last one") {
  const std::vector<Particle> last{{3, 0.5, 0.5, 4}};
  require_spread(nearest, row(open, open), S::centre, plus, last, {0, 0, 4});
  require_spread(nearest, row(wall, wall), S::centre, minus, last, {0, 0, 4});
  require_spread(nearest, row(halo, halo), S::centre, plus, last, {0, 0, 0, 4, 0});
  require_spread(nearest, row(open, open), S::face_x, plus, last, {0, 0, 0, 4});
  require_spread(nearest, row(periodic, periodic), S::centre, plus, last, {4, 0, 0});
  require_spread(linear, row(wall, wall), S::centre, plus, last, {0, 0, 4});
}

TEST_CASE("a kernel that reaches across a wall is reflected with the field's sign") {
  // At x = 1/4 the quadratic spline weighs the faces -1, 0, 1 with 1/32, 22/32, 9/32; face -1 is the image of face 1.
  const std::vector<Particle> low{{0.25, 0.5, 0.5, 32}}, high{{2.75, 0.5, 0.5, 32}};
  require_spread(Quadratic{}, row(wall, wall), S::face_x, plus, low, {22, 10, 0, 0});
  require_spread(Quadratic{}, row(wall, wall), S::face_x, minus, low, {22, 8, 0, 0});
  require_spread(Quadratic{}, row(wall, wall), S::face_x, minus, high, {0, 0, 8, 22});
  // And the centres -1, 0, 1 at x = 1/4: 9/32, 22/32, 1/32; centre -1 is the image of centre 0.
  require_spread(Quadratic{}, row(wall, wall), S::centre, plus, low, {31, 1, 0});
  require_spread(Quadratic{}, row(wall, wall), S::centre, minus, low, {13, 1, 0});
}

TEST_CASE("thin axes have one point of weight 1 at centres, and evaluate the kernel on faces") {
  const Grid sheet({cells(3), cells(1, wall, wall), cells(1, open, open)});
  const std::vector<Particle> one{{1.5, 0.25, 0.875, 16}};
  require_spread(linear, sheet, S::centre, minus, one, {0, 16, 0});
  require_spread(linear, sheet, S::face_y, minus, one, {0, 12, 0, 0, 4, 0});
  require_spread(linear, sheet, S::face_z, minus, one, {0, 2, 0, 0, 14, 0});
  require_spread(nearest, sheet, S::face_z, minus, one, {0, 0, 0, 0, 16, 0});
  const Grid point({cells(1), cells(1), cells(1)});
  for (const Staggering s : all_staggerings) require_spread(linear, point, s, plus, one, {16});
}

TEST_CASE("interpolation reads the weighted sum and leaves skipped particles alone") {
  const Grid grid = row(wall, wall);
  const std::vector<double> x{0.25, 4.0, 2.0, 2.75}, middle(4, 0.5);
  const std::vector<double> field{1, 10, 100};
  CellOrder<double> order(grid, {Offset::half, Offset::half, Offset::half});
  run_sort(order, positions(x.data(), middle.data(), middle.data(), 4));
  std::vector<double> read(4, untouched);
  FieldView<const double> view = field_view(grid, field.data(), Staggering::centre);
  run_interpolate(order, linear, {Interpolate<double>{view, Column<double>{read.data(), 4}}});
  CHECK(read == Expected{1.0, untouched, 55.0, 100.0});
  view.wall_sign = {minus, minus, minus};
  run_interpolate(order, linear, {Interpolate<double>{view, Column<double>{read.data(), 4}}});
  CHECK(read == Expected{0.5, untouched, 55.0, 50.0});
}

TEST_CASE("the weights of every kernel sum to 1") {
  const auto require_unity = [](const auto& kernel) {
    using K = std::remove_cvref_t<decltype(kernel)>;
    for (int i = 0; i <= 64; ++i) {
      const double r = i / 64.0 - (K::support % 2 == 1 ? 0.5 : 0.0);
      double w[K::support], sum = 0;
      kernel.weights(r, w);
      for (int j = 0; j < K::support; ++j) {
        sum += w[j];
        CHECK(excess(w[j], kernel(r - (j - (K::support - 1) / 2)), round_off(1)) <= 1);
      }
      CHECK(excess(sum, 1.0, round_off(K::support)) <= 1);
    }
  };
  require_unity(linear);
  require_unity(nearest);
  require_unity(Quadratic{});
  require_unity(Cubic{});
}

} // namespace corral::test
