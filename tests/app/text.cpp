#include "tests/catch.hpp"

#include "app/command/progress.hpp"
#include "app/output/due_times.hpp"
#include "app/output/json.hpp"
#include "app/output/number.hpp"
#include "app/output/summary.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace corral::app;
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
