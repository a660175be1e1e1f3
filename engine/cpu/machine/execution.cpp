#include <corral/error.hpp>
#include <corral/execution.hpp>
#include <corral/for_each.hpp>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#if defined(__SANITIZE_THREAD__)
#define CORRAL_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CORRAL_THREAD_SANITIZER 1
#endif
#endif

namespace corral {

namespace {

#ifndef CORRAL_THREAD_SANITIZER

/// Calls f(i) for i in [0, n) on the threads of the caller's arena, in any order. The first exception that f throws
/// reaches the caller.
template <class F> void parallel(std::int64_t n, int /*threads*/, const F& f) {
  tbb::parallel_for(std::int64_t{0}, n, f);
}

#else

/// For the thread sanitizer: oneTBB is not compiled with it, so its scheduler would look like a race and hide real
/// ones. Plain threads, which it understands, do the same work; no order between two calls of f is implied.
template <class F> void parallel(std::int64_t n, int threads, const F& f) {
  std::atomic<std::int64_t> next{0};
  std::exception_ptr failure;
  std::mutex failing;
  const auto work = [&] {
    try {
      for (std::int64_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < n;) f(i);
    } catch (...) {
      const std::lock_guard lock(failing);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (int t = 1; t < threads && t < n; ++t) helpers.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

#endif

} // namespace

int current_threads() { return tbb::this_task_arena::max_concurrency(); }

void run_with_threads(int threads, const std::function<void()>& work) {
  if (threads < 1) throw Error(std::to_string(threads) + " threads (one at least is needed)");
  constexpr int most = 1 << 16; // of each oneTBB keeps a record, before there is any work
  if (threads > most)
    throw Error(std::to_string(threads) + " threads (at most " + std::to_string(most) +
                " are served) ask for as many as the machine has");
  if (!work) throw Error("threads without work (the function is empty)");
  // More threads than cores are granted too, where oneTBB would cap them. Fewer need no control, which would hold for
  // whatever else the process does meanwhile.
  std::optional<tbb::global_control> control;
  if (threads > tbb::info::default_concurrency())
    control.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  arena.execute(work);
}

void run_at_once(int first_threads, const std::function<void()>& first, int second_threads,
                 const std::function<void()>& second) {
  std::exception_ptr failure;
  {
    const std::jthread beside([&] {
      try {
        run_with_threads(second_threads, second);
      } catch (...) {
        failure = std::current_exception();
      }
    });
    run_with_threads(first_threads, first);
  }
  if (failure) std::rethrow_exception(failure);
}

namespace detail {

void run_chunks(std::int64_t n, std::int64_t chunk, void (*run)(void*, std::int64_t, std::int64_t), void* context) {
  if (n <= 0) return;
  const std::int64_t chunks = (n + chunk - 1) / chunk;
  auto one = [=](std::int64_t c) { run(context, c * chunk, std::min(n, (c + 1) * chunk)); };
  const int threads = current_threads();
  if (chunks == 1 || threads == 1) {
    for (std::int64_t c = 0; c < chunks; ++c) one(c);
  } else {
    parallel(chunks, threads, one);
  }
}

} // namespace detail
} // namespace corral
