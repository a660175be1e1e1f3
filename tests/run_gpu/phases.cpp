#include "run/device/timeline.hpp"
#include "tests/catch.hpp"

#include <corral/array.hpp>
#include <corral/memory.hpp>

#include <chrono>
#include <string>
#include <thread>

/// What phases say of work that goes on behind the calls.
namespace corral::test {
namespace {

double seconds_of(const run::Phases& phases, const std::string& name) {
  for (const run::Phases::Phase& phase : phases.all())
    if (phase.name == name) return phase.seconds;
  return -1;
}

void work(Array<double>& on) {
  for (int k = 0; k < 20; ++k) on.zero();
}

} // namespace

TEST_CASE("Phases on a device have its time, and the outer one's is without the inner one's") {
  Array<double> values(1 << 20, Memory::device), few(1, Memory::device);
  run::Phases phases;
  phases.time_by(run::device_timeline(Gpu{}));
  const auto begin = std::chrono::steady_clock::now();
  for (int step = 0; step < 3; ++step) {
    const auto outer = phases.time("outer");
    work(few);
    {
      const auto inner = phases.time("inner"); // returns at once: the stream is not waited for
      work(values);
    }
    work(values); // the outer one's again
    const auto other = phases.time("other");
    work(few);
  }
  phases.settle();
  const double all = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const double outer = seconds_of(phases, "outer"), inner = seconds_of(phases, "inner"), other = seconds_of(phases, "other");
  CHECK(inner > 10 * other);
  CHECK(inner > 0.2 * outer);
  CHECK(outer > 0.2 * inner);
  CHECK(outer + inner + other <= all);
  for (const run::Phases::Phase& phase : phases.all()) CHECK(phase.calls == 3);
}

TEST_CASE("On a device phases of the host alone have the host's time") {
  run::Phases phases;
  phases.time_by(run::device_timeline(Gpu{}));
  {
    const auto timer = phases.time("sleep");
    phases.settle(); // so that the emulation's stream comes to where this began
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
  }
  phases.settle();
  CHECK(seconds_of(phases, "sleep") >= 0.02);
}

TEST_CASE("A device tells once how fast it copies, between phases") {
  Array<double> values(1 << 12, Memory::device);
  run::Phases phases;
  CHECK(phases.copy_rate() == 0);
  phases.time_by(run::device_timeline(Gpu{}));
  {
    const auto timer = phases.time("before");
    work(values);
  }
  const std::int64_t held = memory_use(Memory::device).held;
  const double rate = phases.copy_rate(), before = seconds_of(phases, "before");
  CHECK(before > 0);
  CHECK(rate > 1e6);
  CHECK(phases.copy_rate() == rate);
  CHECK(memory_use(Memory::device).held == held);
  {
    const auto timer = phases.time("after");
    work(values);
  }
  phases.settle();
  CHECK(seconds_of(phases, "before") == before);
  CHECK(seconds_of(phases, "after") > 0);
}

TEST_CASE("More moments than a timeline has room for are counted, too") {
  Array<double> values(1 << 12, Memory::device);
  run::Phases phases;
  phases.time_by(run::device_timeline(Gpu{}));
  for (int k = 0; k < 2000; ++k) {
    const auto timer = phases.time("many");
    values.zero();
  }
  phases.settle();
  CHECK(phases.all().front().calls == 2000);
  CHECK(seconds_of(phases, "many") > 0);
}

} // namespace corral::test
