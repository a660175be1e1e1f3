#include "bench/report.hpp"

#include "bench/maps.hpp"
#include "tests/catch.hpp"

#include <algorithm>

using namespace corral;
using namespace corral::bench;

namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

/// 1000 particles in 2 ms, where the plain loop takes 6 ms, stream 1 ms and one thread 3 ms.
Row row_of(Task task, std::vector<Target> targets = {}) {
  Row row;
  row.work.particles = 1000;
  row.call = {task, Method::automatic, 2, std::move(targets)};
  row.seconds = 2e-3;
  row.plain_seconds = 6e-3;
  row.stream_seconds = 1e-3;
  row.one_thread_seconds = 3e-3;
  row.arithmetic_gain = 1.9;
  row.stream_gain = 1.25;
  return row;
}

std::string line(const Row& row) {
  Workload w = row.work;
  w.calls = {row.call};
  return Table({w}).line(row);
}

} // namespace

TEST_CASE("the figures of a row are ratios of its times") {
  const Row row = row_of(Task::spread);
  CHECK(row.particles_per_second() == Approx(5e5));
  CHECK(row.value(Figure::stream) == Approx(0.5));
  CHECK(row.value(Figure::plain) == Approx(3));
  CHECK(row.value(Figure::plain_maps) == Approx(1.0 / 3));
  CHECK(row.value(Figure::one_thread) == Approx(1.5));
}

TEST_CASE("a line says plainly which targets were missed") {
  const Row row = row_of(Task::sort, {{Figure::stream, .4, .6},
                                      {Figure::plain, 3.5},
                                      {Figure::plain_maps, .35},
                                      {Figure::one_thread, 1.8}});
  const std::string text = line(row);
  CHECK(contains(text, "met: 0.4 of stream, aim 0.6"));
  CHECK(contains(text, "missed: 3.5 x plain"));
  CHECK(contains(text, "met: at most 0.35 plain maps"));
  CHECK(contains(text, "missed: 1.8 x one thread (is 1.50; the machine's arithmetic 1.90, its memory 1.25)"));
  CHECK(contains(text, "takes 0.33 plain maps"));
  CHECK(row.missed());
  CHECK(count_targets({row, row}) == "4 of 8 targets met, 4 missed\n");
  CHECK_FALSE(contains(line(row_of(Task::spread)), "plain maps"));
}

TEST_CASE("absolute targets are met on their side of the figure") {
  const Row row = row_of(Task::spread, {{Figure::seconds, 2.5e-3}, {Figure::seconds, 1.5e-3}, {Figure::rate, 4e5},
                                        {Figure::rate, 1e9}});
  const std::string text = line(row);
  CHECK(contains(text, "met: at most 2.5 ms"));
  CHECK(contains(text, "missed: at most 1.5 ms"));
  CHECK(contains(text, "met: 0.4 M/s"));
  CHECK(contains(text, "missed: 1000 M/s"));
}

TEST_CASE("ceilings stand before the rows") {
  const Ceilings ceilings{"A Device", {{"copy", "bytes/s", 4.2e12}, {"adds", "adds/s", 1.5e11}}};
  CHECK(contains(text(ceilings), "ceilings of A Device\n  copy "));
  CHECK(contains(text(ceilings), "4200.0  10^9 bytes/s\n"));
  Row row = row_of(Task::spread, {{Figure::rate, 1e9}});
  row.work.backend = Backend::gpu;
  row.instruction_set = "A Device";
  const std::string all = json(ceilings, {row});
  CHECK(contains(all, "\"ceiling\": \"copy\", \"unit\": \"bytes/s\", \"rate\": 4.2e+12"));
  CHECK(contains(all, "\"backend\": \"gpu\", \"instruction_set\": \"A Device\", \"map\": \"spread\""));
  CHECK(contains(all, "\"figure\": \"particles_per_second\", \"required\": 1e+09"));
  CHECK(all.find("copy") < all.find("spread"));
  CHECK(contains(line(row), "  gpu  "));
}

TEST_CASE("lines are as long as the header says, whatever the workloads") {
  Workload narrow, wide;
  narrow.calls = {{Task::sort, Method::automatic, 1, {}}};
  wide.kernel = "a_kernel_with_a_long_name";
  wide.cells = {1000, 2000, 3000};
  wide.particles = 10'000'000'000;
  wide.calls = {{Task::sort_and_interpolate_3, Method::automatic, 4096, {}}};
  const Table table({narrow, wide});
  const std::size_t figures = table.header().find("       ms");
  for (const Workload& w : {narrow, wide}) {
    Row row = row_of(w.calls[0].task);
    row.work = w;
    row.call = w.calls[0];
    CHECK(table.line(row).find("    2.000  ") == figures);
  }
}

TEST_CASE("the slowest grid is judged beside its neighbours") {
  std::vector<Row> rows;
  for (int n = 0; n < 9; ++n) {
    rows.push_back(row_of(Task::spread));
    rows.back().work.cells[0] = 60 + n;
    if (n == 4) rows.back().seconds *= 1.6;
  }
  CHECK(contains(compare_with_neighbours(rows), "64x69x69 cells, centre, 1.60 times their median"));
  CHECK(contains(compare_with_neighbours(rows), "missed"));
  rows[4].seconds = rows[3].seconds * 1.4;
  CHECK(contains(compare_with_neighbours(rows), "1.40 times their median (at most 1.5: met)"));
}

TEST_CASE("each method's times are set beside each other as the grid grows") {
  Row coarse = row_of(Task::spread), fine = coarse, other = coarse;
  coarse.work.cells = {16, 16, 16};
  fine.work.cells = {32, 32, 32};
  fine.seconds = 1.5 * coarse.seconds;
  other.call.method = Method::sort_reduce;
  const std::string text = compare_grids({coarse, other, fine});
  CHECK(std::count(text.begin(), text.end(), '\n') == 2);
  CHECK(contains(text, "spread by automatic: "));
  CHECK(contains(text, " ms on 32^3, 1.50 times as long on the last as on the first\n"));
  CHECK(contains(text, "spread by sort_reduce: "));
}

TEST_CASE("calls that did not start warm are set beside those that did") {
  Row warm = row_of(Task::sort), cold = warm;
  cold.call.start = Start::cold;
  cold.seconds *= 3;
  CHECK(line(cold).starts_with("sort_cold "));
  CHECK(contains(json({}, {cold}), "\"map\": \"sort\", \"start\": \"cold\""));
  const std::string text = compare_starts({warm, cold});
  CHECK(contains(text, "2 threads, cold: 3.00 times as long as warm\n"));
  CHECK(contains(text, "2 threads, warm: 1.50 times as fast as one thread\n"));
  CHECK(contains(text, "2 threads, cold: 0.50 times as fast as one thread\n"));
  CHECK_FALSE(contains(text, "warm: 1.00 times as long"));
}

TEST_CASE("every window's polynomials are judged") {
  const std::string text = window_fits();
  CHECK(std::count(text.begin(), text.end(), '\n') == 1 + 2 * 15);
  CHECK(contains(text, "kaiser_bessel8               2.34  6."));
}

TEST_CASE("automatic is compared with the best method, and many particles with few") {
  Row slow = row_of(Task::spread);
  CHECK(contains(compare_methods({slow}), "best automatic, automatic takes 1.00 times as long"));
  slow.work.particles *= 10;
  slow.seconds *= 12;
  CHECK(contains(compare_with_first({row_of(Task::spread), slow}), "1.20 times as long per particle as the first"));
}
