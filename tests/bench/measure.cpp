#include "bench/measure.hpp"

#include "bench/report.hpp"
#include "bench/scene/scene.hpp"
#include "tests/catch.hpp"

#include <corral/error.hpp>

#include <limits>

using namespace corral;
using namespace corral::bench;

namespace {

/// Every task that the order of the particles allows, on one thread and on two.
std::vector<Call> all_calls(ParticleOrder order) {
  std::vector<Task> tasks{Task::spread, Task::interpolate, Task::sort};
  if (order == ParticleOrder::random)
    tasks.insert(tasks.end(), {Task::reorder, Task::sort_and_spread_3, Task::sort_and_interpolate_3});
  std::vector<Call> calls;
  for (const Task task : tasks)
    for (const int threads : {1, 2}) calls.push_back({task, Method::automatic, threads, {}});
  return calls;
}

} // namespace

TEST_CASE("the median is in the middle") {
  CHECK(median({3}) == 3);
  CHECK(median({5, 1, 2}) == 2);
  CHECK(median({5, 1, 2, 4}) == 3);
}

TEST_CASE("calls are timed in turn, brief ones several times a round, lengthy ones in the first round alone") {
  std::string order;
  std::vector<Timed> timed{{[&] { return order += 'a', 0.02; }, {}},
                           {[&] { return order += 'b', 0.004; }, {}},
                           {[&] { return order += 'c', 3.0; }, {}}};
  time_in_turn(timed, 2);
  CHECK(order == "abcabbabb");
  CHECK(timed[0].seconds.size() == 2); // the first round warms up
  CHECK(timed[1].seconds.size() == 4);
  CHECK(timed[2].seconds == std::vector<double>{3.0});
}

TEST_CASE("what is timed in a row is brief, and one time of a round; what counts as lengthy is done once") {
  std::string order;
  int times = 0;
  std::vector<Timed> timed{{[&] { return order += 'a', 0.002; }, {},
                            [&](int n) { return times = n, order += 'A', 0.002; }},
                           {[&] { return order += 'b', 1e-6; }}};
  timed[1].lengthy = 0;
  time_in_turn(timed, 3);
  CHECK(order == "abAAA");
  CHECK(times == 5);
  CHECK(timed[0].seconds == std::vector<double>(3, 0.002));
  CHECK(timed[1].seconds == std::vector<double>{1e-6});
}

TEST_CASE("stream reads every value of all six columns") {
  std::array<Array<double>, 6> columns;
  std::array<const double*, 6> data{};
  double expected = 0;
  for (std::size_t c = 0; c < 6; ++c) {
    columns[c].resize(37);
    for (std::int64_t i = 0; i < 37; ++i) expected += columns[c][i] = double(i * i + 100 * std::int64_t(c));
    data[c] = columns[c].data();
  }
  CHECK(read_columns(data, 0, 37) == expected);
  CHECK(read_columns(data, 0, 11) + read_columns(data, 11, 37) == expected);
  CHECK(read_columns(data, 5, 5) == 0);
}

TEST_CASE("a comparison sees one wrong number among many, and a NaN") {
  Comparison same, one, nan;
  for (int i = 0; i < 1000; ++i) {
    const double x = 1 + i;
    same.add(x, x);
    one.add(i == 500 ? x + 1e-9 : x, x);
    nan.add(i == 500 ? std::numeric_limits<double>::quiet_NaN() : x, x);
  }
  CHECK(same.relative() == 0);
  CHECK(one.relative() == Approx(1e-12).epsilon(1e-3));
  CHECK(one.relative() > round_off<double>(69, 64));
  CHECK_FALSE(nan.relative() <= round_off<float>(4096, 1'000'000));
}

TEST_CASE("every kind of workload is measured, and its maps agree with the plain loop") {
  Workload w;
  w.cells = {7, 6, 5};
  w.particles = 300;
  w.repeats = 1;
  int n = 0; // what does not depend on the kernel's or the staggering's code takes turns
  for (const std::string kernel : {"linear", "nearest", "roma3", "peskin4", "kaiser_bessel8"})
    for (const Points points : {Points::centre, Points::node, Points::face_y, Points::faces}) {
      w.kernel = kernel;
      w.points = points;
      w.distribution = static_cast<Distribution>(n % 4);
      w.order = static_cast<ParticleOrder>(n % 2);
      w.precision = static_cast<Precision>(n / 2 % 2);
      w.offset = static_cast<Offset>(n / 3 % 2);
      w.layout = static_cast<Layout>(n / 5 % 2);
      ++n;
      w.calls = all_calls(w.order);
      const std::vector<Row> rows = measure(w);
      REQUIRE(rows.size() == w.calls.size());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        CHECK(rows[i].call.task == w.calls[i].task);
        CHECK(rows[i].seconds > 0);
        CHECK(rows[i].plain_seconds > 0);
        CHECK(rows[i].stream_seconds > 0);
        CHECK(rows[i].one_thread_seconds == rows[i - i % 2].seconds);
        CHECK((rows[i].arithmetic_gain == 1) == (rows[i].call.threads == 1));
        CHECK((rows[i].stream_gain == 1) == (rows[i].call.threads == 1));
      }
    }
}

TEST_CASE("an unknown kernel is not measured") {
  Workload w;
  w.kernel = "lineal";
  CHECK_THROWS_WITH(measure(w), Catch::Matchers::ContainsSubstring("no kernel 'lineal'"));
}

TEST_CASE("what comes before a call is not timed, and an order that was thrown away sorts again") {
  Workload w;
  w.cells = {6, 5, 4};
  w.particles = 200;
  w.repeats = 1;
  w.order = ParticleOrder::random;
  w.calls = {{Task::sort, Method::automatic, 1, {}, Start::cold},
             {Task::spread, Method::automatic, 1, {}, Start::rested},
             {Task::spread, Method::automatic, 2, {}, Start::rested}};
  const std::vector<Row> rows = measure(w);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].call.start == Start::cold);
  for (const Row& row : rows) CHECK(row.seconds < rest / 2);
  CHECK(rows[2].one_thread_seconds == rows[1].seconds);
}
