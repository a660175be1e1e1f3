#include "bench/maps.hpp"

#include "tests/catch.hpp"

#include <corral/error.hpp>

#include <set>

using namespace corral;
using namespace corral::bench;

TEST_CASE("without options the linear maps of W1 are measured, and the sorts") {
  const MapOptions read = read_map_options({});
  CHECK_FALSE(read.json);
  REQUIRE(read.suite.works.size() == 4);
  const Workload& maps = read.suite.works[0];
  CHECK(maps.kernel == "linear");
  CHECK(maps.cells == std::array<std::int64_t, 3>{69, 69, 69});
  CHECK(maps.offset == Offset::half);
  REQUIRE(maps.calls.size() == 2);
  CHECK(maps.calls[0].task == Task::spread);
  CHECK(maps.calls[1].task == Task::interpolate);
  CHECK(read.suite.works[1].order == ParticleOrder::random);
  CHECK(read.suite.works[2].order == ParticleOrder::sorted);
  CHECK(read.suite.works[3].order == ParticleOrder::moved);
}

TEST_CASE("options are read") {
  const MapOptions read = read_map_options(
      {"--kernel=nearest", "--method", "automatic", "--staggering", "face_z", "--fields", "2", "--layout",
       "interleaved", "--precision", "float", "--threads", "3", "--cells", "8,9,10", "--particles", "1.5k", "--distribution", "sphere",
       "--order=random", "--offset", "half", "--map", "interpolate", "--repeats", "2", "--json"});
  CHECK(read.json);
  REQUIRE(read.suite.works.size() == 1);
  const Workload& w = read.suite.works[0];
  CHECK(w.kernel == "nearest");
  CHECK(w.points == Points::face_z);
  CHECK(w.fields == 2);
  CHECK(w.layout == Layout::interleaved);
  CHECK(w.precision == Precision::single_);
  CHECK(w.cells == std::array<std::int64_t, 3>{8, 9, 10});
  CHECK(w.particles == 1500);
  CHECK(w.distribution == Distribution::sphere);
  CHECK(w.order == ParticleOrder::random);
  CHECK(w.offset == Offset::half);
  CHECK(w.repeats == 2);
  REQUIRE(w.calls.size() == 1);
  CHECK(w.calls[0].task == Task::interpolate);
  CHECK(w.calls[0].threads == 3);
}

