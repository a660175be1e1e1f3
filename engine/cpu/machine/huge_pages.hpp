#pragma once

#include <corral/array.hpp>

#include <cstddef>
#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace corral::cpu {

/// Asks the system to hold the whole huge pages in [begin, begin + bytes) as such, where it can; contents stay.
/// Memory that is reached in no order costs twice as much through small pages, whose addresses no table holds at once.
inline void ask_for_huge_pages([[maybe_unused]] void* begin, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t page = std::uintptr_t{1} << 21; // [bytes]; where it is larger, the system rounds
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  const std::uintptr_t first = (address + page - 1) / page * page, last = (address + bytes) / page * page;
  // Advice alone: where it is refused, small pages serve.
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
}

/// a.resize(size), on huge pages where memory is new.
template <class T> void resize_on_huge_pages(Array<T>& a, std::int64_t size) {
  const T* const before = a.data();
  a.resize(size);
  if (a.data() != before) ask_for_huge_pages(a.data(), static_cast<std::size_t>(a.bytes()));
}

/// n zeros on them.
template <class T> Array<T> zeros_on_huge_pages(std::int64_t n) {
  Array<T> a;
  resize_on_huge_pages(a, n);
  a.zero();
  return a;
}

/// n values in `a`, beginning with a huge page where they are many. So far as the system grants it they lie in one
/// piece of the machine's memory, too: what fits into a cache then doesn't fight for parts of it, as scattered pages
/// may.
template <class T> T* on_whole_huge_pages(Array<T>& a, std::int64_t n) {
  constexpr std::uintptr_t page = std::uintptr_t{1} << 21; // [bytes]
  constexpr std::int64_t many = page / 16 / sizeof(T);     // fewer aren't worth a huge page's clearing
  if (n < many) {
    a.resize(n);
    return a.data();
  }
  resize_on_huge_pages(a, n + static_cast<std::int64_t>(2 * page / sizeof(T)));
  const auto begin = reinterpret_cast<std::uintptr_t>(a.data());
  return reinterpret_cast<T*>((begin + page - 1) / page * page);
}

} // namespace corral::cpu
