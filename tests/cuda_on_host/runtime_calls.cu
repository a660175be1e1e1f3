// Launches, the device, errors and settings of the runtime API.
#include "tests/catch.hpp"
#include "tests/cuda_on_host/small_kernels.cuh"

#include <string>

using namespace corral::test;
using cuda_on_host::Configuration;
using cuda_on_host::Order;
using cuda_on_host::ScopedConfiguration;

namespace {

__global__ void use_dynamic(int* out) {
  CORRAL_DYNAMIC_SHARED(int, mine);
  mine[threadIdx.x] = static_cast<int>(threadIdx.x);
  out[threadIdx.x] = mine[threadIdx.x];
}

} // namespace

TEST_CASE("a kernel changes an array", "[cuda_on_host]") {
  in_all_orders([] {
    DeviceArray<int> array(std::vector<int>(1000, 5));
    check(CORRAL_LAUNCH(add_number, 8, 128, 0, nullptr, array.data(), 1000, 2));
    CHECK(array.values() == std::vector<int>(1000, 7));
  });
  CHECK(CORRAL_LAUNCH(no_arguments, 1, 1, 0, nullptr) == cudaSuccess);
}

TEST_CASE("blocks are shared by several operating-system threads", "[cuda_on_host]") {
  const ScopedConfiguration scope(with([](Configuration& c) { c.workers = 3; }));
  DeviceArray<int> array(std::vector<int>(10000, 5));
  check(CORRAL_LAUNCH(add_number, 1000, 10, 0, nullptr, array.data(), 10000, 2));
  CHECK(array.values() == std::vector<int>(10000, 7));
}

TEST_CASE("launches are refused as on a device", "[cuda_on_host]") {
  DeviceArray<int> array(std::size_t{1024});
  const auto launch = [&](dim3 grid, dim3 block, std::size_t dynamic) {
    const cudaError_t error = CORRAL_LAUNCH(use_dynamic, grid, block, dynamic, nullptr, array.data());
    cudaDeviceSynchronize();
    return error;
  };
  CHECK(launch(1, 1024, 4096) == cudaSuccess);
  CHECK(launch(1, 1025, 4096) == cudaErrorInvalidConfiguration);
  CHECK(launch(0, 32, 4096) == cudaErrorInvalidConfiguration);
  CHECK(launch(dim3(1, 65536), 32, 4096) == cudaErrorInvalidConfiguration);
  CHECK(launch(1, dim3(1, 1, 65), 4096) == cudaErrorInvalidConfiguration);
  CHECK(launch(1, 32, 48 << 10) == cudaSuccess);
  CHECK(launch(1, 32, (48 << 10) + 1) == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  check(cudaFuncSetAttribute(use_dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10));
  CHECK(launch(1, 32, 100 << 10) == cudaSuccess);
  CHECK(launch(1, 32, (100 << 10) + 1) == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(use_dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 228 << 10) ==
        cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("the device says what it is", "[cuda_on_host]") {
  int value = -1;
  check(cudaGetDeviceCount(&value));
  CHECK(value == 1);
  check(cudaGetDevice(&value));
  CHECK(value == 0);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  CHECK(cudaSetDevice(1) == cudaErrorInvalidDevice);
  check(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, 0));
  CHECK(value == 9);
  check(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  CHECK(value == 227 * 1024);
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0));
  check(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
  CHECK(properties.multiProcessorCount == value);
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, add_number, 128, 0));
  CHECK(value == 16);
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, add_number, 128, 100 << 10));
  CHECK(value == 2);
  CHECK(std::string(cudaGetErrorName(cudaErrorNotReady)) == "cudaErrorNotReady");
  CHECK(std::string(cudaGetErrorString(cudaErrorMemoryAllocation)) == "out of memory");
  cudaGetLastError();
}

