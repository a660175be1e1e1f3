#include "engine/cpu/cells/column_stream.hpp"
#include "engine/cpu/literature/support_order.hpp"
#include "tests/catch.hpp"
#include "tests/engine/cases.hpp"
#include "tests/engine/spline_kernels.hpp"
#include "tests/engine/wrapped_scene.hpp"

#include <corral/corral.hpp>

#include <cmath>
#include <numeric>
#include <set>
#include <vector>

/// Columns that are written past the caches: every value arrives, and no other is touched.
namespace corral::test {

TEMPLATE_TEST_CASE("a column stream writes its values and nothing else", "", float, double) {
  Random random(97);
  constexpr std::int64_t most = 100, around = 40;
  for (std::int64_t first = 0; first < 20; ++first)
    for (const std::int64_t n : {0, 1, 7, 8, 9, 31, 64, 65, 1000}) {
      std::vector<TestType> column(static_cast<std::size_t>(first + n + around), TestType(-1)), expected = column;
      std::iota(expected.begin() + first, expected.begin() + first + n, TestType(0));
      cpu::ColumnStream<TestType> stream(column.data() + first, most);
      for (std::int64_t done = 0; done < n;) {
        const std::int64_t piece = std::min(n - done, random.below(most + 1)); // also none
        for (std::int64_t i = 0; i < piece; ++i) stream.piece()[i] = static_cast<TestType>(done + i);
        stream.advance(piece);
        done += piece;
      }
      stream.end();
      INFO("first " << first << ", " << n << " values");
      CHECK(column == expected);
    }
}

TEST_CASE("many particles are read past the caches with the bits of few columns") {
  Random random(98);
  const Grid grid = make_grid({30, 28, 26}, Sides::wall_plus, Placement::anywhere, random);
  const std::int64_t n = 1'200'000; // of which a part is outside
  auto particles = make_particles<double>(grid, n, Placement::anywhere, random);
  CellOrder<double> order(grid, {Offset::half, Offset::half, Offset::half});
  const auto reorder = [&](std::vector<double>& x) { order.reorder(Cpu{}, Column<double>{x.data(), n}); };
  order.sort(Cpu{}, particles.positions());
  reorder(particles.x), reorder(particles.y), reorder(particles.z);
  order.sort(Cpu{}, particles.positions());
  order.forget_permutation();
  const auto [gx, gy, gz] = order.groups();
  const std::int64_t inside = order.counts().inside;
  REQUIRE(cpu::streaming_repays(3 * 8 * inside, inside, gx * gy * gz)); // three columns go past the caches, one doesn't
  REQUIRE_FALSE(cpu::streaming_repays(8 * inside, inside, gx * gy * gz));
  for (const Staggering s : {Staggering::centre, Staggering::face_y}) {
    OwnedField<double> field(grid, s, {Sign::plus, Sign::plus, Sign::plus}, 1);
    for (double& v : field.values) v = random.uniform(-1, 1);
    const FieldView<const double> view = field.view;
    std::vector<double> alone(static_cast<std::size_t>(n + 1), -7.0);
    interpolate(Cpu{}, order, kernels::Linear{}, {{view, Column<double>{alone.data(), n}}});
    for (const int threads : {1, 2, 3}) {
      std::vector<std::vector<double>> read(3, std::vector<double>(static_cast<std::size_t>(n + 1), -7.0));
      run_with_threads(threads, [&] {
        interpolate(Cpu{}, order, kernels::Linear{}, {{view, Column<double>{read[0].data(), n}},
                                                      {view, Column<double>{read[1].data(), n}},
                                                      {view, Column<double>{read[2].data(), n}}});
      });
      for (const auto& column : read) CHECK((column == alone)); // not printed
    }
  }
}

// What sort_reduce promises on the CPU beyond its sums.

TEST_CASE("sort_reduce writes once at most per occupied cell and shift") {
  const WrappedScene scene({0, 0, 0}, {7, 5, 11});
  CellOrder<double> order = scene.order();
  for (const Staggering s : all_staggerings) {
    const auto support = shared::FieldSupport::of<double>(order.data(), s, KernelWeights<double>::of(Cubic{}));
    const cpu::FieldBlock<double> block{
        cpu::PaddedLayout(scene.grid, support, s, {Sign::plus, Sign::plus, Sign::plus}), support, {}, {}};
    const cpu::SupportOrder sorted(Cpu{}, order.data(), block);
    std::set<std::array<double, 3>> cells; // the support cells, whose corners are points of the field, in the order's
    for (std::int64_t i = 0; i < scene.n; ++i) { // own counting: an axis of offset 1/2 begins at the first centre
      const auto cell = [&](int d, double x) {
        const auto cells_of_axis = static_cast<double>(scene.grid.axis(d).cells);
        if (d != 1 && x < 0.5) x += cells_of_axis;
        return std::floor(on_face(s, d) ? x : x - 0.5);
      };
      cells.insert({cell(0, scene.particles.x[i]), cell(1, scene.particles.y[i]), cell(2, scene.particles.z[i])});
    }
    INFO(name(s));
    CHECK(sorted.segments() == static_cast<std::int64_t>(cells.size()));
    bool ascending = true, stable = true;
    for (std::int64_t g = 1; g < sorted.segments(); ++g) ascending &= sorted.point(g - 1) < sorted.point(g);
    for (std::int64_t g = 0; g < sorted.segments(); ++g)
      for (std::int64_t i = sorted.begin(g) + 1; i < sorted.begin(g + 1); ++i)
        stable &= sorted.place(i - 1) < sorted.place(i);
    CHECK(ascending);
    CHECK(stable);
    CHECK(sorted.begin(sorted.segments()) == scene.n);
  }
}

TEST_CASE("the buffers of sort_reduce are kept, those on the fly are not") {
  const WrappedScene scene({0, 0, 0}, {7, 5, 11});
  const auto memory_after = [&](Method method) {
    CellOrder<double> order = scene.order();
    std::vector<double> field(static_cast<std::size_t>(scene.grid.points(Staggering::centre)), 0.0);
    for (int call = 0; call < 2; ++call)
      spread(Cpu{}, order, kernels::Linear{},
             {{{scene.value.data(), scene.n}, field_view(scene.grid, field.data(), Staggering::centre)}}, method);
    return order.bytes();
  };
  const std::int64_t none = memory_after(Method::serial), weight = 8 * scene.n;
  CHECK(memory_after(Method::sort_reduce_on_the_fly) == none);
  CHECK(memory_after(Method::sort_reduce) == none + weight);
  CHECK(memory_after(Method::sort_reduce_buffered) >= none + 8 * weight);
}

} // namespace corral::test
