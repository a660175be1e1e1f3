#include "cuda_on_host/configuration.hpp"

#include "tests/cuda_on_host/runtime/sanitizers.hpp"
#include "tests/cuda_on_host/runtime/state.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace cuda_on_host {

State& state() {
  static State& only = *new State; // outlives every static object that frees device memory
  return only;
}

template <class T> static T number(std::string_view variable, std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0)
    throw std::invalid_argument(std::string(variable) + ": " + std::string(text) + " is not a number");
  return value;
}

Configuration configuration_from_environment() {
  Configuration made;
  made.search_structs = !asan::on && !tsan::on;
  if (const char* asked = std::getenv("CORRAL_CUDA_ORDER")) {
    const std::string_view text = asked, word = text.substr(0, text.find(':'));
    if (word == "forward")
      made.order = Order::forward;
    else if (word == "reverse")
      made.order = Order::reverse;
    else if (word == "warps")
      made.order = Order::warps;
    else if (word == "random")
      made.order = Order::random;
    else
      throw std::invalid_argument("CORRAL_CUDA_ORDER: " + std::string(text) +
                                  " is not forward, reverse, random:seed, warps");
    if (word.size() < text.size()) made.seed = number<std::uint64_t>("CORRAL_CUDA_ORDER", text.substr(word.size() + 1));
  }
  if (const char* asked = std::getenv("CORRAL_CUDA_STREAMS")) {
    const std::string_view text = asked;
    if (text != "deferred" && text != "eager")
      throw std::invalid_argument("CORRAL_CUDA_STREAMS: " + std::string(text) + " is not deferred or eager");
    made.deferred = text == "deferred";
  }
  if (const char* asked = std::getenv("CORRAL_CUDA_WORKERS")) made.workers = number<int>("CORRAL_CUDA_WORKERS", asked);
  if (const char* asked = std::getenv("CORRAL_CUDA_PREEMPT")) made.preempt = number<int>("CORRAL_CUDA_PREEMPT", asked);
  if (const char* asked = std::getenv("CORRAL_CUDA_DEVICES")) made.devices = number<int>("CORRAL_CUDA_DEVICES", asked);
  if (const char* asked = std::getenv("CORRAL_CUDA_BYTES"))
    made.device_bytes = number<std::size_t>("CORRAL_CUDA_BYTES", asked);
  if (const char* asked = std::getenv("CORRAL_CUDA_SEARCH_STRUCTS"))
    made.search_structs = number<int>("CORRAL_CUDA_SEARCH_STRUCTS", asked) != 0;
  if (const char* asked = std::getenv("CORRAL_CUDA_LOST")) made.lost_after = number<std::uint64_t>("CORRAL_CUDA_LOST", asked);
  return made;
}

Configuration& configuration() {
  static Configuration current = configuration_from_environment();
  return current;
}

Statistics statistics() {
  const std::lock_guard lock(state().mutex);
  return state().statistics;
}

cudaError_t begin_call() {
  State& s = state();
  if (!s.kept_report.empty()) throw Error(std::exchange(s.kept_report, {}));
  ++s.statistics.calls;
  if (configuration().lost_after > 0 && s.statistics.calls > configuration().lost_after) return cudaErrorLaunchFailure;
  if (s.calls_until_failure && (*s.calls_until_failure)-- == 0) {
    s.calls_until_failure.reset();
    s.has_failed = true;
    return cudaErrorUnknown;
  }
  return cudaSuccess;
}

void fail_call(std::uint64_t successes) {
  const std::lock_guard lock(state().mutex);
  state().calls_until_failure = successes;
  state().has_failed = false;
}

void fail_allocation(std::uint64_t successes) {
  const std::lock_guard lock(state().mutex);
  state().allocations_until_failure = successes;
  state().has_failed = false;
}

bool stop_failing() {
  const std::lock_guard lock(state().mutex);
  state().calls_until_failure.reset();
  state().allocations_until_failure.reset();
  return state().has_failed;
}

std::vector<LiveAllocation> live_allocations() {
  const std::lock_guard lock(state().mutex);
  std::vector<LiveAllocation> all = state().device.live();
  for (const LiveAllocation& each : state().pinned.live()) all.push_back(each);
  return all;
}

void finish() {
  const std::lock_guard lock(state().mutex);
  state().streams.synchronize_all();
  if (!state().kept_report.empty()) throw Error(std::exchange(state().kept_report, {}));
}

void forget_queued_work() {
  const std::lock_guard lock(state().mutex);
  state().streams.forget();
  state().kept_report.clear();
  state().last_error = cudaSuccess;
}

} // namespace cuda_on_host
