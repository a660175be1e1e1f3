#include "tests/cuda_on_host/runtime/memory/device_memory.hpp"

#include "tests/cuda_on_host/runtime/block/block.hpp"
#include "tests/cuda_on_host/runtime/sanitizers.hpp"
#include "tests/cuda_on_host/runtime/state.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>

namespace cuda_on_host {

// Addresses are not given out again before all is freed, so that what was freed stays unreadable.
static constexpr std::size_t capacity = std::size_t{256} << 30, page = 4096;
static constexpr unsigned char canary = 0xa5;

static void* map(void* where, std::size_t bytes, int protection) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (where ? MAP_FIXED : 0);
  void* memory = mmap(where, bytes, protection, flags, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return memory;
}

void DeviceMemory::protect(const Block& block, int protection) const {
  mprotect(base_ + block.offset, block.pages, protection);
}

void* DeviceMemory::allocate(std::size_t bytes, std::source_location where, bool in_stream_order) {
  if (!base_) base_ = static_cast<char*>(map(nullptr, capacity, PROT_NONE));
  explain_crashes();
  if (blocks_.empty()) top_ = 0;
  const std::size_t limit = configuration().device_bytes;
  if (bytes > limit || in_use_ > limit - bytes) return nullptr;
  const Block block{top_, bytes, std::max(page, (bytes + page - 1) / page * page), where, in_stream_order};
  if (block.pages + page > capacity - top_) return nullptr;

  char* memory = base_ + block.offset;
  if (tsan::on) { // a new mapping makes TSan forget who had these addresses before
    munmap(memory, block.pages);
    map(memory, block.pages, PROT_NONE);
  }
  protect(block, PROT_READ | PROT_WRITE);
  asan::unpoison(memory, bytes);
  std::memset(memory, 0xff, bytes);
  if (!asan::on) std::memset(memory + bytes, canary, block.pages - bytes);
  asan::poison(memory + bytes, block.pages - bytes);
  if (!unlocked_ && configuration().protect) protect(block, PROT_NONE);

  top_ += block.pages + page;
  in_use_ += bytes;
  const tsan::LookAway own_lists;
  blocks_.push_back(block);
  return memory;
}

bool DeviceMemory::release(void* address) {
  const auto block =
      std::find_if(blocks_.begin(), blocks_.end(), [&](const Block& each) { return base_ + each.offset == address; });
  if (block == blocks_.end()) return false;
  protect(*block, PROT_NONE);
  madvise(address, block->pages, MADV_DONTNEED);
  asan::poison(address, block->pages);
  in_use_ -= block->bytes;
  const tsan::LookAway own_lists; // what is freed in stream order is freed on the stream's fiber
  blocks_.erase(block);
  return true;
}

bool DeviceMemory::owns(const void* address) const {
  const char* p = static_cast<const char*>(address);
  return base_ && p >= base_ && p < base_ + capacity;
}

const DeviceMemory::Block* DeviceMemory::at_or_before(std::size_t offset) const {
  const auto above = std::upper_bound(blocks_.begin(), blocks_.end(), offset,
                                      [](std::size_t o, const Block& block) { return o < block.offset; });
  return above == blocks_.begin() ? nullptr : &above[-1];
}

bool DeviceMemory::covers(const void* address, std::size_t bytes) const {
  if (!owns(address)) return false;
  const std::size_t offset = static_cast<std::size_t>(static_cast<const char*>(address) - base_);
  const Block* block = at_or_before(offset);
  return block && offset - block->offset <= block->bytes && bytes <= block->bytes - (offset - block->offset);
}

bool DeviceMemory::in_stream_order(const void* address) const {
  if (!owns(address)) return false;
  const Block* block = at_or_before(static_cast<std::size_t>(static_cast<const char*>(address) - base_));
  return block && block->in_stream_order;
}

std::vector<LiveAllocation> DeviceMemory::live() const {
  std::vector<LiveAllocation> all;
  for (const Block& block : blocks_) all.push_back({base_ + block.offset, block.bytes, block.where});
  return all;
}

void DeviceMemory::unlock() {
  if (unlocked_++) return;
  explain_crashes();
  for (const Block& block : blocks_) protect(block, PROT_READ | PROT_WRITE);
}

void DeviceMemory::lock() {
  if (--unlocked_ || !configuration().protect || blocks_.empty()) return;
  // In one call for all of them: what lies between is closed as it is.
  const std::size_t first = blocks_.front().offset;
  mprotect(base_ + first, blocks_.back().offset + blocks_.back().pages - first, PROT_NONE);
}

static std::string place_of(std::source_location where) {
  const std::string file = where.file_name();
  return file.substr(file.rfind('/') + 1) + ":" + std::to_string(where.line());
}

std::string DeviceMemory::overrun() const {
  if (asan::on) return "";
  for (const Block& block : blocks_) {
    const char* end = base_ + block.offset + block.pages;
    for (const char* p = base_ + block.offset + block.bytes; p < end; ++p)
      if (static_cast<unsigned char>(*p) != canary)
        return "wrote " + std::to_string(p - (base_ + block.offset + block.bytes)) + " bytes past the allocation of " +
            std::to_string(block.bytes) + " bytes made at " + place_of(block.where);
  }
  return "";
}

void DeviceMemory::describe(const void* address, char* text, std::size_t room) const {
  const std::size_t offset = static_cast<std::size_t>(static_cast<const char*>(address) - base_);
  const Block* block = at_or_before(offset);
  if (!block)
    std::snprintf(text, room, "nothing is allocated there");
  else if (offset - block->offset < block->bytes)
    std::snprintf(text, room, "in the allocation of %zu bytes made at %s:%u", block->bytes, block->where.file_name(),
                  static_cast<unsigned>(block->where.line()));
  else
    std::snprintf(text, room, "%zu bytes past the end of the allocation of %zu bytes made at %s:%u, or freed",
                  offset - block->offset - block->bytes, block->bytes, block->where.file_name(),
                  static_cast<unsigned>(block->where.line()));
}

int DeviceMemory::close() {
  const int depth = unlocked_;
  if (depth == 0) return 0;
  unlocked_ = 1;
  lock();
  return depth;
}

void DeviceMemory::open(int depth) {
  if (depth == 0) return;
  unlock();
  unlocked_ = depth;
}

DeviceAccess::DeviceAccess() { state().device.unlock(); }
DeviceAccess::~DeviceAccess() { state().device.lock(); }

HostCode::HostCode() : depth_(state().device.close()) {}
HostCode::~HostCode() { state().device.open(depth_); }

void* PinnedMemory::allocate(std::size_t bytes, std::source_location where) {
  void* memory = ::operator new (bytes, std::align_val_t{256}, std::nothrow);
  if (memory) blocks_.push_back({memory, bytes, where});
  return memory;
}

bool PinnedMemory::release(void* address) {
  const auto block =
      std::find_if(blocks_.begin(), blocks_.end(), [&](const LiveAllocation& each) { return each.address == address; });
  if (block == blocks_.end()) return false;
  blocks_.erase(block);
  ::operator delete (address, std::align_val_t{256});
  return true;
}

bool PinnedMemory::owns(const void* address) const {
  const char* p = static_cast<const char*>(address);
  return std::any_of(blocks_.begin(), blocks_.end(), [&](const LiveAllocation& each) {
    const char* start = static_cast<const char*>(each.address);
    return p >= start && p < start + each.bytes;
  });
}

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
