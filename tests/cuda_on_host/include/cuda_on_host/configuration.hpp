#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <stdexcept>
#include <string>
#include <vector>

// What a test sets and asks. Device code and the engine know nothing of this header.
namespace cuda_on_host {

/// Who goes first where a device promises no order: threads of a block, blocks of a grid, streams. `warps`: as forward,
/// but a block's first warp runs on as far as it can, past what others have not done yet, then the next one.
enum class Order { forward, reverse, random, warps };

/// How kernels are run. Tests set it between launches, see ScopedConfiguration.
struct Configuration {
  Order order = Order::forward;
  std::uint64_t seed = 1;  ///< of Order::random, of preemption
  int workers = 1;         ///< operating-system threads that share a grid's blocks; one in TSan builds
  bool deferred = true;    ///< work in a stream runs only when something waits for it
  int preempt = 0;         ///< a thread yields at one in so many atomics; 0: never
  bool strict_exit = true; ///< reports threads that end although others still wait for them at a barrier or collective
  bool protect = true;     ///< the host can touch device memory only while a kernel or copy runs
  /// Looks for host addresses inside the structs a kernel is given. g++ clears not all padding, where the upper half of
  /// an old address may lie: beside a small number that is an address of the sanitizers' heaps, so that with them this
  /// is off unless a test asks for it.
  bool search_structs = true;
  int compute_capability = 90; ///< of the device that is played; decides how much shared memory a block may have
  int devices = 1;          ///< 1, or 0: none is found
  int multiprocessors = 4;    ///< of the device that is played; few, so that loops over all blocks go round
  std::size_t device_bytes = std::size_t{16} << 30; ///< memory of that device [B]
  std::uint64_t lost_after = 0; ///< calls of the runtime API; all that come later fail, as on a device that is lost. 0: none
  std::size_t stack_bytes = std::size_t{128} << 10; ///< of each CUDA thread [B]; read when the first kernel runs
};

/// What the environment asks for: CORRAL_CUDA_ORDER=forward|reverse|random[:seed]|warps, CORRAL_CUDA_WORKERS=n,
/// CORRAL_CUDA_STREAMS=deferred|eager, CORRAL_CUDA_PREEMPT=n, CORRAL_CUDA_DEVICES=n, CORRAL_CUDA_BYTES=n,
/// CORRAL_CUDA_LOST=n, CORRAL_CUDA_SEARCH_STRUCTS=0|1. Throws std::invalid_argument at anything else.
Configuration configuration_from_environment();

/// The configuration in force, at first that of the environment.
Configuration& configuration();

/// Another configuration until the end of the scope.
class ScopedConfiguration {
public:
  explicit ScopedConfiguration(const Configuration& other) : before_(configuration()) { configuration() = other; }
  ~ScopedConfiguration() { configuration() = before_; }
  ScopedConfiguration(const ScopedConfiguration&) = delete;
  ScopedConfiguration& operator=(const ScopedConfiguration&) = delete;

private:
  Configuration before_;
};

/// A bug in device code or in the calls around it, which a device would answer with a hang, a crash or wrong numbers:
/// what, in which block and thread, where. Thrown by the call that ran the kernel: the launch, or what waited for it.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What has been run since the program started.
struct Statistics {
  std::uint64_t launches = 0, blocks = 0, threads = 0;
  std::uint64_t transforms = 0, products = 0; ///< calls of cuFFT and cuBLAS; each is some launches of its own
  std::uint64_t barriers = 0, collectives = 0, switches = 0; ///< summed over threads
  std::uint64_t calls = 0, allocations = 0;                  ///< of the runtime API, as fail_call counts them
  std::uint64_t waits = 0; ///< calls in which the host waited for work of a stream that it had not waited for yet
};
Statistics statistics();

/// The call after `successes` further ones fails with cudaErrorUnknown (calls that free or ask don't count).
void fail_call(std::uint64_t successes);
/// The same for allocations, which fail with cudaErrorMemoryAllocation.
void fail_allocation(std::uint64_t successes);
/// No further call is made to fail; true if one was.
bool stop_failing();

/// Device or pinned memory that is in use.
struct LiveAllocation {
  const void* address;
  std::size_t bytes;
  std::source_location where; ///< the call of cudaMalloc
};
std::vector<LiveAllocation> live_allocations();

/// Runs all that is queued, and throws what was found in calls that must not throw (frees, and calls made while
/// another exception is on its way). A test's last line.
void finish();

/// Forgets queued work and reports, for a test that goes on after an Error.
void forget_queued_work();

} // namespace cuda_on_host