TEST_CASE("numbers are whole and in range") {
  const auto particles = [](const std::string& text) {
    return read_map_options({"--particles", text}).suite.works[0].particles;
  };
  CHECK(particles("11.7M") == 11'700'000);
  CHECK(particles("65536") == 65'536);
  CHECK(particles("1e8") == 100'000'000);
  for (const std::string bad : {"", "0", "-1", "1.5", "nan", "inf", "3 M", "3m", "x", "1e11", "0.5k M"})
    CHECK_THROWS_WITH(particles(bad), Catch::Matchers::StartsWith("--particles: '" + bad + "' is no whole number"));
}

TEST_CASE("what cannot be obeyed is refused, and says why") {
  struct Bad {
    std::vector<std::string> words;
    std::string message;
  };
  for (const Bad& bad : std::vector<Bad>{
           {{"--kernal", "linear"}, "no option '--kernal'"},
           {{"linear"}, "no option 'linear'"},
           {{"--kernel"}, "--kernel needs a value"},
           {{"--kernel", "lineal"}, "no kernel 'lineal'"},
           {{"--method", "fastest"}, "'fastest' is none of automatic, serial"},
           {{"--staggering", "corner"}, "'corner' is none of centre, node, face_x, face_y, face_z, faces"},
           {{"--staggering", "faces", "--fields", "2"}, "faces takes three fields"},
           {{"--fields", "13"}, "no whole number from 1 to 12"},
           {{"--cells", "1"}, "no whole number from 2 to 4096"},
           {{"--cells", "8,8"}, "'8,8' is neither N nor NX,NY,NZ"},
           {{"--cells", "8,8,"}, "no whole number"},
           {{"--threads", "0"}, "no whole number from 1"},
           {{"--map", "gather"}, "'gather' is none of spread, interpolate, both, direct, sort, all"},
           {{"--cells", "8", "--cells=9"}, "--cells is given twice"},
           {{"--method", "octet"}, "(those of the CPU)"},
           {{"--method", "sort_reduce", "--map", "both"}, "(it is a way to spread, and --map both interpolates) take --map spread"},
           {{"--method", "atomic", "--map", "interpolate"}, "--map interpolate interpolates) take --map spread"},
           {{"--method", "cells", "--kernel", "peskin4"}, "(it maps by linear alone, not by peskin4) take stencils"},
           {{"--method", "tiles", "--map", "direct"}, "(it maps sorted particles, and direct maps have no order)"},
           {{"--backend", "tpu"}, "'tpu' is none of cpu, gpu"},
           {{"--suite", "gpu", "--backend", "cpu"}, "the suite gpu is one of the GPU"},
           {{"--suite", "standard", "--backend", "gpu"}, "the suite standard is one of the CPU"},
           {{"--suite", "fast"}, "'fast' is none of standard, gpu, gpu_tune, methods, sizes, large, random_points, starts, windows"},
           {{"--suite", "sizes", "--cells", "8"}, "--cells (a suite says itself"}})
    CHECK_THROWS_WITH(read_map_options(bad.words), Catch::Matchers::ContainsSubstring(bad.message));
}

TEST_CASE("what a method has no map for is left out where no map was named") {
  const auto tasks = [](const std::string& map, const std::string& method) {
    std::vector<Task> all;
    const MapOptions read = read_map_options({"--map", map, "--method", method});
    for (const Call& call : read.suite.works.front().calls) all.push_back(call.task);
    return all;
  };
  CHECK(tasks("all", "sort_reduce") == std::vector{Task::spread});
  CHECK(tasks("direct", "atomic") == std::vector{Task::direct_spread});
  CHECK(tasks("direct", "serial") == std::vector{Task::direct_spread, Task::direct_interpolate});
}

TEST_CASE("help names every option and suite") {
  CHECK(read_map_options({"-h"}).help);
  const std::string help = map_options_help();
  for (const std::string word : {"--kernel", "--method", "--staggering", "--fields", "--layout", "--precision",
                                 "--threads", "--cells", "--particles", "--distribution", "--order", "--offset",
                                 "--map", "--repeats", "--suite", "--json", "--json-file", "--backend", "standard",
                                 "gpu", "gpu_tune", "methods", "sizes", "large", "starts", "windows"})
    CHECK(help.find(word) != help.npos);
}

TEST_CASE("suites hold the workloads of the targets") {
  const Suite standard = read_map_options({"--suite", "standard", "--repeats", "4"}).suite;
  std::set<std::string> kernels;
  int targets = 0;
  for (const Workload& w : standard.works) {
    kernels.insert(w.kernel);
    CHECK(w.repeats == 4);
    for (const Call& call : w.calls) targets += static_cast<int>(call.targets.size());
  }
  CHECK(kernels == std::set<std::string>{"linear", "peskin4", "kaiser_bessel8"});
  CHECK(targets == 52);

  const Suite sizes = read_map_options({"--suite", "sizes"}).suite;
  REQUIRE(sizes.works.size() == 81);
  for (const Workload& w : sizes.works) CHECK(w.particles == 4 * w.cells[0] * w.cells[1] * w.cells[2]);
  for (const Workload& w : read_map_options({"--suite", "methods"}).suite.works) {
    std::size_t calls = 0;
    for (const Method method : all_methods(Cpu{}))
      if (serves_any_kernel(method) || w.kernel == "linear") calls += interpolates(method) ? 2 : 1;
    CHECK(w.calls.size() == calls);
  }
}
