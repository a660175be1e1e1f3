#include "engine/shared/order_data.hpp"
#include "tests/catch.hpp"
#include "tests/engine/cases.hpp"

#include <corral/corral.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

/// The sort itself: which group, in which order, under which count.
namespace corral::test {
namespace {

template <class T> std::vector<std::int64_t> permutation(const CellOrder<T>& order) {
  std::vector<std::int64_t> p;
  const OrderView<T> view = order.view(Cpu{});
  for (std::int64_t i = 0; i < order.size(); ++i) p.push_back(view.source(i) == order.source(i) ? view.source(i) : -1);
  return p;
}

template <class T> std::vector<std::int64_t> group_begins(const CellOrder<T>& order) {
  const std::int64_t x = order.groups()[0];
  std::vector<std::int64_t> b;
  const OrderView<T> view = order.view(Cpu{});
  for (std::int64_t g = 0; g <= view.group_count(); ++g)
    b.push_back(view.group_begin(g) == order.group_begin(g) && x == view.groups[0] ? view.group_begin(g) : -1);
  return b;
}

/// The group of a particle, from the definition floor(index - offset) in double; -1 outside, -2 not finite.
template <class T>
std::int64_t expected_group(const CellOrder<T>& order, std::array<Offset, 3> offset, std::array<T, 3> position) {
  for (const T x : position)
    if (!std::isfinite(x)) return -2;
  std::int64_t group = 0, stride = 1;
  for (int d = 0; d < 3; ++d) {
    const Axis& axis = order.grid().axis(d);
    const auto cells = static_cast<double>(axis.cells);
    double index = axis.index(double{position[d]});
    const bool half = offset[d] == Offset::half && !axis.thin();
    if (axis.periodic())
      index -= cells * std::floor(index / cells);
    else if (index < 0 || index > cells)
      return -1;
    auto g = static_cast<std::int64_t>(std::floor(half ? index - 0.5 : index));
    if (!axis.periodic()) g = half ? g + 1 : std::min(g, axis.cells - 1);
    if (axis.periodic() && g < 0) g += axis.cells;
    group += stride * g;
    stride *= order.groups()[d];
  }
  return group;
}

/// The whole contract of one sort, from the definition.
template <class T>
void require_sorted(const CellOrder<T>& order, std::array<Offset, 3> offset, const Particles<T>& particles) {
  const auto [gx, gy, gz] = order.groups();
  const std::int64_t groups = gx * gy * gz;
  std::vector<std::int64_t> bucket;
  for (std::size_t i = 0; i < particles.x.size(); ++i) {
    const std::int64_t g = expected_group<T>(order, offset, {particles.x[i], particles.y[i], particles.z[i]});
    bucket.push_back(g >= 0 ? g : groups - 1 - g);
  }
  std::vector<std::int64_t> expected(bucket.size());
  std::iota(expected.begin(), expected.end(), std::int64_t{0});
  std::stable_sort(expected.begin(), expected.end(), [&](std::int64_t a, std::int64_t b) {
    return bucket[a] < bucket[b];
  });
  const bool stable = permutation(order) == expected; // not within CHECK, which would print every index
  CHECK(stable);

  std::vector<std::int64_t> begins(static_cast<std::size_t>(groups) + 3, 0);
  for (const std::int64_t b : bucket) ++begins[static_cast<std::size_t>(b) + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  CHECK(order.counts().inside == begins[groups]);
  CHECK(order.counts().outside == begins[static_cast<std::size_t>(groups) + 1] - begins[groups]);
  CHECK(order.counts().inside + order.counts().outside + order.counts().not_finite == particles.size());
  begins.resize(static_cast<std::size_t>(groups) + 1);
  const bool same_begins = group_begins(order) == begins;
  CHECK(same_begins);
}

} // namespace

TEMPLATE_TEST_CASE("the sort is the stable one, with every offset, side and count", "[values]", float, double) {
  Random random(31);
  for (const auto& shape : all_shapes)
    for (const Sides sides : all_sides)
      for (const Offsets drawn : all_offsets)
        for (const std::int64_t n : {0, 1, 33, 400}) {
          const Grid grid = make_grid(shape, sides, Placement::lattice, random);
          const auto offset = offsets(drawn, random);
          const Placement placement = random.coin() ? Placement::lattice : Placement::one_cell;
          const auto particles = make_particles<TestType>(grid, n, placement, random);
          CellOrder<TestType> order(grid, offset);
          order.sort(Cpu{}, particles.positions());
          INFO(describe(grid) << n << " particles");
          require_sorted(order, offset, particles);
        }
}

TEST_CASE("many particles are sorted alike by any number of threads") {
  Random random(32);
  const Grid grid = make_grid({9, 7, 5}, Sides::mixed, Placement::lattice, random);
  const auto particles = make_particles<double>(grid, 70'000, Placement::lattice, random);
  const std::array offset{Offset::half, Offset::zero, Offset::half};
  for (const int threads : {1, 2, 3, 4})
    run_with_threads(threads, [&] {
      CellOrder<double> order(grid, offset);
      order.sort(Cpu{}, particles.positions());
      require_sorted(order, offset, particles);
    });
}

TEST_CASE("an order sorts again and again, as a fresh one would") {
  Random random(33);
  const Grid grid = make_grid({9, 7, 5}, Sides::mixed, Placement::lattice, random);
  const std::array offset{Offset::half, Offset::half, Offset::zero};
  CellOrder<float> order(grid, offset);
  for (const std::int64_t n : {400, 400, 1000, 33, 0, 31, 2000}) {
    const auto particles = make_particles<float>(grid, n, Placement::lattice, random);
    order.sort(Cpu{}, particles.positions());
    CHECK_FALSE(order.identity());
    require_sorted(order, offset, particles);
    order.forget_permutation();
    CHECK(order.identity());
  }
}

TEMPLATE_TEST_CASE("columns in cell order of which few particles moved are sorted as any others", "", float, double) {
  Random random(35);
  const Grid grid = make_grid({9, 7, 5}, Sides::mixed, Placement::anywhere, random);
  const std::array offset{Offset::half, Offset::half, Offset::zero};
  const std::int64_t n = 5000;
  auto particles = make_particles<TestType>(grid, n, Placement::anywhere, random);
  CellOrder<TestType> order(grid, offset);
  for (int step = 0; step < 4; ++step) {
    order.sort(Cpu{}, particles.positions());
    require_sorted(order, offset, particles);
    order.reorder(Cpu{}, Column<TestType>{particles.x.data(), n}, Column<TestType>{particles.y.data(), n},
                  Column<TestType>{particles.z.data(), n});
    for (int mover = 0; mover < 250; ++mover) {
      const auto i = static_cast<std::size_t>(random.below(n)), j = static_cast<std::size_t>(random.below(n));
      std::swap(particles.x[i], particles.x[j]);
    }
  }
}

TEST_CASE("indices of 64 bits give the order that indices of 32 bits give") {
  Random random(34);
  const Grid grid = make_grid({5, 4, 3}, Sides::wall_plus, Placement::lattice, random);
  const std::array offset{Offset::half, Offset::half, Offset::half};
  const auto particles = make_particles<double>(grid, 1000, Placement::lattice, random);
  for (const std::int64_t limit : {10, 500}) { // too few for the groups; enough for them, not for the particles
    CellOrder<double> order(grid, offset);
    order.data().narrow_limit = limit;
    order.sort(Cpu{}, particles.positions());
    REQUIRE(order.data().wide());
    CHECK(order.data().permutation64.size() == 1000);
    require_sorted(order, offset, particles);
    std::vector<double> x = particles.x, expected;
    for (const std::int64_t i : permutation(order)) expected.push_back(x[i]);
    order.permute(Cpu{}, Column<double>{x.data(), 1000});
    CHECK(std::equal(x.begin(), x.end(), expected.begin(),
                     [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }));

    const auto few = make_particles<double>(grid, 33, Placement::lattice, random); // and back to 32 bits
    order.sort(Cpu{}, few.positions());
    CHECK(order.data().wide() == (limit == 10));
    require_sorted(order, offset, few);
  }
}

TEST_CASE("counts of cells and particles beyond 32 bits ask for wide indices") {
  const Axis million{1 << 20, 0.0, 1.0, Boundary::open, Boundary::open}, some{4096, 0.0, 1.0}, one{};
  const Grid grid({million, some, one});
  CHECK(grid.cells() == std::int64_t{1} << 32);
  CHECK(grid.points(Staggering::face_x) == ((std::int64_t{1} << 20) + 1) << 12);
  const shared::AxisGroups x = shared::AxisGroups::of(million, true), y = shared::AxisGroups::of(some, true);
  CHECK(x.count * y.count == ((std::int64_t{1} << 20) + 1) << 12);
  shared::CellKey<double> key;
  key.axis[0] = shared::AxisKey<double>(million, x);
  key.axis[1] = shared::AxisKey<double>(some, y);
  key.axis[2] = shared::AxisKey<double>(one, shared::AxisGroups::of(one, true));
  key.groups[0] = x.count;
  key.groups[1] = y.count;
  CHECK(key(1048575.75, 4095.0, 0.5).group == 4094 * x.count + (1 << 20));
}

} // namespace corral::test
