#include "engine/cpu/machine/parallel.hpp"

#include <corral/error.hpp>
#include <corral/execution.hpp>
#include <corral/for_each.hpp>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <optional>
#include <string>

namespace corral {

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

namespace detail {

void run_chunks(std::int64_t n, std::int64_t chunk, void (*run)(void*, std::int64_t, std::int64_t), void* context) {
  if (n <= 0) return;
  const std::int64_t chunks = (n + chunk - 1) / chunk;
  auto one = [=](std::int64_t c) { run(context, c * chunk, std::min(n, (c + 1) * chunk)); };
  const int threads = current_threads();
  if (chunks == 1 || threads == 1) {
    for (std::int64_t c = 0; c < chunks; ++c) one(c);
  } else {
    cpu::parallel(chunks, threads, one);
  }
}

} // namespace detail
} // namespace corral
