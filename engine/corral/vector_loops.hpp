#pragma once

#include <corral/array.hpp>
#include <corral/for_each.hpp>
#include <corral/host_device.hpp>

#include <algorithm>
#include <cstdint>

/// Loops that the compiler makes vectors of: on the CPU they are compiled for several instruction sets, of which the
/// processor's is chosen when the program is loaded. All give the same bits: loops are elementwise, or sum in a fixed
/// number of lanes. Maps that choose their vectors themselves are made with Highway instead.

// Before a function with internal linkage: compiles it twice, or three times for loops over eight values at once.
// Sanitizers are not ready when the choice is made, and clang clones no templates: there -march says it, for all loops.
#if defined(__x86_64__) && defined(__ELF__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define CORRAL_VECTOR_CLONES __attribute__((target_clones("avx2", "default")))
#ifdef CORRAL_WITHOUT_AVX512 // of builds for tests, on a processor that lacks it (cmake/options.cmake)
#define CORRAL_WIDE_VECTOR_CLONES CORRAL_VECTOR_CLONES
#else
#define CORRAL_WIDE_VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#endif
#else
#define CORRAL_VECTOR_CLONES
#define CORRAL_WIDE_VECTOR_CLONES
#endif

// Before what such functions call: inlined, or it would be compiled for one set alone.
#define CORRAL_INLINED CORRAL_HOST_DEVICE __attribute__((always_inline)) inline

// Before a loop: no iteration depends on another, whatever the pointers look like.
#if defined(__CUDACC__)
#define CORRAL_INDEPENDENT_ITERATIONS
#elif defined(__clang__)
#define CORRAL_INDEPENDENT_ITERATIONS _Pragma("clang loop vectorize(assume_safety)")
#else
#define CORRAL_INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#endif

namespace corral {

namespace vector_loops {

// Of internal linkage, as clones have to be. F by value: no store to a column can change where the others lie.
template <class F> CORRAL_WIDE_VECTOR_CLONES [[maybe_unused]] static void run(std::int64_t begin, std::int64_t end, const F f) {
  CORRAL_INDEPENDENT_ITERATIONS
  for (std::int64_t i = begin; i < end; ++i) f(i);
}

inline constexpr std::int64_t at_once = 64; ///< particles whose terms are kept

/// terms of k = what particle first + k adds to sums.
template <class F, class Terms>
CORRAL_WIDE_VECTOR_CLONES [[maybe_unused]] static void run_terms(std::int64_t first, std::int64_t n, const F f, Terms& terms) {
  CORRAL_INDEPENDENT_ITERATIONS
  for (std::int64_t k = 0; k < n; ++k) f(first + k, k, terms);
}

} // namespace vector_loops

/// Calls f(i) for i in [0, n), which are independent of each other.
template <class F> void for_each_in_vectors(Cpu cpu, std::int64_t n, const F& f) {
  for_each_chunk(cpu, n, chunk_size,
                 [&f](std::int64_t begin, std::int64_t end) { vector_loops::run(begin, end, f); });
}
template <Execution E, class F> void for_each_in_vectors(E execution, std::int64_t n, const F& f) {
  for_each(execution, n, f);
}

/// `accumulate` of an f whose sums hinder vectors: f(i, k, terms) puts what i adds into row k of f's Terms<rows>, and
/// f.add(terms, k, sum) adds it, particle by particle. The bits of `accumulate`.
template <class R, class F, class Combine>
R accumulate_in_vectors(Cpu cpu, std::int64_t n, const R& identity, const F& f, const Combine& combine) {
  using vector_loops::at_once;
  Array<R> parts((n + chunk_size - 1) / chunk_size);
  for_each_chunk(cpu, n, chunk_size, [&](std::int64_t begin, std::int64_t end) {
    typename F::template Terms<at_once> terms;
    R sum = identity;
    for (std::int64_t first = begin; first < end; first += at_once) {
      const std::int64_t rows = std::min(at_once, end - first);
      vector_loops::run_terms(first, rows, f, terms);
      for (std::int64_t k = 0; k < rows; ++k) f.add(terms, k, sum);
    }
    parts[begin / chunk_size] = sum;
  });
  R total = identity;
  for (const R& part : parts) combine(total, part);
  return total;
}
template <Execution E, class R, class F, class Combine>
R accumulate_in_vectors(E execution, std::int64_t n, const R& identity, const F& f, const Combine& combine) {
  return accumulate(execution, n, identity, [=] CORRAL_BODY(std::int64_t i, R& sum) {
    typename F::template Terms<1> terms;
    f(i, 0, terms);
    f.add(terms, 0, sum);
  }, combine);
}

} // namespace corral
