#include "tests/cuda_on_host/runtime/block/block.hpp"

#include "tests/cuda_on_host/runtime/sanitizers.hpp"
#include "tests/cuda_on_host/runtime/state.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>
#include <thread>

namespace cuda_on_host {

static std::vector<std::uint64_t> block_order(std::uint64_t blocks, std::uint64_t seed) {
  std::vector<std::uint64_t> order(blocks);
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  if (configuration().order == Order::reverse) std::reverse(order.begin(), order.end());
  if (configuration().order == Order::random)
    for (std::uint64_t left = blocks; left > 1; --left) std::swap(order[left - 1], order[next_random(seed) % left]);
  return order;
}

void run_grid(const GridJob& job) {
  const tsan::LookAway own_lists; // the fibers, which run the kernel, are watched
  Statistics& counted = state().statistics;
  const std::uint64_t blocks = std::uint64_t{job.grid.x} * job.grid.y * job.grid.z;
  const std::uint64_t seed = configuration().seed * 1000003 + counted.launches++;
  const std::vector<std::uint64_t> order = block_order(blocks, seed);
  std::atomic<std::uint64_t> next{0};
  std::mutex mutex;
  std::string error;

  const auto work = [&](std::uint64_t worker) {
    // Kept from launch to launch, for its fibers.
    thread_local std::unique_ptr<BlockRunner> runner;
    if (!runner) runner = std::make_unique<BlockRunner>(seed);
    runner->seed(seed + (worker << 40));
    bool good = true;
    for (std::uint64_t i; good && (i = next++) < blocks;) good = runner->run(job, order[i]);
    runner->finish();
    std::unique_lock lock(mutex, std::defer_lock);
    if (!tsan::on) lock.lock(); // TSan would see one launch's mutex in the next one's place, and order streams by it
    const Statistics more = runner->take_statistics();
    counted.blocks += more.blocks, counted.threads += more.threads, counted.switches += more.switches;
    counted.barriers += more.barriers, counted.collectives += more.collectives;
    if (!good) next = blocks, error = runner->error();
  };

  const auto workers = std::min<std::uint64_t>(blocks, tsan::on ? 1 : std::max(1, configuration().workers));
  if (workers < 2) {
    work(0);
  } else {
    std::vector<std::thread> threads;
    for (std::uint64_t worker = 0; worker < workers; ++worker) threads.emplace_back(work, worker);
    for (std::thread& thread : threads) thread.join();
  }
  if (!error.empty()) throw Error(std::string(job.name) + ": " + error);
}

} // namespace cuda_on_host
