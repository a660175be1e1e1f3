#pragma once

#include "tests/cuda_on_host/on_device.hpp"
#include "tests/cuda_on_host/twins.cuh"

#include <algorithm>
#include <cmath>
#include <numeric>

/// Each runs a kernel and says whether its result is right.
namespace corral::test {

inline std::vector<double> count_up(std::size_t count, double first = 1) {
  std::vector<double> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

template <Bug bug> bool turns_block() {
  DeviceArray<double> in(count_up(block_size)), out(std::size_t{block_size});
  check(CORRAL_LAUNCH(turn_block<bug>, 1, block_size, 0, nullptr, in.data(), out.data()));
  std::vector<double> expected = count_up(block_size);
  std::ranges::reverse(expected);
  return out.values() == expected;
}

template <Bug bug> bool rotates_warps() {
  DeviceArray<double> in(count_up(block_size)), out(std::size_t{block_size});
  check(CORRAL_LAUNCH(rotate_warps<bug>, 1, block_size, 0, nullptr, in.data(), out.data()));
  std::vector<double> expected = count_up(block_size);
  for (auto warp = expected.begin(); warp != expected.end(); warp += 32) std::rotate(warp, warp + 1, warp + 32);
  return out.values() == expected;
}

template <Bug bug> bool sums_warps() {
  DeviceArray<double> in(count_up(70)), out(std::size_t{3});
  check(CORRAL_LAUNCH(sum_warps<bug>, 1, block_size, 0, nullptr, 70, in.data(), out.data()));
  return out.values() == std::vector<double>{528, 1552, 405};
}

template <Bug bug> bool counts_values() {
  std::vector<int> values(1000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i < 700 ? 0 : static_cast<int>(i);
  DeviceArray<int> in(values), bins(std::vector<int>(4, 0));
  check(CORRAL_LAUNCH(count_values<bug>, 11, block_size, 0, nullptr, 1000, in.data(), bins.data()));
  return bins.values() == std::vector<int>{775, 75, 75, 75};
}

template <Bug bug> bool sums_blocks() {
  DeviceArray<double> in(count_up(20)), parts(std::size_t{20}), out(std::size_t{1});
  DeviceArray<unsigned> ended(std::vector<unsigned>{0});
  check(CORRAL_LAUNCH(sum_blocks<bug>, 20, 32, 0, nullptr, in.data(), parts.data(), ended.data(), out.data()));
  return out.values()[0] == 210;
}

template <Bug bug> bool shifts() {
  DeviceArray<double> in(count_up(100)), out(std::vector<double>(100, 0));
  check(CORRAL_LAUNCH(shift<bug>, 2, 64, 0, nullptr, 100, in.data(), out.data()));
  std::vector<double> expected = count_up(100, 2);
  expected.back() = 0;
  return out.values() == expected;
}

template <Bug bug> bool passes_on() {
  constexpr std::size_t copies = 7;
  DeviceArray<double> in(count_up(64 * copies)), out(64 * copies);
  check(CORRAL_LAUNCH(pass_on<bug>, 1, 64, 0, nullptr, int{copies}, in.data(), out.data()));
  return out.values() == count_up(64 * copies);
}

template <Bug bug> bool turns_words() {
  std::vector<int> numbers(224);
  std::iota(numbers.begin(), numbers.end(), 1);
  DeviceArray<int> in(numbers), out(numbers.size());
  check(CORRAL_LAUNCH(turn_words<bug>, 1, 32, 0, nullptr, in.data(), out.data()));
  std::reverse(numbers.begin(), numbers.begin() + 32);
  std::reverse(numbers.begin() + 32, numbers.begin() + 96);
  std::reverse(numbers.begin() + 96, numbers.end());
  return out.values() == numbers;
}

/// Numbers of which products and sums are rounded; their bits must be those of the fused chain.
template <Bug bug> bool multiplies_matrices() {
  const auto rough = [](std::size_t count, double seed) {
    std::vector<double> values = count_up(count, seed);
    for (double& value : values) value = std::sin(value) * std::exp(4 * std::cos(3 * value));
    return values;
  };
  const std::vector<double> a = rough(64, 1), b = rough(32, 100);
  std::vector<double> expected = rough(128, 200);
  DeviceArray<double> on_device_a(a), on_device_b(b), d(expected);
  for (std::size_t i = 0; i < 16; ++i)
    for (std::size_t j = 0; j < 8; ++j)
      for (std::size_t k = 0; k < 4; ++k)
        expected[8 * i + j] = std::fma(a[4 * i + k], b[8 * k + j], expected[8 * i + j]);
  check(CORRAL_LAUNCH(multiply_matrices<bug>, 1, 32, 0, nullptr, on_device_a.data(), on_device_b.data(), d.data()));
  return d.values() == expected;
}

/// One stream writes what another reads.
inline bool orders_streams(bool with_event) {
  DeviceArray<double> in(count_up(100)), between(std::vector<double>(100, 0)), out(std::vector<double>(100, 0));
  cudaStream_t first, second;
  cudaEvent_t written;
  check(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  check(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  check(cudaEventCreateWithFlags(&written, cudaEventDisableTiming));
  check(CORRAL_LAUNCH(shift<Bug::none>, 2, 64, 0, first, 100, in.data(), between.data()));
  check(cudaEventRecord(written, first));
  if (with_event) check(cudaStreamWaitEvent(second, written, 0));
  check(CORRAL_LAUNCH(shift<Bug::none>, 2, 64, 0, second, 100, between.data(), out.data()));
  check(cudaDeviceSynchronize());
  check(cudaStreamDestroy(first));
  check(cudaStreamDestroy(second));
  check(cudaEventDestroy(written));
  return out.values()[10] == 13;
}

/// The host reads what a stream copies, with or without waiting for it.
inline bool waits_for_copy(bool waiting) {
  DeviceArray<double> in(count_up(1));
  cudaStream_t stream;
  double* pinned;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  check(cudaMallocHost(&pinned, sizeof(double)));
  *pinned = 0;
  check(cudaMemcpyAsync(pinned, in.data(), sizeof(double), cudaMemcpyDeviceToHost, stream));
  if (waiting) check(cudaStreamSynchronize(stream));
  const bool right = *pinned == 1;
  check(cudaStreamDestroy(stream));
  check(cudaFreeHost(pinned));
  return right;
}

struct View {
  long long count;
  const double* values;
};

inline __global__ void first_of(View view, double* out) { *out = view.values[0]; }

inline bool reads_view(const double* values, DeviceArray<double>& out) {
  check(CORRAL_LAUNCH(first_of, 1, 1, 0, nullptr, View{1, values}, out.data()));
  return out.values()[0] == 1;
}

inline bool reads_from_device() {
  DeviceArray<double> in(count_up(1)), out(std::size_t{1});
  return reads_view(in.data(), out);
}

inline __global__ void fill_dynamic(int count, double* out) {
  CORRAL_SHARED(double, more, [1000]);
  CORRAL_DYNAMIC_SHARED(double, values);
  for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x)) values[i] = i;
  more[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) *out = values[count - 1] + more[0];
}

inline bool fills_shared(int count, bool allowed) {
  DeviceArray<double> out(std::size_t{1});
  const int bytes = count * static_cast<int>(sizeof(double));
  if (allowed) check(cudaFuncSetAttribute(fill_dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  check(CORRAL_LAUNCH(fill_dynamic, 1, 32, static_cast<std::size_t>(bytes), nullptr, count, out.data()));
  return out.values()[0] == count;
}

} // namespace corral::test
