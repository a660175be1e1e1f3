#include "app/output/log.hpp"
#include "app/output/state_files.hpp"
#include "app/output/summary.hpp"
#include "app/system/files.hpp"
#include "app/system/process.hpp"
#include "app/system/text.hpp"
#include "tests/app/surroundings.hpp"
#include "tests/catch.hpp"

#include <corral/error.hpp>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace corral;
using namespace corral::app;
using namespace corral::test;

TEST_CASE("A write that fails leaves the file as it was before it") {
  TemporaryDirectory out;
  {
    OutputFile file(out / "log.csv");
    file.write("1,2\n");
    const FileSizeLimit limit(6);
    CHECK(contains(message_of([&] { file.write("3,4567\n"); }), "ulimit -f"));
    CHECK(contents(out / "log.csv") == "1,2\n");
    CHECK_THROWS_AS(file.write("3,4567\n"), Error);
  }
  CHECK(contents(out / "log.csv") == "1,2\n"); // closing adds nothing
}

TEST_CASE("The end of a file is replaced in place, or stays") {
  TemporaryDirectory out;
  const auto file = out / "list";
  put(file, "head|end");
  CHECK(replace_end(file, "|end", "+one|end"));
  CHECK(contents(file) == "head+one|end");
  CHECK_FALSE(replace_end(file, "|other", "+two|other"));
  CHECK_FALSE(replace_end(file, std::string(50, 'x') + "head+one|end", "y"));
  CHECK_FALSE(replace_end(out / "none", "", "x"));
  {
    const FileSizeLimit limit(14);
    CHECK(contains(message_of([&] { replace_end(file, "|end", "+two|end"); }), "cannot write"));
  }
  CHECK(contents(file) == "head+one|end");
}

TEST_CASE("A series is whole after each file, and its list is written once") {
  TemporaryDirectory out;
  Series series(out.path(), "fields", "vti");
  const auto list = out / "fields.pvd";
  std::string lines;
  for (int i = 0; i < 20; ++i) {
    const std::string name = series.next().filename().string();
    CHECK(name == "fields_0000" + std::string(i < 10 ? "0" : "") + std::to_string(i) + ".vti");
    series.add(0.5 * i);
    const std::string time = std::to_string(i / 2) + (i % 2 == 0 ? "" : ".5");
    lines += "<DataSet timestep=\"" + time + "\" part=\"0\" file=\"" + name + "\"/>\n";
    CHECK(contents(list) == "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n" +
                                lines + "</Collection>\n</VTKFile>\n");
  }

  // In place: who has the file open sees the line. Somebody else's change is not built upon.
  const int reader = ::open(list.c_str(), O_RDONLY);
  series.add(10);
  CHECK(::lseek(reader, 0, SEEK_END) == static_cast<off_t>(std::filesystem::file_size(list)));
  ::close(reader);
  put(list, "somebody else's");
  series.add(10.5);
  CHECK(contains(contents(list), lines));
  CHECK(contents(list).ends_with("fields_000021.vti\"/>\n</Collection>\n</VTKFile>\n"));
}

TEST_CASE("Too many open files are no reason to choose another place") {
  TemporaryDirectory out;
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  const int next = ::dup(0);
  ::close(next);
  const rlimit none{static_cast<rlim_t>(next), before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &none);
  const std::string said = message_of([&] { OutputFile file(out / "log.csv"); });
  setrlimit(RLIMIT_NOFILE, &before);
  CHECK(contains(said, "Too many open files"));
  CHECK(contains(said, "ulimit -n"));
  CHECK_FALSE(contains(said, "--output"));
}

using corral::run::Clock;

