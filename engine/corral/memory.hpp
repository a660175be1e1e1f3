#pragma once

#include <corral/execution.hpp>
#include <corral/export.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <string_view>

namespace corral {

/// Where memory lies. What is not `host` needs a corral that was built with CUDA, and a device.
enum class Memory : std::uint8_t {
  host,
  pinned, ///< host memory that a device copies from and to while it works
  device  ///< of the CUDA device that was the current one when it was taken
};

CORRAL_PUBLIC std::string_view name(Memory);

/// Where what a call with E works on lies.
template <Execution E> inline constexpr Memory memory_for = std::same_as<E, Cpu> ? Memory::host : Memory::device;

/// What arrays hold of one kind of memory, scratch of orders and maps included, over the whole process. Containers of the
/// standard library are not in it.
struct MemoryUse {
  std::int64_t held = 0; ///< [bytes] now
  std::int64_t most = 0; ///< [bytes] at any time so far
};
CORRAL_PUBLIC MemoryUse memory_use(Memory);

/// A device's memory did not suffice.
class CORRAL_PUBLIC OutOfDeviceMemory : public std::bad_alloc {
public:
  const char* what() const noexcept override;
};

namespace detail {

inline constexpr std::size_t memory_alignment = 64; ///< [bytes] one cache line

/// Throws std::bad_alloc where memory does not suffice, Error where there is none of this kind.
CORRAL_PUBLIC void* take_memory(Memory memory, std::size_t bytes);
CORRAL_PUBLIC void give_back_memory(Memory memory, void* data, std::size_t bytes) noexcept; // as many as were taken
/// Zeros on the host. Of many a page takes no room until somebody writes to it.
CORRAL_PUBLIC void* take_zeros(std::size_t bytes);
CORRAL_PUBLIC void give_back_zeros(void* data, std::size_t bytes) noexcept;
/// Device memory in order on a stream: what follows there may use it, or may not any more.
CORRAL_PUBLIC void* take_memory_on(CUstream_st* stream, std::size_t bytes);
CORRAL_PUBLIC void give_back_memory_on(CUstream_st* stream, void* data, std::size_t bytes);
/// Copies where one of the two is not `host`, after all work that the device was given; waits.
CORRAL_PUBLIC void copy_memory(void* to, const void* from, std::size_t bytes);
/// Copies in order on a stream. Returns before that is done unless one of the two is `host`.
CORRAL_PUBLIC void copy_memory_on(CUstream_st* stream, void* to, const void* from, std::size_t bytes);
/// Waits for all that a stream was given to do.
CORRAL_PUBLIC void wait_for(CUstream_st* stream);
/// Sets bytes of device memory to 0, in order on the default stream.
CORRAL_PUBLIC void clear_memory(void* data, std::size_t bytes);

} // namespace detail
} // namespace corral
