#include "tests/cuda_on_host/runtime/block/block.hpp"
#include "tests/cuda_on_host/runtime/memory/device_memory.hpp"
#include "tests/cuda_on_host/runtime/state.hpp"

#include <csignal>
#include <cstdio>

#include <unistd.h>

namespace cuda_on_host {

static struct sigaction handled_before;

/// Says what was touched, then lets the access happen again under the handler that was there before.
static void explain(int signal, siginfo_t* info, void*) {
  const DeviceMemory& device = state().device;
  if (info->si_code > 0 && device.owns(info->si_addr)) {
    char who[160] = "the host", what[400], line[700];
    if (const Thread* thread = current_thread)
      std::snprintf(who, sizeof who, "block (%u,%u,%u) thread (%u,%u,%u) of a kernel", thread->block->index.x,
                    thread->block->index.y, thread->block->index.z, thread->index.x, thread->index.y, thread->index.z);
    device.describe(info->si_addr, what, sizeof what);
    const int length = std::snprintf(line, sizeof line, "cuda_on_host: %s touches device memory: %s\n", who, what);
    [[maybe_unused]] const auto written = write(STDERR_FILENO, line, static_cast<std::size_t>(length));
  }
  sigaction(signal, &handled_before, nullptr);
}

void explain_crashes() {
  // Asked for again and again: test frameworks put their own handler in place for each test.
  struct sigaction ours {
  }, found{};
  ours.sa_sigaction = explain;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &ours, &found);
  if (!(found.sa_flags & SA_SIGINFO) || found.sa_sigaction != explain) handled_before = found;
}

} // namespace cuda_on_host
