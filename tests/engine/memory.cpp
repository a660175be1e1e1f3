#include "tests/catch.hpp"
#include "tests/engine/cases.hpp"

#include <corral/corral.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

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

namespace {

/// How much of so many bytes, from `data` on, lies in memory. Those of the process would count a sanitizer's, too.
std::int64_t resident(void* data, std::int64_t bytes) {
  const std::int64_t page = sysconf(_SC_PAGESIZE);
  const std::int64_t before = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(data)) % page;
  std::vector<unsigned char> pages(static_cast<std::size_t>((before + bytes + page - 1) / page));
  REQUIRE(mincore(static_cast<char*>(data) - before, static_cast<std::size_t>(before + bytes), pages.data()) == 0);
  return page * std::count_if(pages.begin(), pages.end(), [](unsigned char one) { return (one & 1) != 0; });
}

} // namespace

TEST_CASE("an array that begins as zeros takes room where it is written, and is as any other one") {
  constexpr std::int64_t n = std::int64_t{1} << 23, mebibyte = std::int64_t{1} << 20; // 64 MiB of doubles
  const std::int64_t held = memory_use(Memory::host).held;
  Array<double> a(n, 0.0);
  CHECK(reinterpret_cast<std::uintptr_t>(a.data()) % Array<double>::alignment == 0);
  CHECK(memory_use(Memory::host).held - held == 8 * n);
  for (std::int64_t i = n / 4; i < n / 2; ++i) a[i] = 1;
  CHECK(resident(a.data(), 8 * n) >= 16 * mebibyte);
  CHECK(resident(a.data(), 8 * n) < 32 * mebibyte);
  Array<double> b = std::move(a);
  b.resize(n + 5, 2.0);
  CHECK(std::accumulate(b.begin(), b.end(), 0.0) == static_cast<double>(n / 4 + 10));
  CHECK((b[0] == 0 && b[n / 4] == 1 && b[n / 2] == 0 && b[n] == 2));
  a = Array<double>(n / 2, 0.0);
  a.swap(b);
  b = Array<double>();
  a = Array<double>(3, 0.0);
  CHECK((a[0] == 0 && a[2] == 0));
  CHECK(memory_use(Memory::host).held - held == 24);
  a.resize(4, -0.0); // which is no zero
  CHECK(std::signbit(a[3]));
  CHECK(std::signbit(Array<double>(2, -0.0)[1]));
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
