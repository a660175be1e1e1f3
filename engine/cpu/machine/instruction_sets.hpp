#pragma once

/// Code that is compiled once per instruction set and chosen at run time, here and in fluid/. Such a file defines
/// HWY_TARGET_INCLUDE as itself and includes this, then its `-inl.hpp`: Highway includes the file again for each set. Sums
/// are written with explicit multiply-adds over fixed lanes, so that AVX2 and AVX-512 give the same bits.
///
/// One set between SSE2 and AVX2 suffices, AVX-512 needs no newer extension, and SVE is left to NEON's fixed widths.
/// Sanitizers, which multiply what each set costs to compile, look at AVX2 and the plain path alone, or at AVX2 alone, and
/// builds that are for tests leave out SSE4, and AVX-512 where the processor lacks it (CORRAL_FEW_INSTRUCTION_SETS,
/// cmake/options.cmake).
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(CORRAL_WITHOUT_AVX512)
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#elif defined(CORRAL_FEW_INSTRUCTION_SETS)
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#else
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#endif

// The plain path is Highway's HWY_SCALAR with every compiler. Left to itself Highway emulates registers of 128 bits
// with clang and newer g++, without the operations on parts of a register that the packs need.
#define HWY_BROKEN_EMU128 1

#ifdef HWY_TARGET_INCLUDE
#include <hwy/foreach_target.h>
#else // a file that asks which sets there are
#include <hwy/targets.h>
#endif
