#include "bench/measure.hpp"

#include "bench/device/device.hpp"
#include "bench/report.hpp"
#include "bench/scene/scene.hpp"

#include <corral/execution.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <set>

namespace corral::bench {

namespace {

constexpr double brief = 0.01; // [s]

template <class F> double seconds_of(F&& f) {
  const auto begin = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Makes a result wanted, so that the compiler can't leave out what nobody reads.
void keep(double result) {
  static std::atomic<double> kept;
  kept.store(result, std::memory_order_relaxed);
}

int times_in_a_round(double seconds) { return static_cast<int>(std::clamp(brief / seconds, 1.0, 50.0)); }

int maps_of(Task task) { return task == Task::sort_and_spread_3 || task == Task::sort_and_interpolate_3 ? 3 : 1; }

/// Whether a row is to be compared with that plain map.
bool wanted(const Workload& work, Task plain) {
  return std::any_of(work.calls.begin(), work.calls.end(),
                     [=](const Call& call) { return interpolates(call.task) == interpolates(plain); });
}

/// Seconds of the same call with one thread, 0 where there is none among the rows.
double one_thread_seconds(const std::vector<Row>& rows, const Call& call) {
  for (const Row& row : rows)
    if (row.call.task == call.task && row.call.method == call.method && row.call.start == call.start &&
        row.call.threads == 1)
      return row.seconds;
  return 0;
}

/// Timed work for so many threads of the caller's arena, each of which does a part, after `prepare`, which is not
/// timed.
template <class F, class Before> Timed on_threads(int threads, const F& work, const Before& prepare) {
  return {[=] {
    double seconds = 0;
    run_with_threads(threads, [&] {
      prepare();
      seconds = seconds_of(work);
    });
    return seconds;
  }};
}
template <class F> Timed on_threads(int threads, const F& work) { return on_threads(threads, work, [] {}); }

/// Timed work on the device. Calls return before it is done, so what is brief is queued several times between two
/// events: alone, it would be over before the host has launched all of its parts, and that would be timed.
template <class F> Timed on_device(const F& work) {
  const auto in_a_row = [=](int times) {
    return seconds_on_device([&] {
      for (int i = 0; i < times; ++i) work();
    }) / times;
  };
  return {[=] { return in_a_row(1); }, {}, in_a_row};
}

template <class T, Execution E> Timed timed_call(Scene<T, E>& scene, const Call& call) {
  const auto work = [&] { scene.run(call); };
  if constexpr (std::is_same_v<E, Gpu>) return on_device(work);
  else return on_threads(call.threads, work, [&] { scene.prepare(call.start); });
}

/// What some number of threads gain where nothing is shared but the machine.
class ThreadGain {
public:
  /// Appends what it times to `timed`.
  template <class AnyScene> ThreadGain(int threads, AnyScene& scene, std::vector<Timed>& timed)
      : threads_(threads), first_(timed.size()) {
    for (const int n : {1, threads}) {
      timed.push_back(on_threads(n, [=] {
        for_each_chunk(Cpu{}, n, 1, [](std::int64_t, std::int64_t) { keep(multiply_and_add()); });
      }));
      timed.push_back(on_threads(n, [=, &scene] { keep(scene.read_stream(n)); }));
    }
  }
  void set(const std::vector<Timed>& timed, Row& row) const {
    if (row.call.threads != threads_) return;
    const auto seconds = [&](std::size_t i) { return median(timed[first_ + i].seconds); };
    row.arithmetic_gain = threads_ * seconds(0) / seconds(2);
    row.stream_gain = seconds(1) / seconds(3);
  }

private:
  int threads_;
  std::size_t first_;
};

/// The plain loop on one thread, once only beside a GPU.
template <class T, Execution E> Timed timed_plain(Scene<T, E>& scene, Task task) {
  Timed timed{[&scene, task] {
    double seconds = 0;
    run_with_threads(1, [&] { seconds = scene.time_plain(task); });
    return seconds;
  }};
  if (std::is_same_v<E, Gpu>) timed.lengthy = 0;
  return timed;
}

template <class T, Execution E> std::vector<Row> measure_in(const Workload& work) {
  Scene<T, E> scene(work);
  std::vector<Timed> timed;
  for (const Call& call : work.calls) {
    scene.check(call);
    timed.push_back(timed_call(scene, call));
  }
  const auto stream = [&] { keep(scene.read_stream(1)); };
  if constexpr (std::is_same_v<E, Gpu>) timed.push_back(on_device(stream));
  else timed.push_back(on_threads(1, stream));
  for (const Task task : {Task::spread, Task::interpolate})
    if (wanted(work, task)) timed.push_back(timed_plain(scene, task));
  const std::size_t references_end = timed.size();
  std::vector<ThreadGain> gains;
  std::set<int> thread_counts;
  for (const Call& call : work.calls)
    if (call.threads > 1 && thread_counts.insert(call.threads).second) gains.emplace_back(call.threads, scene, timed);
  time_in_turn(timed, work.repeats);

  const std::size_t calls = work.calls.size();
  const double plain_spread = median(timed[calls + 1].seconds);
  const double plain_interpolate = median(timed[references_end - 1].seconds);
  std::vector<Row> rows;
  for (std::size_t i = 0; i < calls; ++i) {
    Row row{work, work.calls[i], median(timed[i].seconds)};
    row.work.calls.clear();
    row.instruction_set = std::is_same_v<E, Gpu> ? device_name() : std::string(instruction_set());
    row.plain_seconds = maps_of(row.call.task) * (interpolates(row.call.task) ? plain_interpolate : plain_spread);
    row.stream_seconds = median(timed[calls].seconds);
    for (const ThreadGain& gain : gains) gain.set(timed, row);
    rows.push_back(row);
  }
  for (Row& row : rows) row.one_thread_seconds = one_thread_seconds(rows, row.call);
  return rows;
}

} // namespace

void time_in_turn(std::vector<Timed>& all, int repeats) {
  std::vector<double> warm_up; // [s] each
  for (Timed& t : all) {
    warm_up.push_back(t.once());
    if (warm_up.back() >= t.lengthy) t.seconds.push_back(warm_up.back());
  }
  for (int round = 0; round < repeats; ++round)
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (warm_up[i] >= all[i].lengthy) continue;
      const int times = times_in_a_round(warm_up[i]);
      if (all[i].in_a_row) all[i].seconds.push_back(all[i].in_a_row(times));
      else
        for (int t = 0; t < times; ++t) all[i].seconds.push_back(all[i].once());
    }
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

std::vector<Row> measure(const Workload& work) {
  const bool is_double = work.precision == Precision::double_;
  if (work.backend == Backend::gpu)
    return is_double ? measure_in<double, Gpu>(work) : measure_in<float, Gpu>(work);
  return is_double ? measure_in<double, Cpu>(work) : measure_in<float, Cpu>(work);
}

} // namespace corral::bench
