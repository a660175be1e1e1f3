#pragma once

// CORRAL_VECTOR_CLONES compiles a function with internal linkage twice and chooses at load time. Its loops are
// elementwise, or sum in a fixed number of lanes, so that both give the same bits. Sanitizers are not ready when the
// choice is made. CORRAL_WIDE_VECTOR_CLONES does so three times, for loops over eight values at once.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define CORRAL_VECTOR_CLONES
#define CORRAL_WIDE_VECTOR_CLONES
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CORRAL_VECTOR_CLONES
#define CORRAL_WIDE_VECTOR_CLONES
#endif
#ifndef CORRAL_VECTOR_CLONES
#if defined(__x86_64__) && defined(__ELF__)
#define CORRAL_VECTOR_CLONES __attribute__((target_clones("avx2", "default")))
#define CORRAL_WIDE_VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define CORRAL_VECTOR_CLONES
#define CORRAL_WIDE_VECTOR_CLONES
#endif
#endif

// Before a loop: no iteration depends on another, whatever the pointers look like.
#if defined(__CUDACC__)
#define CORRAL_INDEPENDENT_ITERATIONS
#elif defined(__clang__)
#define CORRAL_INDEPENDENT_ITERATIONS _Pragma("clang loop vectorize(assume_safety)")
#else
#define CORRAL_INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#endif
