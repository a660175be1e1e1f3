#include "bench/device/device.hpp"
#include "bench/maps.hpp"
#include "bench/measure.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <sstream>

/// `corral bench --backend gpu`: each row is compared with the plain loop before it is timed, so that measuring it
/// tests it.
using namespace corral;
using namespace corral::bench;

namespace {

Workload small(const std::string& kernel) {
  Workload w;
  w.backend = Backend::gpu;
  w.cells = {9, 8, 10};
  w.particles = 500;
  w.kernel = kernel;
  w.offset = kernel == "linear" ? Offset::half : Offset::zero;
  w.repeats = 1;
  return w;
}

std::vector<Call> calls_of(const Workload& w) {
  std::vector<Call> calls;
  for (const Method method : all_methods(Gpu{})) {
    if (!serves_any_kernel(method) && w.kernel != "linear") continue;
    if (spreads(method)) calls.push_back({Task::spread, method, 1, {}});
    if (interpolates_on(Backend::gpu, method)) calls.push_back({Task::interpolate, method, 1, {}});
  }
  return calls;
}

void require_figures(const std::vector<Row>& rows, const Workload& w) {
  REQUIRE(rows.size() == w.calls.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(rows[i].call.task == w.calls[i].task);
    CHECK(rows[i].call.method == w.calls[i].method);
    CHECK(rows[i].seconds > 0);
    CHECK(rows[i].plain_seconds > 0);
    CHECK(rows[i].stream_seconds > 0);
    CHECK(rows[i].one_thread_seconds == rows[i].seconds);
    CHECK_FALSE(rows[i].instruction_set.empty());
  }
}

} // namespace

TEST_CASE("every method of the GPU is measured, and agrees with the plain loop") {
  int n = 0; // what does not depend on the method's code takes turns
  for (const std::string kernel : {"linear", "peskin4", "kaiser_bessel8"})
    for (const Points points : {Points::centre, Points::faces}) {
      Workload w = small(kernel);
      w.points = points;
      w.precision = n % 3 == 2 ? Precision::single_ : Precision::double_;
      w.layout = n % 2 == 1 ? Layout::interleaved : Layout::separate;
      w.distribution = static_cast<Distribution>(n % 4);
      ++n;
      w.calls = calls_of(w);
      INFO(kernel << ", " << word(points));
      require_figures(measure(w), w);
    }
}

TEST_CASE("every task is measured on the GPU, in every order of the particles") {
  for (const ParticleOrder order : {ParticleOrder::sorted, ParticleOrder::random, ParticleOrder::moved}) {
    Workload w = small("linear");
    w.order = order;
    w.particles = 2000;
    for (const Task task : {Task::spread, Task::interpolate, Task::sort}) w.calls.push_back({task, {}, 1, {}});
    if (order == ParticleOrder::random)
      for (const Task task : {Task::reorder, Task::sort_and_spread_3, Task::sort_and_interpolate_3,
                              Task::direct_spread, Task::direct_interpolate})
        w.calls.push_back({task, {}, 1, {}});
    INFO(word(order));
    require_figures(measure(w), w);
  }
}

TEST_CASE("the command's words for the GPU") {
  const auto works = [](const std::vector<std::string>& words) { return read_map_options(words).suite.works; };
  CHECK(works({"--backend", "gpu", "--method", "octet"})[0].backend == Backend::gpu);
  CHECK(works({"--method", "octet", "--backend=gpu"})[0].calls.size() == 1); // octet does not interpolate
  CHECK(works({"--backend", "gpu", "--suite", "sizes"}).back().backend == Backend::gpu);
  for (const Workload& w : works({"--backend", "gpu", "--suite", "methods"}))
    for (const Call& call : w.calls) CHECK(runs_on(call.method, Gpu{}));
  CHECK_THROWS_WITH(works({"--backend", "gpu", "--threads", "2"}), Catch::Matchers::ContainsSubstring("the GPU has none"));
  CHECK_THROWS_WITH(works({"--backend", "gpu", "--method", "serial"}), Catch::Matchers::ContainsSubstring("of the GPU"));
  CHECK_THROWS_WITH(works({"--backend", "gpu", "--suite", "standard"}), Catch::Matchers::ContainsSubstring("one of the CPU"));

  const Suite gpu = read_map_options({"--suite", "gpu"}).suite;
  CHECK(gpu.ceilings);
  std::size_t targets = 0;
  for (const Workload& w : gpu.works) {
    CHECK(w.backend == Backend::gpu);
    for (const Call& call : w.calls) {
      targets += call.targets.size();
      CHECK(runs_on(call.method, Gpu{}));
    }
  }
  CHECK(targets == 29);
}

TEST_CASE("the density from which a method wins is the lowest above which it always does") {
  const auto rows = [](std::initializer_list<std::array<double, 3>> densities) { // particles a cell; seconds by octet, stream
    std::vector<Row> all;
    for (const auto& [per_cell, octet, stream] : densities) {
      Workload w;
      w.cells = {10, 10, 10};
      w.particles = static_cast<std::int64_t>(1000 * per_cell);
      all.push_back({w, {Task::spread, Method::octet}, octet});
      all.push_back({w, {Task::spread, Method::stream}, stream});
    }
    return all;
  };
  using Catch::Matchers::ContainsSubstring;
  CHECK_THAT(find_crossings(rows({{1, 1.0, 1.2}, {3, 1.0, 0.5}, {12, 1.0, 0.4}})),
             ContainsSubstring("enough_for_stream = 3; ///< stream spread of linear: 2.00 times as fast as the next, at 1 0.83 times"));
  CHECK_THAT(find_crossings(rows({{12, 1.0, 0.8}, {1, 1.0, 0.9}, {3, 1.0, 1.1}})), ContainsSubstring("enough_for_stream = 12;"));
  CHECK_THAT(find_crossings(rows({{1, 1.0, 0.5}})), ContainsSubstring("the lowest density measured"));
  CHECK_THAT(find_crossings(rows({{1, 1.0, 2.0}})), ContainsSubstring("enough_for_stream: stream spread of linear was not the fastest"));
}

TEST_CASE("a call that fails on the GPU does not end the others") {
  MapOptions options;
  options.suite.works = {small("peskin4")};
  options.suite.works[0].calls = {{Task::spread, Method::octet, 1, {}}, {Task::spread, Method::atomic, 1, {}}};
  std::ostringstream out;
  CHECK_THROWS_WITH(run_maps(options, out), Catch::Matchers::ContainsSubstring("method octet"));
  const std::string table = out.str();
  CHECK(std::count(table.begin(), table.end(), '\n') == 2); // header and the other's row
  CHECK(table.find("atomic") != table.npos);
  CHECK(device_works());
}

TEST_CASE("the command prints rows of the GPU, and their JSON names the device") {
  const auto printed = [](std::vector<std::string> words) {
    words.insert(words.end(), {"--backend", "gpu", "--cells", "6", "--particles", "100", "--repeats", "1"});
    std::ostringstream out;
    run_maps(read_map_options(words), out);
    return out.str();
  };
  CHECK_THAT(printed({"--map", "spread"}), Catch::Matchers::ContainsSubstring("  gpu      6^3"));
  CHECK_THAT(printed({"--map", "sort", "--json"}),
             Catch::Matchers::ContainsSubstring("\"backend\": \"gpu\", \"instruction_set\": \"" + device_name() + "\""));
}
