#pragma once

/// Which instruction sets Highway compiles the maps for; included before hwy/foreach_target.h by every file that is
/// compiled once per set. One between SSE2 and AVX2 suffices, AVX-512 needs no newer extension, and SVE is left to
/// NEON's fixed widths. Sanitizers, which multiply what each set costs to compile, look at AVX2 and the plain path
/// alone.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#else
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#endif

// The plain path is Highway's HWY_SCALAR with every compiler. Left to itself Highway emulates registers of 128 bits
// with clang and newer g++, without the operations on parts of a register that the packs need.
#define HWY_BROKEN_EMU128 1
