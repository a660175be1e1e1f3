#include "engine/cpu/cells/column_stream.hpp"
#include "tests/catch.hpp"
#include "tests/engine/cases.hpp"

#include <corral/corral.hpp>

#include <numeric>
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

} // namespace corral::test
