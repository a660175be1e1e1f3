#pragma once

/// Which instruction sets Highway compiles the lines for. A file that is compiled once per set defines
/// HWY_TARGET_INCLUDE as itself and includes this, then its `-inl.hpp`. Doubles in registers of 128 bits gain nothing
/// from what came between SSE2 and AVX2. Sanitizers, which multiply what each set costs to compile, look at AVX2 and
/// the plain path alone.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HWY_DISABLED_TARGETS                                                                                           \
  (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#else
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#endif

// The plain path is Highway's HWY_SCALAR with every compiler, as in the engine.
#define HWY_BROKEN_EMU128 1

#ifdef HWY_TARGET_INCLUDE
#include <hwy/foreach_target.h>
#else
#include <hwy/targets.h>
#endif
