#include "tests/catch.hpp"
#include "tests/engine/cases.hpp"

#include <corral/corral.hpp>

#include <cstdint>
#include <utility>
#include <vector>

/// What `memory_use` tells. It counts the whole process, so all is told by differences.
namespace corral::test {

TEST_CASE("arrays count what they hold, once, wherever it goes") {
  const MemoryUse before = memory_use(Memory::host);
  const auto held = [&] { return memory_use(Memory::host).held - before.held; };
  {
    Array<double> a(100);
    CHECK(held() == 800);
    a.resize(90);
    CHECK(held() == 800);
    a.resize(101); // capacity grows by half
    CHECK(held() == 1200);
    CHECK(memory_use(Memory::host).most - before.held >= 1200);
    Array<double> b = std::move(a);
    CHECK(held() == 1200);
    Array<double> copy = b;
    CHECK(held() == 1200 + 808);
    copy.swap(b);
    b = Array<double>();
    CHECK(held() == 1200);
    const Array<std::uint8_t> bytes(7, std::uint8_t{1});
    CHECK(held() == 1207);
  }
  CHECK(held() == 0);
  CHECK(memory_use(Memory::host).most >= before.held + 1200 + 808);
  CHECK(memory_use(Memory::device).held == 0);
}

TEMPLATE_TEST_CASE("sorts and maps of as many particles keep no more memory from the second time on", "", float, double) {
  Random random(41);
  const Grid grid = make_grid({9, 7, 5}, Sides::mixed, Placement::anywhere, random);
  const Particles<TestType> particles = make_particles<TestType>(grid, 1000, Placement::anywhere, random);
  const std::vector<TestType> values = random_column<TestType>(particles.size(), random);
  std::vector<TestType> read(values.size());
  OwnedField<TestType> field(grid, Staggering::centre, {Sign::plus, Sign::plus, Sign::plus}, 1);
  CellOrder<TestType> order(grid);
  const auto step = [&] {
    order.sort(Cpu{}, particles.positions());
    spread(Cpu{}, order, kernels::Linear{},
           {Spread<TestType>{Column<const TestType>{values.data(), particles.size()}, field.view}});
    interpolate(Cpu{}, order, kernels::Nearest{},
                {Interpolate<TestType>{field.view, Column<TestType>{read.data(), particles.size()}}});
  };
  step();
  const MemoryUse before = memory_use(Memory::host);
  for (int repeat = 0; repeat < 3; ++repeat) step();
  CHECK(memory_use(Memory::host).held == before.held);
}

} // namespace corral::test
