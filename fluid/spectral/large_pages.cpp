#include "fluid/spectral/large_pages.hpp"

#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace corral::fluid::spectral {

Array<double> large_array(std::int64_t size) {
  Array<double> a(size);
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t page = std::uintptr_t{1} << 21; // [bytes]; where it is larger, the system rounds
  const auto begin = reinterpret_cast<std::uintptr_t>(a.data());
  const std::uintptr_t first = (begin + page - 1) / page * page;
  const std::uintptr_t last = (begin + static_cast<std::uintptr_t>(a.bytes())) / page * page;
  // Advice alone: where it is refused, small pages serve. It holds for memory that was not yet written to.
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
  a.zero();
  return a;
}

} // namespace corral::fluid::spectral
