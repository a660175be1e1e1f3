#include "engine/cpu/machine/huge_pages.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace corral::cpu {

void ask_for_huge_pages([[maybe_unused]] void* begin, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t page = std::uintptr_t{1} << 21; // [bytes]; where it is larger, the system rounds
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  const std::uintptr_t first = (address + page - 1) / page * page, last = (address + bytes) / page * page;
  // Advice alone: where it is refused, small pages serve.
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
}

} // namespace corral::cpu
