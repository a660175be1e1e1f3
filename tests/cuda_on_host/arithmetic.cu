// Bits, maths, atomics: each against values counted by hand.
#include "tests/catch.hpp"
#include "tests/cuda_on_host/on_device.hpp"

#include <climits>
#include <cmath>
#include <limits>

using corral::test::check;
using corral::test::DeviceArray;
using corral::test::in_all_orders;
using corral::test::per_thread;

TEST_CASE("bits are counted, found and reversed", "[cuda_on_host]") {
  CHECK(__popc(0xf0f00001u) == 9);
  CHECK(__popcll(0xf0f00001f0000000ull) == 13);
  CHECK(__ffs(0) == 0);
  CHECK(__ffs(0x50) == 5);
  CHECK(__ffs(INT_MIN) == 32);
  CHECK(__ffsll(1ll << 40) == 41);
  CHECK(__ffsll(0) == 0);
  CHECK(__clz(0) == 32);
  CHECK(__clz(-1) == 0);
  CHECK(__clz(0x50) == 25);
  CHECK(__clzll(1ll << 40) == 23);
  CHECK(__clzll(0) == 64);
  CHECK(__brev(0x00000005u) == 0xa0000000u);
  CHECK(__brevll(6ull) == 0x6000000000000000ull);
  CHECK(__umulhi(0x80000000u, 6u) == 3u);
  CHECK(__mulhi(-2, INT_MAX) == -1);
  CHECK(__umul64hi(1ull << 63, 6ull) == 3ull);
  CHECK(__double_as_longlong(1.0) == 0x3ff0000000000000ll);
  CHECK(__longlong_as_double(0x4000000000000000ll) == 2.0);
  CHECK(__float_as_int(1.0f) == 0x3f800000);
  CHECK(__float_as_uint(-0.0f) == 0x80000000u);
  CHECK(__int_as_float(0x40000000) == 2.0f);
  CHECK(__uint_as_float(0x40400000u) == 3.0f);
}

TEST_CASE("device maths", "[cuda_on_host]") {
  const double above_one = 1.0 + std::ldexp(1.0, -30);
  CHECK(__fma_rn(above_one, above_one, -1.0) == fma(above_one, above_one, -1.0));
  CHECK(__fma_rn(above_one, above_one, -1.0) != above_one * above_one - 1.0); // rounded once
  CHECK(__dadd_rn(__dmul_rn(above_one, above_one), -1.0) == above_one * above_one - 1.0);
  CHECK(__dsub_rn(3, 5) == -2);
  CHECK(__ddiv_rn(1, 4) == 0.25);
  CHECK(__dsqrt_rn(9) == 3);
  CHECK(__fmaf_rn(2, 3, 4) == 10);
  CHECK(__fmul_rn(2, 3) == 6);
  CHECK(rsqrt(4.0) == 0.5);
  CHECK(rsqrtf(16.0f) == 0.25f);
  CHECK(__double2int_rd(-0.5) == -1);
  CHECK(__double2int_rz(-0.5) == 0);
  CHECK(__double2int_rn(2.5) == 2);
  CHECK(__double2ll_rd(-3e10 - 0.5) == -30000000001ll);
  CHECK(__float2int_rd(-1.5f) == -2);

  const double quarter_sines[8] = {0, 1, 0, -1, 0, 1, 0, -1};
  for (int quarter = 0; quarter < 7; ++quarter) { // exact at multiples of 1/2, also far away
    double sine, cosine;
    for (const double far : {0.0, -40.0, 1e9}) {
      sincospi(far + quarter / 2.0, &sine, &cosine);
      CHECK(sine == quarter_sines[quarter]);
      CHECK(cosine == quarter_sines[quarter + 1]);
      CHECK(cospi(far + quarter / 2.0) == cosine);
    }
  }
  CHECK(std::abs(cospi(1.0 / 3.0) - 0.5) < 1e-15);
  CHECK(std::abs(sinpi(-1.0 / 6.0) + 0.5) < 1e-15);
  CHECK(cospif(1.0f) == -1.0f);
}

TEST_CASE("min and max convert as CUDA's do", "[cuda_on_host]") {
  CHECK(min(-1, 1) == -1);
  CHECK(min(-1, 1u) == 1u); // unsigned wins
  CHECK(max(2ll, -3ll) == 2ll);
  CHECK(max(2u, 3u) == 3u);
  CHECK(min(1.5, 2.5f) == 1.5);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(min(nan, 1.0) == 1.0);
  CHECK(max(1.0, nan) == 1.0);
}

TEST_CASE("loads and stores with hints", "[cuda_on_host]") {
  double from = 1.5, to = 0;
  __stcs(&to, __ldg(&from));
  CHECK(to == 1.5);
  __stcg(&to, __ldcs(&from) + __ldcg(&from));
  CHECK(to == 3.0);
}

