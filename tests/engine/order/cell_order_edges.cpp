#include "tests/catch.hpp"
#include "tests/engine/cases.hpp"

#include <corral/corral.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <numeric>
#include <vector>

/// Single coordinates: on faces, beyond them, absurd ones; and the columns that `reorder` moves.
namespace corral::test {
namespace {

constexpr std::int64_t outside = -1, not_finite = -2;

// Sanitizers end the program where it asks for more than there can be.
constexpr bool allocations_may_fail = !sanitized;

/// The group of one particle along x, in a row of 4 cells from 1 to 2 (y and z are thin).
template <class T> std::int64_t group_of(T x, Boundary side, Offset offset) {
  const Grid grid({Axis{4, 1.0, 0.25, side, side}, Axis{}, Axis{}});
  CellOrder<T> order(grid, {offset, Offset::half, Offset::half});
  const T middle = T(0.5);
  const SortCounts counts = order.sort(Cpu{}, positions(&x, &middle, &middle, 1));
  if (counts.outside == 1) return outside;
  if (counts.not_finite == 1) return not_finite;
  REQUIRE(counts.inside == 1);
  std::int64_t g = 0;
  while (order.group_begin(g + 1) == 0) ++g;
  return g;
}

} // namespace

TEMPLATE_TEST_CASE("a particle exactly on a face belongs to the cell above, on the last face to the last", "", float,
                   double) {
  using T = TestType;
  for (const Boundary side : {Boundary::wall, Boundary::open, Boundary::halo}) {
    for (int face = 0; face <= 4; ++face) {
      CHECK(group_of(T(1 + 0.25 * face), side, Offset::zero) == std::min(face, 3));
      CHECK(group_of(T(1 + 0.25 * face), side, Offset::half) == face); // groups lie between centres
    }
    for (int cell = 0; cell < 4; ++cell) {
      CHECK(group_of(T(1.125 + 0.25 * cell), side, Offset::zero) == cell);
      CHECK(group_of(T(1.125 + 0.25 * cell), side, Offset::half) == cell + 1);
    }
    const T below = std::nextafter(T(1), T(0));
    CHECK(group_of(below, side, Offset::zero) == outside);
    CHECK(group_of(T(2) + 64 * std::numeric_limits<T>::epsilon(), side, Offset::half) == outside);
    // What rounding alone may add to a position on the last face is forgiven.
    CHECK(group_of(std::nextafter(T(2), T(3)), side, Offset::zero) == 3);
    CHECK(group_of(std::nextafter(T(2), T(0)), side, Offset::zero) == 3);
    CHECK(group_of(std::nextafter(T(2), T(0)), side, Offset::half) == 4);
  }
}

// Particles at the upper end, computed in the particles' precision, and, as far as that precision tells them apart,
// others a little beyond it. Eight at once: a whole register of them, and those that a register leaves over.
TEMPLATE_TEST_CASE("a particle at the end of an axis counts as inside, wherever the axis lies", "", float, double) {
  using T = TestType;
  Random random(26);
  int far_origins = 0;
  for (int i = 0; i < 4000; ++i) {
    const Boundary side = random.pick(std::array{Boundary::wall, Boundary::open, Boundary::halo});
    const auto spacing = static_cast<T>(std::pow(10.0, random.uniform(-4, 3)));
    const double origins_per_spacing = random.coin() ? random.uniform(-10, 10) : random.uniform(-1e4, 1e4);
    const T origin = static_cast<T>(origins_per_spacing) * spacing;
    const std::int64_t cells = 1 + random.below(1000);
    const T end = origin + static_cast<T>(cells) * spacing;
    const Grid grid({Axis{cells, double{origin}, double{spacing}, side, side}, Axis{}, Axis{}});
    const Offset offset = random.pick(std::array{Offset::zero, Offset::half});
    CellOrder<T> order(grid, {offset, Offset::zero, Offset::zero});
    const std::vector<T> x(9, end), middle(9, T(0.5));
    const SortCounts counts = order.sort(Cpu{}, positions(x.data(), middle.data(), middle.data(), 9));
    INFO("origin " << origin << ", spacing " << spacing << ", " << cells << " cells");
    REQUIRE(counts.inside == 9);
    REQUIRE(order.group_begin(order.groups()[0] - 1) == 0); // the last group has them all
    REQUIRE(order.group_begin(order.groups()[0]) == 9);
    const T apart = std::numeric_limits<T>::epsilon() * (std::abs(origin) / spacing + static_cast<T>(cells));
    const std::vector<T> beyond(9, end + std::max(T(4e-3), 16 * apart) * spacing);
    REQUIRE(order.sort(Cpu{}, positions(beyond.data(), middle.data(), middle.data(), 9)).outside == 9);
    far_origins += std::abs(origin) > 10 * end - 10 * origin;
  }
  CHECK(far_origins > 100);
}

TEMPLATE_TEST_CASE("positions wrap on a periodic axis, over several periods and below zero", "", float, double) {
  using T = TestType;
  for (const double period : {-3.0, -1.0, 0.0, 1.0, 5.0}) {
    for (int cell = 0; cell < 4; ++cell) {
      CHECK(group_of(T(1.0625 + 0.25 * cell + period), Boundary::periodic, Offset::zero) == cell);
      CHECK(group_of(T(1.0625 + 0.25 * cell + period), Boundary::periodic, Offset::half) == (cell + 3) % 4);
      CHECK(group_of(T(1.1875 + 0.25 * cell + period), Boundary::periodic, Offset::half) == cell);
    }
    CHECK(group_of(T(1 + period), Boundary::periodic, Offset::zero) == 0);
  }
  CHECK(group_of(std::nextafter(T(1), T(0)), Boundary::periodic, Offset::zero) == 3);
  CHECK(group_of(T(1) - std::numeric_limits<T>::denorm_min(), Boundary::periodic, Offset::zero) == 0);
}

TEMPLATE_TEST_CASE("absurd coordinates are counted, never mapped", "", float, double) {
  using T = TestType;
  using limits = std::numeric_limits<T>;
  for (const Offset offset : {Offset::zero, Offset::half})
    for (const Boundary side : {Boundary::wall, Boundary::open, Boundary::halo, Boundary::periodic}) {
      CHECK(group_of(limits::quiet_NaN(), side, offset) == not_finite);
      CHECK(group_of(limits::infinity(), side, offset) == not_finite);
      CHECK(group_of(-limits::infinity(), side, offset) == not_finite);
      if (side == Boundary::periodic) continue;
      for (const T far : {T(3e38), T(-3e38), limits::max(), limits::lowest(), T(1e10)})
        CHECK(group_of(far, side, offset) == outside);
      for (const T tiny : {T(0), limits::denorm_min(), -limits::denorm_min(), limits::min()})
        CHECK(group_of(tiny, side, offset) == outside); // the row begins at 1
    }
  // On a periodic axis a place is found, or the particle is outside where nothing is left of its position.
  for (const T far : {T(3e38), limits::max(), limits::lowest(), T(1e10), T(-1e10)}) {
    const std::int64_t g = group_of(far, Boundary::periodic, Offset::zero);
    CHECK((g == outside || (g >= 0 && g < 4)));
  }
  CHECK(group_of(limits::max(), Boundary::periodic, Offset::half) == outside); // its index overflows
}

// Where a coordinate over the length of the axis rounds to a whole number, or to 0.
TEMPLATE_TEST_CASE("a position on a periodic axis is inside, however little it lies below its end", "", float, double) {
  using T = TestType;
  using limits = std::numeric_limits<T>;
  for (const std::int64_t cells : {1, 3, 4, 7, 49})
    for (const Offset offset : {Offset::zero, Offset::half}) {
      const Grid grid({Axis{cells, 0.0, 1.0, Boundary::periodic, Boundary::periodic}, Axis{}, Axis{}});
      CellOrder<T> order(grid, {offset, Offset::zero, Offset::zero});
      const std::int64_t first = offset == Offset::half ? cells - 1 : 0; // the group of 0
      for (const T below : {limits::denorm_min(), 2 * limits::denorm_min(), limits::min() / 100, limits::min()}) {
        const std::vector<T> x(9, -below), middle(9, T(0.5)); // a register, and one over
        CHECK(order.sort(Cpu{}, positions(x.data(), middle.data(), middle.data(), 9)).inside == 9);
        CHECK(order.group_begin(first + 1) - order.group_begin(first) == 9);
      }
      std::vector<T> x;
      for (int period = -60; period <= 60; ++period)
        for (const T towards : {T(-1e9), T(1e9)}) x.push_back(std::nextafter(static_cast<T>(period * cells), towards));
      const std::vector<T> middle(x.size(), T(0.5));
      const auto count = static_cast<std::int64_t>(x.size());
      CHECK(order.sort(Cpu{}, positions(x.data(), middle.data(), middle.data(), count)).inside == count);
    }
}

TEST_CASE("1e300 and denormals around an origin of zero") {
  const Grid grid({Axis{4, 0.0, 1e-3, Boundary::wall, Boundary::wall}, Axis{}, Axis{}});
  const double tiny = std::numeric_limits<double>::denorm_min();
  const std::vector<double> x{1e300, -1e300, tiny, -tiny, 0.0, -0.0}, middle(6, 0.5);
  CellOrder<double> order(grid);
  const SortCounts counts = order.sort(Cpu{}, positions(x.data(), middle.data(), middle.data(), 6));
  CHECK(counts.inside + counts.outside == 6);
  CHECK(order.group_begin(1) >= 3); // tiny, 0 and -0 lie in the first cell
  CHECK(counts.outside >= 2);
  CHECK(counts.not_finite == 0);
}

TEST_CASE("a particle is not finite rather than outside where it is both") {
  const Grid grid({Axis{2, 0.0, 1.0, Boundary::open, Boundary::open}, Axis{}, Axis{}});
  const std::vector<double> x{9, 9, 1}, y{0.5, std::nan(""), 0.5}, z{0.5, 0.5, INFINITY};
  CellOrder<double> order(grid);
  const SortCounts counts = order.sort(Cpu{}, positions(x.data(), y.data(), z.data(), 3));
  CHECK(counts.inside == 0);
  CHECK(counts.outside == 1);
  CHECK(counts.not_finite == 2);
  CHECK(order.source(0) == 0);
}

TEMPLATE_TEST_CASE("reorder moves columns of every type and stride into cell order", "", float, double, std::int32_t,
                   std::int64_t, std::uint64_t) {
  const Grid grid({Axis{4, 0.0, 1.0, Boundary::open, Boundary::open}, Axis{}, Axis{}});
  const std::vector<double> x{3.5, 0.5, 9.0, 2.5, 0.25, 3.25}, middle(6, 0.5);
  const std::vector<int> in_order{1, 4, 3, 0, 5, 2};
  for (const std::int64_t stride : {1, 3}) {
    CellOrder<double> order(grid);
    order.sort(Cpu{}, positions(x.data(), middle.data(), middle.data(), 6));
    std::vector<TestType> memory(static_cast<std::size_t>(6 * stride), TestType(77)), expected = memory;
    for (std::size_t i = 0; i < 6; ++i) {
      memory[i * static_cast<std::size_t>(stride)] = static_cast<TestType>(i);
      expected[i * static_cast<std::size_t>(stride)] = static_cast<TestType>(in_order[i]);
    }
    CHECK_FALSE(order.identity());
    order.reorder(Cpu{}, Column<TestType>{memory.data(), 6, stride});
    CHECK(memory == expected);
    CHECK(order.identity());
    CHECK(order.source(3) == 3);
    order.reorder(Cpu{}, Column<TestType>{memory.data(), 6, stride}); // they lie in cell order already
    CHECK(memory == expected);
  }
}

TEST_CASE("an order that found no memory is empty, and sorts again") {
  const Grid grid({Axis{4, 0.0, 1.0, Boundary::open, Boundary::open}, Axis{}, Axis{}});
  const std::vector<double> x{3.5, 0.5, 9.0, 2.5}, middle(4, 0.5);
  const auto some = positions(x.data(), middle.data(), middle.data(), 4);
  CellOrder<double> order(grid);
  CHECK(order.sort(Cpu{}, some).inside == 3);
  std::vector<double> field(4, 0.0);
  const std::int64_t n = std::int64_t{1} << 55; // of positions that don't exist: nothing reads them
  if (allocations_may_fail)
    CHECK_THROWS_AS(order.sort(Cpu{}, positions(x.data(), middle.data(), middle.data(), n)), std::bad_alloc);
  else
    order.sort(Cpu{}, positions(x.data(), middle.data(), middle.data(), 0));
  CHECK(order.size() == 0);
  CHECK(order.counts().inside + order.counts().outside + order.counts().not_finite == 0);
  CHECK(order.group_begin(4) == 0);
  spread(Cpu{}, order, kernels::Linear{},
         {{Column<const double>{x.data(), 0}, field_view(grid, field.data(), Staggering::centre)}});
  CHECK(field == std::vector<double>(4, 0.0));
  CHECK(order.sort(Cpu{}, some).inside == 3);
  CHECK(order.source(0) == 1);
}

TEST_CASE("large columns are permuted alike by any number of threads") {
  const std::int64_t n = 100'000;
  const Grid grid({Axis{64, 0.0, 1.0}, Axis{}, Axis{}});
  std::vector<double> x(n), middle(n, 0.5);
  double place = 0;
  for (double& value : x) value = 64 * (place = std::fmod(place + 0.618033988749895, 1.0));
  for (const int threads : {1, 3})
    run_with_threads(threads, [&] {
      CellOrder<double> order(grid);
      order.sort(Cpu{}, positions(x.data(), middle.data(), middle.data(), n));
      std::vector<std::int64_t> id(n), expected(n);
      std::iota(id.begin(), id.end(), std::int64_t{0});
      for (std::int64_t i = 0; i < n; ++i) expected[i] = order.source(i);
      order.permute(Cpu{}, Column<std::int64_t>{id.data(), n});
      const bool permuted = id == expected; // not within CHECK, which would print every index
      CHECK(permuted);
      std::vector<double> gathered(n), expected_x(n);
      order.gather(Cpu{}, x.data(), gathered.data());
      for (std::int64_t i = 0; i < n; ++i)
        expected_x[i] = x[static_cast<std::size_t>(order.source(i))];
      const bool gathered_alike = gathered == expected_x;
      CHECK(gathered_alike);
      std::vector<std::uint64_t> label(n), gathered_label(n);
      std::iota(label.begin(), label.end(), std::uint64_t{0});
      order.gather(Cpu{}, label.data(), gathered_label.data());
      CHECK(std::equal(gathered_label.begin(), gathered_label.end(), expected.begin(),
                       [](std::uint64_t a, std::int64_t b) { return static_cast<std::int64_t>(a) == b; }));
    });
}

} // namespace corral::test