TEST_CASE("Numbers read back with the same bits") {
  std::vector<double> numbers{0.0, -0.0, 0.1, 1.0 / 3, 100000, 24750, -7, 1e15, 1e300, 5e-324, 0.30000000000000004,
                              9007199254740993.0, std::numeric_limits<double>::max()};
  for (const double x : numbers) {
    const std::string text = number_text(x);
    double back = 1;
    std::from_chars(text.data(), text.data() + text.size(), back);
    CHECK(std::bit_cast<std::uint64_t>(back) == std::bit_cast<std::uint64_t>(x));
  }
  CHECK(number_text(100000) == "100000");
  CHECK(number_text(0.1) == "0.1");
}

TEST_CASE("Rounded numbers are for people") {
  CHECK(rounded_text(1234.56, 3) == "1235");
  CHECK(rounded_text(12.3456, 3) == "12.3");
  CHECK(rounded_text(0.0123456, 3) == "0.0123");
  CHECK(rounded_text(2, 4) == "2");
  CHECK(rounded_text(100, 4) == "100");
  CHECK(rounded_text(0, 4) == "0");
  CHECK(rounded_text(1e-7, 3) == "1e-07");
}

TEST_CASE("JSON text nests and escapes") {
  Json json;
  json.begin_object();
  json.member("a \"b\"\\", "line\nbell\x07");
  json.key("list");
  json.begin_array();
  json.value(1.5);
  json.value(std::nan(""));
  json.begin_object();
  json.end_object();
  json.end_array();
  json.member("truth", true);
  json.member("count", std::int64_t{1} << 60);
  json.end_object();
  CHECK(json.text() == "{\n  \"a \\\"b\\\"\\\\\": \"line\\nbell\\u0007\",\n  \"list\": [\n"
                       "    1.5,\n    null,\n    {}\n  ],\n  \"truth\": true,\n  \"count\": 1152921504606846976\n}\n");
}

TEST_CASE("JSON text is UTF-8 whatever it is given") {
  const auto quoted = [](const std::string& text) {
    Json json;
    json.value(text);
    return json.text();
  };
  CHECK(quoted("caf\xc3\xa9") == "\"caf\xc3\xa9\"\n");
  CHECK(quoted("caf\xe9") == "\"caf\\ufffd\"\n");
  CHECK(quoted("\xff" "a\xff\"b") == "\"\\ufffda\\ufffd\\\"b\"\n");
  CHECK(quoted("") == "\"\"\n");
}

TEST_CASE("Progress tells time, pace and rest") {
  const Pace pace{.time = 0.5, .end = 2, .fraction = 0.25, .steps = 500, .particle_steps = 500000, .one = "parcel", .stepping = 0.05,
                  .elapsed = 10};
  CHECK(progress_line(pace) == "25 %, 0.5 of 2 s, 50 steps/s, 100 ns per parcel and step, 0:30 left");
  CHECK(progress_bar(pace).starts_with("[#####...............] 25 %"));
  CHECK(progress_line(Pace{}).find("parcel") == std::string::npos);
  // A run that went on from half of the whole has made 100 steps, a tenth of the whole, in 5 s.
  const Pace resumed{.time = 1.2, .end = 2, .fraction = 0.6, .steps = 600, .first_fraction = 0.5, .first_steps = 500, .elapsed = 5};
  CHECK(resumed.steps_per_second() == 20);
  CHECK(resumed.remaining() == Approx(20));
  CHECK(duration_text(59.6) == "1:00");
  CHECK(duration_text(3725) == "1:02:05");
}

TEST_CASE("Who waits is told of it once that takes a while") {
  const auto said = [](Progress::Style style, double patience) {
    std::FILE* file = std::tmpfile();
    REQUIRE(file);
    {
      Waiting waiting(file, style, patience);
      for (const char* how_far : {"half", "nearly"}) waiting.show(how_far);
    }
    std::string text(static_cast<std::size_t>(std::ftell(file)), '\0');
    std::rewind(file);
    text.resize(std::fread(text.data(), 1, text.size(), file));
    std::fclose(file);
    return text;
  };
  CHECK(said(Progress::Style::lines, 0) == "half\n"); // the next one 5 s later
  CHECK(said(Progress::Style::bar, 0) == "\rhalf\033[K\r\033[K");
  CHECK(said(Progress::Style::none, 0).empty());
  CHECK(said(Progress::Style::lines, 100).empty());
  CHECK(said(Progress::Style::bar, 100).empty());
}

