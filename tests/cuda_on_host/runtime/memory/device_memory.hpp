#pragma once

#include "cuda_on_host/configuration.hpp"

#include <vector>

namespace cuda_on_host {

/// A range of addresses that plays device memory. Every allocation has pages of its own, a guard page behind them, and
/// is full of 0xff: NaN, or -1. The host can touch it only in the scope of a DeviceAccess.
class DeviceMemory {
public:
  /// nullptr where the device is full.
  void* allocate(std::size_t bytes, std::source_location where, bool in_stream_order = false);
  /// Whether what holds the address was allocated by cudaMallocAsync.
  bool in_stream_order(const void* address) const;
  /// False if nothing that was allocated starts there.
  bool release(void* address);

  /// Whether the address lies in the range at all, allocated or not.
  bool owns(const void* address) const;
  /// Whether all these bytes are in one allocation.
  bool covers(const void* address, std::size_t bytes) const;
  std::size_t bytes_in_use() const { return in_use_; }
  std::vector<LiveAllocation> live() const;

  void unlock();
  /// As if nobody had unlocked it; how many had. And back.
  int close();
  void open(int depth);
  void lock();
  /// What was written between the end of an allocation and of its pages; empty if nothing.
  std::string overrun() const;
  /// What there is at that address, for a report.
  void describe(const void* address, char* text, std::size_t room) const;

private:
  struct Block {
    std::size_t offset, bytes, pages; ///< all in bytes
    std::source_location where;
    bool in_stream_order;
  };
  void reserve();
  const Block* at_or_before(std::size_t offset) const;
  void protect(const Block&, int protection) const;

  char* base_ = nullptr;
  std::size_t top_ = 0, in_use_ = 0;
  int unlocked_ = 0;
  std::vector<Block> blocks_; ///< in order of their addresses
};

/// While one exists, device memory can be touched.
class DeviceAccess {
public:
  DeviceAccess();
  ~DeviceAccess();
  DeviceAccess(const DeviceAccess&) = delete;
  DeviceAccess& operator=(const DeviceAccess&) = delete;
};

/// While one exists, code of the host runs in a stream, and cannot.
class HostCode {
public:
  HostCode();
  ~HostCode();
  HostCode(const HostCode&) = delete;
  HostCode& operator=(const HostCode&) = delete;

private:
  int depth_;
};

/// Memory of cudaMallocHost.
class PinnedMemory {
public:
  void* allocate(std::size_t bytes, std::source_location where);
  bool release(void* address);
  bool owns(const void* address) const;
  std::vector<LiveAllocation> live() const { return blocks_; }

private:
  std::vector<LiveAllocation> blocks_;
};

/// Makes a crash on device memory say what was touched, before whoever handled crashes gets its turn.
void explain_crashes();

} // namespace cuda_on_host
