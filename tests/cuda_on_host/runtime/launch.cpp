#include "cuda_on_host/launch.hpp"

#include "tests/cuda_on_host/runtime/block/block.hpp"
#include "tests/cuda_on_host/runtime/sanitizers.hpp"
#include "tests/cuda_on_host/runtime/state.hpp"

#include <cstring>

#include <link.h>
#include <sys/mman.h>

namespace cuda_on_host {

namespace {

constexpr std::size_t usual_dynamic = 48 << 10;

/// Whether the address lies in code, which is where pointers to functions go.
bool is_code(std::uintptr_t address) {
  const auto look = [](dl_phdr_info* object, std::size_t, void* wanted) {
    const std::uintptr_t at = *static_cast<std::uintptr_t*>(wanted);
    for (int i = 0; i < object->dlpi_phnum; ++i) {
      const auto& segment = object->dlpi_phdr[i];
      const std::uintptr_t start = object->dlpi_addr + segment.p_vaddr;
      if ((segment.p_flags & PF_X) && at >= start && at < start + segment.p_memsz) return 1;
    }
    return 0;
  };
  return dl_iterate_phdr(look, &address) != 0;
}

/// Whether the host could read that address, and the device could not.
bool is_host_memory(std::uintptr_t address) {
  const void* p = reinterpret_cast<const void*>(address);
  if (state().device.owns(p) || state().pinned.owns(p)) return false;
  unsigned char resident = 0;
  void* page = reinterpret_cast<void*>(address & ~std::uintptr_t{4095});
  return mincore(page, 1, &resident) == 0 && !is_code(address);
}

/// Numbers are rarely addresses: those of heap, stack and program lie between these on 64-bit systems, while the
/// sanitizers' own memory, which two small integers may point to, lies below.
bool looks_like_address(std::uint64_t word) { return word >= std::uint64_t{1} << 45 && word < std::uint64_t{1} << 48; }

/// A small number, or some flags, beside padding in which an old address may have left its upper part: g++ 12's
/// __builtin_clear_padding leaves out what follows some arrays. The heaps of sanitizers have such addresses.
bool lies_beside_padding(std::uint64_t word) {
  constexpr std::uint64_t flags = 0xfefefe, small = 1 << 20;
  return !asan::on && !tsan::on && ((word & flags) == 0 || (word & 0xffffffff) < small);
}

bool valid(const LaunchShape& shape) {
  const dim3 grid = shape.grid, block = shape.block;
  if (!grid.x || !grid.y || !grid.z || grid.x > 2147483647u || grid.y > 65535 || grid.z > 65535) return false;
  return block.x && block.y && block.z && block.x <= 1024 && block.y <= 1024 && block.z <= 64 &&
      block.x * block.y * block.z <= 1024;
}

/// Called in the stream's turn.
void run(const LaunchShape& shape, std::size_t shared_limit, const std::function<void()>& body) {
  const DeviceAccess access;
  run_grid({shape.name, shape.grid, shape.block, shape.dynamic_bytes, shared_limit, &body});
  if (const std::string said = state().device.overrun(); !said.empty())
    throw Error(std::string(shape.name) + ": " + said);
}

} // namespace

void check_argument(const LaunchShape& shape, int position, const void* bytes, std::size_t size, bool is_pointer) {
  if (!is_pointer && !configuration().search_structs) return;
  const std::lock_guard lock(state().mutex);
  for (std::size_t at = 0; at + 8 <= size; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, static_cast<const char*>(bytes) + at, sizeof word);
    if (is_pointer ? !word : !looks_like_address(word) || lies_beside_padding(word)) continue;
    const bool refused = is_pointer ? !state().device.owns(reinterpret_cast<const void*>(word)) &&
            !state().pinned.owns(reinterpret_cast<const void*>(word))
                                    : is_host_memory(word);
    if (!refused) continue;
    std::string said = std::string(shape.name) + ": argument " + std::to_string(position);
    said += is_pointer ? " is a host pointer" : " holds a host pointer at byte " + std::to_string(at);
    throw Error(said);
  }
}

cudaError_t enqueue_launch(const LaunchShape& shape, cudaStream_t stream, std::function<void()> body) {
  return call([&] {
    const std::shared_ptr<Queue> queue = state().streams.queue(stream);
    if (!queue) return cudaErrorInvalidResourceHandle;
    if (!shape.entry) return cudaErrorInvalidDeviceFunction;
    if (!valid(shape)) return cudaErrorInvalidConfiguration;
    const auto allowed = state().most_dynamic.find(shape.entry);
    const bool usual = allowed == state().most_dynamic.end();
    const std::size_t shared_limit = usual ? usual_dynamic : most_shared_of_block();
    if (shape.dynamic_bytes > (usual ? usual_dynamic : std::min(allowed->second, shared_limit)))
      return cudaErrorInvalidValue;
    state().streams.push(queue, [=, body = std::move(body)] { run(shape, shared_limit, body); });
    return cudaSuccess;
  });
}

} // namespace cuda_on_host
