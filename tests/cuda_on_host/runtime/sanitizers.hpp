#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

// What the sanitizers must be told. In the TSan build the runtime itself is compiled without -fsanitize=thread, or its
// own bookkeeping, which jumps between fibers, would be reported; it is told by CORRAL_CUDA_ON_HOST_TSAN instead.
#ifdef CORRAL_CUDA_ON_HOST_TSAN
extern "C" {
void* __tsan_get_current_fiber();
void* __tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void*);
void __tsan_switch_to_fiber(void*, unsigned flags);
void __tsan_acquire(void*);
void __tsan_release(void*);
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);
}
#endif

namespace cuda_on_host::asan {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool on = true;
inline void poison(const void* p, std::size_t bytes) { ASAN_POISON_MEMORY_REGION(p, bytes); }
inline void unpoison(const void* p, std::size_t bytes) { ASAN_UNPOISON_MEMORY_REGION(p, bytes); }
#else
inline constexpr bool on = false;
inline void poison(const void*, std::size_t) {}
inline void unpoison(const void*, std::size_t) {}
#endif

} // namespace cuda_on_host::asan

namespace cuda_on_host::tsan {

#ifdef CORRAL_CUDA_ON_HOST_TSAN
inline constexpr bool on = true;
inline void* current_fiber() { return __tsan_get_current_fiber(); }
inline void* create_fiber() { return __tsan_create_fiber(0); }
inline void destroy_fiber(void* fiber) { __tsan_destroy_fiber(fiber); }
inline void switch_to(void* fiber) { __tsan_switch_to_fiber(fiber, 1); } // 1: the switch itself orders nothing
inline void acquire(void* token) { __tsan_acquire(token); }
inline void release(void* token) { __tsan_release(token); }
inline void ignore() { AnnotateIgnoreReadsBegin(__FILE__, __LINE__), AnnotateIgnoreWritesBegin(__FILE__, __LINE__); }
inline void watch() { AnnotateIgnoreReadsEnd(__FILE__, __LINE__), AnnotateIgnoreWritesEnd(__FILE__, __LINE__); }
#else
inline constexpr bool on = false;
inline void* current_fiber() { return nullptr; }
inline void* create_fiber() { return nullptr; }
inline void destroy_fiber(void*) {}
inline void switch_to(void*) {}
inline void acquire(void*) {}
inline void release(void*) {}
inline void ignore() {}
inline void watch() {}
#endif

/// In its scope TSan looks away from the present fiber: for the runtime's own lists, which pass from stream to stream.
class LookAway {
public:
  LookAway() { ignore(); }
  ~LookAway() { watch(); }
  LookAway(const LookAway&) = delete;
  LookAway& operator=(const LookAway&) = delete;
};

} // namespace cuda_on_host::tsan
