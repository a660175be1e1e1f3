#pragma once

#include <cstdlib>
#include <initializer_list>
#include <string_view>

namespace corral::test {

/// Sanitizers make code five to twenty times slower, and reserve address space beyond any limit that a test may set.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

/// The one that seeks races: what it does not see with one value it does not see with nine.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool races_sought = true;
#else
inline constexpr bool races_sought = false;
#endif

/// Before a release, whole families of values: tools/test all sets it for every test.
inline bool thorough() {
  const char* asked = std::getenv("THOROUGH");
  return asked != nullptr && std::string_view(asked) == "1";
}

/// How many threads results are compared for. Sanitizers see with one number of them what races.
inline constexpr std::initializer_list<int> all_threads = {1, 2, 3, 4}, some_threads = {2, 3}, three_threads = {3};
inline const std::initializer_list<int> thread_counts = !sanitized   ? all_threads
                                                        : thorough() ? some_threads
                                                                     : three_threads;

} // namespace corral::test
