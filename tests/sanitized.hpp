#pragma once

namespace corral::test {

/// Sanitizers make code five to twenty times slower, and reserve address space beyond any limit that a test may set.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

} // namespace corral::test