TEST_CASE("vectors have CUDA's alignments", "[cuda_on_host]") {
  CHECK(alignof(double2) == 16);
  CHECK(alignof(double3) == 8);
  CHECK(sizeof(double3) == 24);
  CHECK(alignof(float4) == 16);
  CHECK(alignof(float3) == 4);
  CHECK(alignof(int2) == 8);
  CHECK(alignof(longlong2) == 16);
  CHECK(make_double3(1, 2, 3).z == 3);
  CHECK(dim3(4).y == 1);
}

namespace {

/// What 3 x 64 threads that each do `change(number)` to a cell holding `start` leave there, and the sum of what they
/// found in it before.
template <class T> struct Changed {
  T left;
  long long found;
  bool operator==(const Changed&) const = default;
};

template <class T, class Change> Changed<T> changed(T start, Change change) {
  Changed<T> result{};
  bool first = true;
  in_all_orders([&] {
    cuda_on_host::Configuration yielding = cuda_on_host::configuration();
    yielding.preempt = 2;
    const cuda_on_host::ScopedConfiguration scope(yielding);
    DeviceArray<T> cell(std::vector<T>{start});
    DeviceArray<long long> found(std::size_t{192});
    const auto body = [p = cell.data(), to = found.data(), change] {
      const unsigned number = blockIdx.x * 64 + threadIdx.x;
      to[number] = static_cast<long long>(change(p, static_cast<int>(number)));
    };
    check(CORRAL_LAUNCH((corral::test::call_body<std::remove_const_t<decltype(body)>>), 3, 64, 0, nullptr, body));
    Changed<T> now{cell.values()[0], 0};
    for (const long long each : found.values()) now.found += each;
    if (!first && !(now == result)) throw std::runtime_error("the order of threads changes the result");
    result = now;
    first = false;
  });
  return result;
}

} // namespace

TEST_CASE("atomics lose nothing, and return what was there", "[cuda_on_host]") {
  // 0 + ... + 191 = 18336
  CHECK(changed<int>(5, [](int* p, int) { return atomicAdd(p, 2); }) == Changed<int>{389, 192 * 5 + 2 * 18336});
  CHECK(changed<unsigned>(5, [](unsigned* p, int) { return atomicAdd(p, 2u); }) ==
        Changed<unsigned>{389, 192 * 5 + 2 * 18336});
  CHECK(changed<unsigned long long>(1ull << 40, [](unsigned long long* p, int) { return atomicAdd(p, 1ull) >> 40; }) ==
        Changed<unsigned long long>{(1ull << 40) + 192, 192});
  CHECK(changed<double>(0.5, [](double* p, int) { return atomicAdd(p, 1.0) - 0.5; }) == Changed<double>{192.5, 18336});
  CHECK(changed<float>(0.5f, [](float* p, int) { return atomicAdd(p, 1.0f) - 0.5f; }) == Changed<float>{192.5f, 18336});
  CHECK(changed<int>(500, [](int* p, int) { return atomicSub(p, 2); }) == Changed<int>{116, 192 * 500 - 2 * 18336});
  CHECK(changed<int>(7, [](int* p, int i) { return atomicMin(p, i - 50), 0; }).left == -50);
  CHECK(changed<unsigned>(7, [](unsigned* p, int i) { return atomicMax(p, unsigned(i)), 0; }).left == 191u);
  CHECK(changed<long long>(7, [](long long* p, int i) { return atomicMin(p, -1ll - i), 0; }).left == -192);
  CHECK(changed<unsigned>(1, [](unsigned* p, int i) { return atomicOr(p, 1u << (i % 20)), 0; }).left == 0xfffffu);
  CHECK(changed<unsigned>(~0u, [](unsigned* p, int i) { return atomicAnd(p, ~(1u << i % 20)), 0; }).left == ~0xfffffu);
  CHECK(changed<unsigned>(0, [](unsigned* p, int i) { return atomicXor(p, 1u << i % 32), 0; }).left == 0u);
  CHECK(changed<unsigned>(0, [](unsigned* p, int) { return atomicInc(p, 9u), 0; }).left == 192u % 10);
  CHECK(changed<unsigned>(0, [](unsigned* p, int) { return atomicDec(p, 9u), 0; }).left == (10 - 192 % 10) % 10u);
  // Exactly one thread turns 0 into 1.
  CHECK(changed<int>(0, [](int* p, int) { return atomicCAS(p, 0, 1) == 0; }) == Changed<int>{1, 1});
  CHECK(changed<int>(0, [](int* p, int) { return atomicExch(p, 1) == 0; }) == Changed<int>{1, 1});
}