TEST_CASE("any call and any allocation can be made to fail", "[cuda_on_host]") {
  const auto work = [] {
    DeviceArray<int> a(std::vector<int>{1, 2, 3}), b(std::size_t{3});
    check(CORRAL_LAUNCH(add_number, 1, 3, 0, nullptr, a.data(), 3, 1));
    check(cudaMemcpy(b.data(), a.data(), 12, cudaMemcpyDeviceToDevice));
    const std::vector<int> values = b.values(); // may throw, which CHECK would report
    CHECK(values == std::vector<int>{2, 3, 4});
  };
  const std::size_t live = cuda_on_host::live_allocations().size();
  int calls = 0, allocations = 0;
  for (bool failed = true; failed; ++calls) {
    cuda_on_host::fail_call(static_cast<std::uint64_t>(calls));
    try {
      work();
    } catch (const std::runtime_error& error) {
      CHECK(std::string(error.what()) == "CUDA: cudaErrorUnknown");
    }
    failed = cuda_on_host::stop_failing();
    CHECK(cuda_on_host::live_allocations().size() == live);
  }
  for (bool failed = true; failed; ++allocations) {
    cuda_on_host::fail_allocation(static_cast<std::uint64_t>(allocations));
    try {
      work();
    } catch (const std::runtime_error& error) {
      CHECK(std::string(error.what()) == "CUDA: cudaErrorMemoryAllocation");
    }
    failed = cuda_on_host::stop_failing();
    CHECK(cuda_on_host::live_allocations().size() == live);
  }
  CHECK(calls - 1 == 6); // two allocations, two copies, a launch, a read
  CHECK(allocations - 1 == 2);
  cudaGetLastError();
}

TEST_CASE("a device that is lost answers no call any more", "[cuda_on_host]") {
  double* kept = nullptr;
  REQUIRE(cudaMalloc(&kept, sizeof *kept) == cudaSuccess);
  {
    Configuration lost = cuda_on_host::configuration();
    lost.lost_after = cuda_on_host::statistics().calls + 1;
    const cuda_on_host::ScopedConfiguration scope(lost);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int again = 0; again < 2; ++again) CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
    CHECK(cudaMemset(kept, 0, sizeof *kept) == cudaErrorLaunchFailure);
  }
  CHECK(cudaFree(kept) == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("the environment configures a whole run", "[cuda_on_host]") {
  const auto read = [](const char* name, const char* value) {
    setenv(name, value, 1);
    try {
      const Configuration made = cuda_on_host::configuration_from_environment();
      unsetenv(name);
      return made;
    } catch (...) {
      unsetenv(name);
      throw;
    }
  };
  CHECK(read("CORRAL_CUDA_ORDER", "reverse").order == Order::reverse);
  CHECK(read("CORRAL_CUDA_ORDER", "random:7").order == Order::random);
  CHECK(read("CORRAL_CUDA_ORDER", "random:7").seed == 7);
  CHECK(read("CORRAL_CUDA_WORKERS", "3").workers == 3);
  CHECK(read("CORRAL_CUDA_PREEMPT", "5").preempt == 5);
  CHECK(read("CORRAL_CUDA_DEVICES", "0").devices == 0);
  CHECK(read("CORRAL_CUDA_BYTES", "1000").device_bytes == 1000);
  CHECK(read("CORRAL_CUDA_LOST", "12").lost_after == 12);
  CHECK_FALSE(read("CORRAL_CUDA_SEARCH_STRUCTS", "0").search_structs);
  CHECK_FALSE(read("CORRAL_CUDA_STREAMS", "eager").deferred);
  CHECK(read("CORRAL_CUDA_STREAMS", "deferred").deferred);
  CHECK_THROWS_AS(read("CORRAL_CUDA_ORDER", "backwards"), std::invalid_argument);
  CHECK_THROWS_AS(read("CORRAL_CUDA_ORDER", "random:x"), std::invalid_argument);
  CHECK_THROWS_AS(read("CORRAL_CUDA_WORKERS", "-1"), std::invalid_argument);
  CHECK_THROWS_AS(read("CORRAL_CUDA_STREAMS", ""), std::invalid_argument);
}
