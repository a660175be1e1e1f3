#include "bench/device/device.hpp"
#include "bench/scene/particles.hpp"
#include "tests/catch.hpp"

#include <cuda_runtime.h>

#include <numeric>
#include <vector>

using namespace corral;
using namespace corral::bench;

TEST_CASE("the device's stream reads every value of all six columns") {
  for (const std::int64_t n : {1, 31, 33, 20'000}) {
    Values<double> values(n, 6, Layout::separate);
    Placed<double, Gpu> placed(values);
    std::array<const double*, 6> columns{};
    double expected = 0;
    for (int c = 0; c < 6; ++c) {
      for (std::int64_t i = 0; i < n; ++i)
        expected += values.column(c)[i] = static_cast<double>(i % 97 + 100 * c);
      columns[c] = placed.array(static_cast<std::size_t>(c));
    }
    placed.send();
    std::vector<double> sums(static_cast<std::size_t>(stream_sums()), -1);
    Array<double> there = device_memory<double>(stream_sums());
    read_columns_on_device(columns, n, there.data());
    there.copy_to(sums);
    CHECK(std::accumulate(sums.begin(), sums.end(), 0.0) == expected);
  }
}

TEST_CASE("placed values have the shape of the host's, and come back") {
  for (const Layout layout : {Layout::separate, Layout::interleaved}) {
    Values<float> values(50, 3, layout);
    values.fill_with_numbers();
    const Values<float> before = values;
    Placed<float, Gpu> placed(values);
    placed.send();
    values.clear();
    for (int f = 0; f < 3; ++f) {
      CHECK(placed.column(f).stride == values.column(f).stride);
      CHECK(placed.column(f).data - placed.column(0).data == (layout == Layout::interleaved ? f : placed.array(
                std::size_t(f)) - placed.array(0)));
    }
    placed.fetch();
    Values<float> expected = before;
    for (int f = 0; f < 3; ++f)
      for (std::int64_t i = 0; i < 50; ++i) CHECK(values.column(f)[i] == expected.column(f)[i]);
    placed.clear();
    placed.fetch();
    CHECK(values.column(2)[49] == 0);
  }
}

TEST_CASE("time on the device passes from the first work queued to the last") {
  Array<char> memory = device_memory<char>(1 << 20);
  int calls = 0;
  const double seconds = seconds_on_device([&] {
    memory.zero();
    ++calls;
  });
  CHECK(calls == 1);
  CHECK(seconds > 0);
  CHECK(seconds < 60);
}

TEST_CASE("all ceilings are measured") {
  const auto ceilings = measure_ceilings(1 << 16);
  REQUIRE(ceilings.size() == 5);
  for (const Ceiling& ceiling : ceilings) {
    INFO(ceiling.name);
    CHECK(ceiling.rate > 0);
    CHECK((ceiling.unit == "bytes/s" || ceiling.unit == "adds/s"));
  }
}
