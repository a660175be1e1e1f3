#pragma once

#include <math.h> // with the overloads of <cmath> in the global namespace, where device code finds them

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numbers>
#include <type_traits>

// Loads and stores with a cache hint.
template <class T> T __ldg(const T* address) { return *address; }
template <class T> T __ldcg(const T* address) { return *address; }
template <class T> T __ldca(const T* address) { return *address; }
template <class T> T __ldcs(const T* address) { return *address; }
template <class T> T __ldlu(const T* address) { return *address; }
template <class T> T __ldcv(const T* address) { return *address; }
template <class T> void __stwb(T* address, std::type_identity_t<T> value) { *address = value; }
template <class T> void __stcg(T* address, std::type_identity_t<T> value) { *address = value; }
template <class T> void __stcs(T* address, std::type_identity_t<T> value) { *address = value; }
template <class T> void __stwt(T* address, std::type_identity_t<T> value) { *address = value; }

// Bits.
inline int __popc(unsigned x) { return std::popcount(x); }
inline int __popcll(unsigned long long x) { return std::popcount(x); }
inline int __ffs(int x) { return x ? std::countr_zero(static_cast<unsigned>(x)) + 1 : 0; }
inline int __ffsll(long long x) { return x ? std::countr_zero(static_cast<unsigned long long>(x)) + 1 : 0; }
inline int __clz(int x) { return std::countl_zero(static_cast<unsigned>(x)); }
inline int __clzll(long long x) { return std::countl_zero(static_cast<unsigned long long>(x)); }
inline unsigned long long __brevll(unsigned long long x) {
  unsigned long long reversed = 0;
  for (int bit = 0; bit < 64; ++bit) reversed |= (x >> bit & 1) << (63 - bit);
  return reversed;
}
inline unsigned __brev(unsigned x) { return static_cast<unsigned>(__brevll(x) >> 32); }
inline unsigned __umulhi(unsigned a, unsigned b) { return static_cast<unsigned>(std::uint64_t{a} * b >> 32); }
inline int __mulhi(int a, int b) { return static_cast<int>(std::int64_t{a} * b >> 32); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<unsigned long long>(static_cast<Wide>(a) * b >> 64);
}
inline long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
inline double __longlong_as_double(long long x) { return std::bit_cast<double>(x); }
inline int __float_as_int(float x) { return std::bit_cast<int>(x); }
inline unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
inline float __int_as_float(int x) { return std::bit_cast<float>(x); }
inline float __uint_as_float(unsigned x) { return std::bit_cast<float>(x); }

// Arithmetic whose rounding is said: nearest, and never fused with what stands around it.
inline double __fma_rn(double a, double b, double c) { return std::fma(a, b, c); }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dsub_rn(double a, double b) { return a - b; }
inline double __ddiv_rn(double a, double b) { return a / b; }
inline double __dsqrt_rn(double a) { return std::sqrt(a); }
inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __fsqrt_rn(float a) { return std::sqrt(a); }

// Conversions: rd down, rn to nearest even, rz towards zero.
inline int __double2int_rd(double x) { return static_cast<int>(std::floor(x)); }
inline int __double2int_rn(double x) { return static_cast<int>(std::nearbyint(x)); }
inline int __double2int_rz(double x) { return static_cast<int>(x); }
inline long long __double2ll_rd(double x) { return static_cast<long long>(std::floor(x)); }
inline int __float2int_rd(float x) { return static_cast<int>(std::floor(x)); }
inline int __float2int_rn(float x) { return static_cast<int>(std::nearbyint(x)); }
inline int __float2int_rz(float x) { return static_cast<int>(x); }

// Functions that the C library lacks. The argument is reduced before it is multiplied by pi, so multiples of 1/2 are
// exact, as on the device.
inline double rsqrt(double x) { return 1.0 / std::sqrt(x); }
inline float rsqrtf(float x) { return 1.0f / std::sqrt(x); }
inline float rsqrt(float x) { return rsqrtf(x); }
inline double sinpi(double x) {
  const double half_turns = std::nearbyint(2.0 * x), rest = std::numbers::pi * (x - half_turns / 2.0);
  switch (static_cast<int>(half_turns - 4.0 * std::floor(half_turns / 4.0))) {
  case 0: return std::sin(rest);
  case 1: return std::cos(rest);
  case 2: return -std::sin(rest);
  default: return -std::cos(rest);
  }
}
inline double cospi(double x) {
  const double half_turns = std::nearbyint(2.0 * x), rest = std::numbers::pi * (x - half_turns / 2.0);
  switch (static_cast<int>(half_turns - 4.0 * std::floor(half_turns / 4.0))) {
  case 0: return std::cos(rest);
  case 1: return -std::sin(rest);
  case 2: return -std::cos(rest);
  default: return std::sin(rest);
  }
}
inline float sinpif(float x) { return static_cast<float>(sinpi(static_cast<double>(x))); }
inline float cospif(float x) { return static_cast<float>(cospi(static_cast<double>(x))); }
inline float sinpi(float x) { return sinpif(x); }
inline float cospi(float x) { return cospif(x); }
inline void sincospi(double x, double* sine, double* cosine) { *sine = sinpi(x), *cosine = cospi(x); }
inline void sincospif(float x, float* sine, float* cosine) { *sine = sinpif(x), *cosine = cospif(x); }
inline void sincospi(float x, float* sine, float* cosine) { sincospif(x, sine, cosine); }

// min and max of mixed types go to the common one, as in CUDA; of a number and NaN they are the number.
#define CUDA_ON_HOST_MIN_MAX(A, B, RESULT)                                                                             \
  constexpr RESULT min(A a, B b) {                                                                                     \
    return static_cast<RESULT>(b) < static_cast<RESULT>(a) ? static_cast<RESULT>(b) : static_cast<RESULT>(a);          \
  }                                                                                                                    \
  constexpr RESULT max(A a, B b) {                                                                                     \
    return static_cast<RESULT>(a) < static_cast<RESULT>(b) ? static_cast<RESULT>(b) : static_cast<RESULT>(a);          \
  }
CUDA_ON_HOST_MIN_MAX(int, int, int)
CUDA_ON_HOST_MIN_MAX(unsigned, unsigned, unsigned)
CUDA_ON_HOST_MIN_MAX(int, unsigned, unsigned)
CUDA_ON_HOST_MIN_MAX(unsigned, int, unsigned)
CUDA_ON_HOST_MIN_MAX(long, long, long)
CUDA_ON_HOST_MIN_MAX(unsigned long, unsigned long, unsigned long)
CUDA_ON_HOST_MIN_MAX(long, unsigned long, unsigned long)
CUDA_ON_HOST_MIN_MAX(unsigned long, long, unsigned long)
CUDA_ON_HOST_MIN_MAX(long long, long long, long long)
CUDA_ON_HOST_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
CUDA_ON_HOST_MIN_MAX(long long, unsigned long long, unsigned long long)
CUDA_ON_HOST_MIN_MAX(unsigned long long, long long, unsigned long long)
#undef CUDA_ON_HOST_MIN_MAX
inline float min(float a, float b) { return std::fmin(a, b); }
inline float max(float a, float b) { return std::fmax(a, b); }
inline double min(double a, double b) { return std::fmin(a, b); }
inline double max(double a, double b) { return std::fmax(a, b); }
inline double min(float a, double b) { return std::fmin(static_cast<double>(a), b); }
inline double max(float a, double b) { return std::fmax(static_cast<double>(a), b); }
inline double min(double a, float b) { return std::fmin(a, static_cast<double>(b)); }
inline double max(double a, float b) { return std::fmax(a, static_cast<double>(b)); }
