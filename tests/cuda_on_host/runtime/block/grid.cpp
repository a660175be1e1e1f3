#include "cuda_on_host/atomics.hpp"
#include "cuda_on_host/language.hpp"
#include "tests/cuda_on_host/runtime/block/block.hpp"
#include "tests/cuda_on_host/runtime/sanitizers.hpp"
#include "tests/cuda_on_host/runtime/state.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <new>
#include <numeric>
#include <thread>

namespace cuda_on_host {

static void* map(void* where, std::size_t bytes) {
  void* memory =
      mmap(where, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | (where ? MAP_FIXED : 0), -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return memory;
}

SharedArena::SharedArena() : memory_(static_cast<char*>(map(nullptr, capacity))) {}

SharedArena::~SharedArena() {
  asan::unpoison(memory_, capacity);
  munmap(memory_, capacity);
}

void SharedArena::begin(std::size_t dynamic_bytes) {
  if (tsan::on) { // a new mapping makes TSan forget the last block's accesses, which are no race with this one's
    munmap(memory_, capacity);
    map(memory_, capacity);
    used_ = capacity;
  }
  asan::unpoison(memory_, capacity);
  std::memset(memory_, 0xff, std::min(capacity, std::max(used_, dynamic_bytes) + red_zone));
  asan::poison(memory_, capacity);
  asan::unpoison(memory_, dynamic_bytes);
  used_ = dynamic_bytes_ = dynamic_bytes;
  static_bytes_ = 0;
  variables_ = 0;
}

void* SharedArena::variable(const void* key, std::size_t bytes, std::size_t alignment) {
  for (int i = 0; i < variables_; ++i)
    if (variable_[i].key == key) return memory_ + variable_[i].offset;

  alignment = std::max<std::size_t>(alignment, 16);
  const std::size_t offset = (used_ + red_zone + alignment - 1) / alignment * alignment;
  if (variables_ == most_variables || offset + bytes + red_zone > capacity) return nullptr;
  asan::unpoison(memory_ + offset, bytes);
  used_ = offset + bytes;
  static_bytes_ += bytes;
  variable_[variables_++] = {key, offset, bytes};
  return memory_ + offset;
}

bool SharedArena::owns(const void* address) const {
  const char* const p = static_cast<const char*>(address);
  return p >= memory_ && p < memory_ + capacity;
}

bool SharedArena::covers(const void* address, std::size_t bytes) const {
  if (!owns(address)) return false;
  const std::size_t begin = static_cast<std::size_t>(static_cast<const char*>(address) - memory_), end = begin + bytes;
  if (end <= dynamic_bytes_) return true;
  for (int i = 0; i < variables_; ++i)
    if (begin >= variable_[i].offset && end <= variable_[i].offset + variable_[i].bytes) return true;
  return false;
}

BlockRunner& running_block() {
  if (!current_runner) throw Error("device code was called by the host");
  return *current_runner;
}

int block_barrier(Barrier kind, bool predicate, Place place) { return running_block().barrier(kind, predicate, place); }

LaneValue warp_collective(Operation operation, unsigned mask, LaneValue value, int lane, Place place) {
  return running_block().collective(operation, mask, value, lane, place);
}

void fence() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (current_thread) current_thread->fenced = true;
}

void before_atomic() {
  if (const int one_in = configuration().preempt) running_block().maybe_yield(one_in);
}

void fail_in_kernel(const char* what, Place place) { running_block().fail(what, place); }

void* static_shared(const void* key, std::size_t bytes, std::size_t alignment, const char* name) {
  return running_block().static_shared(key, bytes, alignment, name);
}

void* dynamic_shared(std::size_t alignment, const char* name) {
  return running_block().dynamic_shared(alignment, name);
}

void* BlockRunner::static_shared(const void* key, std::size_t bytes, std::size_t alignment, const char* name) {
  constexpr std::size_t most_static = 48 << 10;
  void* variable = shared_.variable(key, bytes, alignment);
  if (variable && shared_.static_bytes() <= most_static &&
      shared_.static_bytes() + job_->dynamic_bytes <= job_->shared_limit)
    return variable;
  error_ = std::string("too much shared memory: ") + name + " makes it " + std::to_string(shared_.static_bytes()) +
      " static and " + std::to_string(job_->dynamic_bytes) + " dynamic bytes (" + std::to_string(most_static) +
      " may be static, " + std::to_string(job_->shared_limit) + " altogether)";
  stop();
}

void* BlockRunner::dynamic_shared(std::size_t alignment, const char* name) {
  if (job_->dynamic_bytes && alignment <= 16) return shared_.dynamic();
  error_ = std::string("dynamic shared memory ") + name +
      (alignment > 16 ? " is aligned to 16 bytes only" : " is used, but the launch asked for none");
  stop();
}

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
