#pragma once

#include "tests/cuda_on_host/runtime/memory/device_memory.hpp"
#include "tests/cuda_on_host/runtime/stream.hpp"

#include "cuda_on_host/configuration.hpp"
#include "cuda_on_host/runtime_api.hpp"

#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace cuda_on_host {

/// All that the runtime API keeps between calls.
struct State {
  std::recursive_mutex mutex; ///< held during every call
  DeviceMemory device;
  PinnedMemory pinned;
  Streams streams;
  Statistics statistics;
  cudaError_t last_error = cudaSuccess;
  std::string kept_report; ///< of an Error found where none may be thrown
  std::optional<std::uint64_t> calls_until_failure, allocations_until_failure;
  bool has_failed = false;                         ///< on request
  std::map<const void*, std::size_t> most_dynamic; ///< of entries that have been allowed more shared memory than usual
};
State& state();

/// Shared memory that a block may have on the device that is played [bytes].
std::size_t most_shared_of_block();

/// What a call does first: counts, throws a kept report, fails where a test wants it to.
cudaError_t begin_call();

inline cudaError_t remember(cudaError_t error) {
  if (error != cudaSuccess && error != cudaErrorNotReady) state().last_error = error;
  return error;
}

/// Runs `body`, a call that may throw; while another exception is on its way it keeps its own for later.
template <class Body> cudaError_t call(Body&& body) {
  const std::lock_guard lock(state().mutex);
  if (std::uncaught_exceptions() == 0) {
    const cudaError_t error = begin_call();
    return remember(error != cudaSuccess ? error : body());
  }
  try {
    return remember(body());
  } catch (const Error& error) {
    state().kept_report = error.what();
    return remember(cudaErrorLaunchFailure);
  }
}

/// Runs `body`, a call that destructors make: it neither throws nor fails on request.
template <class Body> cudaError_t quiet_call(Body&& body) noexcept {
  const std::lock_guard lock(state().mutex);
  try {
    return remember(body());
  } catch (const Error& error) {
    state().kept_report = error.what();
    return remember(cudaErrorLaunchFailure);
  }
}

} // namespace cuda_on_host
