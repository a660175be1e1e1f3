#pragma once

#include <corral/array.hpp>

#include <cstddef>
#include <cstdint>

namespace corral::cpu {

/// Asks the system to hold the whole huge pages in [begin, begin + bytes) as such, where it can; contents stay.
/// Memory that is reached in no order costs twice as much through small pages, whose addresses no table holds at once.
void ask_for_huge_pages(void* begin, std::size_t bytes);

/// a.resize(size), on huge pages where memory is new.
template <class T> void resize_on_huge_pages(Array<T>& a, std::int64_t size) {
  const T* const before = a.data();
  a.resize(size);
  if (a.data() != before) ask_for_huge_pages(a.data(), static_cast<std::size_t>(a.bytes()));
}

} // namespace corral::cpu
