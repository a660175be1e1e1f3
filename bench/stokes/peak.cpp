#include "bench/stokes/peak.hpp"

#include <corral/execution.hpp>

#include <array>
#include <atomic>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace corral::bench {
namespace {

constexpr int rounds = 1'000'000;
constexpr int chains = 12; ///< two units of four cycles need eight; with what is multiplied and added, 14 registers of 16

/// Makes a result wanted, so that the compiler can't leave it out.
void keep(double result) {
  static std::atomic<double> kept;
  kept.store(result, std::memory_order_relaxed);
}

constexpr double operations(int lanes) { return 2.0 * rounds * chains * lanes; }

#if defined(__x86_64__)
__attribute__((target("avx512f"))) double fused_512() {
  __m512d v[chains];
  for (int c = 0; c < chains; ++c) v[c] = _mm512_set1_pd(c);
  const __m512d times = _mm512_set1_pd(0.999), plus = _mm512_set1_pd(1);
  for (int r = 0; r < rounds; ++r)
    for (int c = 0; c < chains; ++c) v[c] = _mm512_fmadd_pd(v[c], times, plus);
  for (int c = 1; c < chains; ++c) v[0] = _mm512_add_pd(v[0], v[c]);
  keep(_mm512_cvtsd_f64(v[0]));
  return operations(8);
}
__attribute__((target("avx2,fma"))) double fused_256() {
  __m256d v[chains];
  for (int c = 0; c < chains; ++c) v[c] = _mm256_set1_pd(c);
  const __m256d times = _mm256_set1_pd(0.999), plus = _mm256_set1_pd(1);
  for (int r = 0; r < rounds; ++r)
    for (int c = 0; c < chains; ++c) v[c] = _mm256_fmadd_pd(v[c], times, plus);
  for (int c = 1; c < chains; ++c) v[0] = _mm256_add_pd(v[0], v[c]);
  keep(_mm256_cvtsd_f64(v[0]));
  return operations(4);
}
#endif

double plain() {
  constexpr int lanes = 2;
  std::array<double, lanes * chains> v{};
  for (int r = 0; r < rounds; ++r)
    for (double& x : v) x = x * 0.999 + 1;
  double sum = 0;
  for (const double x : v) sum += x;
  keep(sum);
  return operations(lanes);
}

} // namespace

double multiply_add_at_peak() {
#if defined(__x86_64__)
  if (instruction_set().starts_with("AVX3")) return fused_512();
  if (instruction_set() == "AVX2") return fused_256();
#endif
  return plain();
}

} // namespace corral::bench
