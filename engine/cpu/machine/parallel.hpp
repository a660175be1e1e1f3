#pragma once

#include <cstdint>

#if defined(__SANITIZE_THREAD__)
#define CORRAL_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CORRAL_THREAD_SANITIZER 1
#endif
#endif

#ifndef CORRAL_THREAD_SANITIZER

#include <oneapi/tbb/parallel_for.h>

namespace corral::cpu {

/// Calls f(i) for i in [0, n) on the threads of the caller's arena, in any order. The first exception that f throws
/// reaches the caller.
template <class F> void parallel(std::int64_t n, int /*threads*/, const F& f) {
  tbb::parallel_for(std::int64_t{0}, n, f);
}

} // namespace corral::cpu

#else

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace corral::cpu {

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

} // namespace corral::cpu

#endif