TEST_CASE("Something is due at the first step at or after each multiple of its interval") {
  const auto due_after = [](double interval, const std::vector<double>& dts) {
    DueTimes schedule(interval);
    Clock clock;
    std::vector<int> due;
    if (schedule.due(clock)) due.push_back(0);
    for (const double dt : dts) {
      clock.set_dt(dt);
      clock.advance();
      if (schedule.due(clock)) due.push_back(static_cast<int>(clock.step()));
    }
    return due;
  };
  const auto due_steps = [&](double interval, double dt, std::size_t steps) {
    return due_after(interval, std::vector<double>(steps, dt));
  };
  CHECK(due_steps(0.3, 0.1, 9) == std::vector<int>{0, 3, 6, 9});
  CHECK(due_steps(0.25, 0.1, 10) == std::vector<int>{0, 3, 5, 8, 10});
  CHECK(due_steps(0.1, 0.25, 3) == std::vector<int>{0, 1, 2, 3});
  CHECK(due_after(0.1, {0.35, 0.02, 0.02, 0.02, 0.02}) == std::vector<int>{0, 1, 4});
  CHECK(due_steps(0.1, 0.1, 20).size() == 21);
  CHECK(due_steps(0, 0.1, 5).empty());
  CHECK(due_steps(0.01, 0.001, 100000).back() == 100000);
  CHECK(due_steps(0.01, 0.001, 100000).size() == 10001);
}

TEST_CASE("The table of phases adds up to the whole") {
  corral::run::Phases phases;
  { const auto timer = phases.time("spread"); }
  CHECK(phase_table(phases, 2.0).starts_with("phase      seconds     share       calls\nspread"));
  CHECK(phase_table(phases, 2.0).ends_with("other            2     100 %\ntotal            2     100 %\n"));
}

namespace {

/// Of a device that copies 2 GB/s, in whose time each phase takes as long as it was told.
struct FakeTimeline final : corral::run::Phases::Timeline {
  void count_to(double* seconds) noexcept override {
    if (seconds) *seconds += 0.5;
  }
  void settle() noexcept override {}
  double copy_rate() noexcept override { return 2e9; }
};

} // namespace

TEST_CASE("Where a device tells what it copies, the table has the share of it that each phase moves") {
  corral::run::Phases phases;
  phases.time_by(std::make_unique<FakeTimeline>());
  { const auto timer = phases.time("spread"); }
  phases.moved("spread", 1e8), phases.moved("spread", 1.5e8);
  { const auto timer = phases.time("books"); }
  const std::string table = phase_table(phases, 2.0);
  CHECK(table.starts_with("phase      seconds     share       calls   of copies\n"
                          "spread         0.5      25 %           1        25 %\n"
                          "books          0.5      25 %           1\n"));
  CHECK(table.find("0.002 TB/s") != std::string::npos);
}

TEST_CASE("A run has the threads that it is told, or no more than its quota feeds") {
  CHECK(threads_for(7, 4, 1.0).count == 7);
  CHECK(threads_for(0, 4, std::nullopt).count == 4);
  for (const auto& [quota, count] : {std::pair{0.1, 1}, {1.0, 1}, {1.5, 2}, {3.0, 3}, {3.2, 4}, {64.0, 4}}) {
    INFO("a quota of " << quota << " of 4 processors");
    const Threads threads = threads_for(0, 4, quota);
    CHECK(threads.count == count);
    CHECK(threads.because == (count < 4 ? "quota of its control group" : ""));
  }
  CHECK(threads_for(0, 1, 0.5).because.empty());
}
