#pragma once

#include <corral/execution.hpp>

#include <time.h>

#include <chrono>

namespace corral::bench {

/// Processor time of the calling thread [s].
inline double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

struct Duration {
  double clock = 0, counted = 0; ///< what a clock says, and what counts: on one thread its processor time [s]
};
template <class F> Duration duration_of(int threads, const F& work) {
  Duration duration;
  run_with_threads(threads, [&] {
    const auto begin = std::chrono::steady_clock::now();
    const double processor = thread_seconds();
    work();
    duration.clock = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    duration.counted = threads == 1 ? thread_seconds() - processor : duration.clock;
  });
  return duration;
}

} // namespace corral::bench
