// Memory, streams, events, errors of the runtime API.
#include "tests/catch.hpp"
#include "tests/cuda_on_host/on_device.hpp"

#include <string>

using namespace corral::test;
using cuda_on_host::Configuration;
using cuda_on_host::Error;
using cuda_on_host::Order;
using cuda_on_host::ScopedConfiguration;

namespace {

__global__ void add_number(int* values, int count, int number) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) values[i] += number;
}

__global__ void copy_value(const int* from, int* to) { *to = *from; }

__global__ void use_dynamic(int* out) {
  CORRAL_DYNAMIC_SHARED(int, mine);
  mine[threadIdx.x] = static_cast<int>(threadIdx.x);
  out[threadIdx.x] = mine[threadIdx.x];
}

__global__ void no_arguments() {}

Configuration with(auto change) {
  Configuration configuration = cuda_on_host::configuration();
  change(configuration);
  return configuration;
}

cudaStream_t new_stream(unsigned flags = cudaStreamNonBlocking) {
  cudaStream_t stream;
  check(cudaStreamCreateWithFlags(&stream, flags));
  return stream;
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

TEST_CASE("memory is NaN or -1 when it is allocated, and counted until it is freed", "[cuda_on_host]") {
  const std::size_t before = cuda_on_host::live_allocations().size();
  {
    DeviceArray<int> array(std::size_t{3});
    CHECK(array.values() == std::vector<int>(3, -1));
    const auto live = cuda_on_host::live_allocations();
    REQUIRE(live.size() == before + 1);
    CHECK(live.back().bytes == 12);
    CHECK(std::string(live.back().where.file_name()).ends_with("on_device.hpp"));
  }
  CHECK(cuda_on_host::live_allocations().size() == before);
}

TEST_CASE("memory ends where the device's does", "[cuda_on_host]") {
  const ScopedConfiguration scope(with([](Configuration& c) { c.device_bytes = 1 << 20; }));
  void* half;
  void* rest = nullptr;
  check(cudaMalloc(&half, 1 << 19));
  CHECK(cudaMalloc(&rest, (1 << 19) + 1) == cudaErrorMemoryAllocation);
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
  CHECK(cudaGetLastError() == cudaSuccess);
  std::size_t free, total;
  check(cudaMemGetInfo(&free, &total));
  CHECK(free == 1 << 19);
  CHECK(total == 1 << 20);
  check(cudaMalloc(&rest, 1 << 19));
  CHECK(cudaFree(half) == cudaSuccess);
  CHECK(cudaFree(rest) == cudaSuccess);
  CHECK(cudaFree(rest) == cudaErrorInvalidValue);
  CHECK(cudaFree(nullptr) == cudaSuccess);
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}

TEST_CASE("copies are refused where direction or length is wrong", "[cuda_on_host]") {
  DeviceArray<int> a(std::vector<int>{1, 2, 3}), b(std::size_t{3});
  int host[4] = {7, 7, 7, 7};
  CHECK(cudaMemcpy(b.data(), a.data(), 12, cudaMemcpyDeviceToDevice) == cudaSuccess);
  CHECK(b.values() == std::vector<int>{1, 2, 3});
  CHECK(cudaMemset(b.data() + 1, 0, 4) == cudaSuccess);
  CHECK(b.values() == std::vector<int>{1, 0, 3});
  CHECK(cudaMemcpy(host, b.data(), 12, cudaMemcpyDefault) == cudaSuccess);
  CHECK(host[2] == 3);
  CHECK(cudaMemcpy(host, a.data(), 12, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(a.data(), host, 12, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(host, a.data(), 16, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(a.data() + 2, host, 8, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemset(host, 0, 4) == cudaErrorInvalidValue);
  CHECK(host[3] == 7);
  cudaGetLastError();
}

TEST_CASE("pointers say whose they are", "[cuda_on_host]") {
  const auto type = [](const void* p) {
    cudaPointerAttributes attributes;
    check(cudaPointerGetAttributes(&attributes, p));
    return attributes.type;
  };
  DeviceArray<int> array(std::size_t{3});
  int *pinned, ordinary = 0;
  check(cudaMallocHost(&pinned, 12));
  CHECK(type(array.data() + 2) == cudaMemoryTypeDevice);
  CHECK(type(array.data() + 3) == cudaMemoryTypeUnregistered);
  CHECK(type(pinned + 2) == cudaMemoryTypeHost);
  CHECK(type(&ordinary) == cudaMemoryTypeUnregistered);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
  CHECK(type(pinned) == cudaMemoryTypeUnregistered);
}

TEST_CASE("work waits in its stream until something waits for it", "[cuda_on_host]") {
  const ScopedConfiguration scope(with([](Configuration& c) { c.deferred = true; }));
  const cudaStream_t stream = new_stream();
  int* pinned;
  check(cudaMallocHost(&pinned, 4));
  *pinned = 1;
  DeviceArray<int> array(std::size_t{1});
  check(cudaMemcpyAsync(array.data(), pinned, 4, cudaMemcpyHostToDevice, stream));
#ifndef __SANITIZE_THREAD__ // which would report it
  *pinned = 2;              // too early: the copy has not been made
#endif
  check(CORRAL_LAUNCH(add_number, 1, 1, 0, stream, array.data(), 1, 10));
  check(cudaMemcpyAsync(pinned, array.data(), 4, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamQuery(stream) == cudaErrorNotReady);
  CHECK(cudaStreamQuery(stream) == cudaErrorNotReady);
  CHECK(cudaStreamQuery(stream) == cudaSuccess);
#ifndef __SANITIZE_THREAD__
  CHECK(*pinned == 12);
#endif

  // What is pageable may be overwritten at once, and is complete when the call returns.
  int pageable = 5;
  check(cudaMemcpyAsync(array.data(), &pageable, 4, cudaMemcpyHostToDevice, stream));
  pageable = 6;
  check(cudaMemcpyAsync(&pageable, array.data(), 4, cudaMemcpyDeviceToHost, stream));
  CHECK(pageable == 5);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamSynchronize(stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("eager streams run at once", "[cuda_on_host]") {
  const ScopedConfiguration scope(with([](Configuration& c) { c.deferred = false; }));
  const cudaStream_t stream = new_stream();
  int done = 0;
  for (int i = 0; i < 3; ++i)
    check(cudaLaunchHostFunc(
        stream, [](void* p) { ++*static_cast<int*>(p); }, &done));
  CHECK(cudaStreamQuery(stream) == cudaSuccess);
  CHECK(done == 3);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

TEST_CASE("events order streams", "[cuda_on_host]") {
  in_all_orders([] {
    DeviceArray<int> a(std::vector<int>{1}), b(std::vector<int>{0});
    const cudaStream_t first = new_stream(), second = new_stream();
    cudaEvent_t before, after, last;
    for (cudaEvent_t* event : {&before, &after, &last}) check(cudaEventCreate(event));
    check(cudaEventRecord(before, first));
    check(CORRAL_LAUNCH(add_number, 1, 1, 0, first, a.data(), 1, 10));
    check(cudaEventRecord(after, first));
    check(CORRAL_LAUNCH(no_arguments, 1, 1, 0, first));
    check(cudaEventRecord(last, first));
    check(cudaStreamWaitEvent(second, after));
    check(CORRAL_LAUNCH(copy_value, 1, 1, 0, second, a.data(), b.data()));
    const bool deferred = cuda_on_host::configuration().deferred;
    float milliseconds = -1;
    CHECK(cudaEventElapsedTime(&milliseconds, before, after) == (deferred ? cudaErrorNotReady : cudaSuccess));
    check(cudaStreamSynchronize(second)); // runs what the event needs, and no more
    CHECK(b.values() == std::vector<int>{11});
    CHECK(cudaEventQuery(after) == cudaSuccess);
    CHECK(cudaEventQuery(last) == (deferred ? cudaErrorNotReady : cudaSuccess));
    check(cudaEventSynchronize(last));
    CHECK(cudaEventElapsedTime(&milliseconds, before, last) == cudaSuccess);
    CHECK(milliseconds >= 0);
    check(cudaDeviceSynchronize());
    CHECK(a.values() == std::vector<int>{11});
    for (const cudaEvent_t event : {before, after, last}) CHECK(cudaEventDestroy(event) == cudaSuccess);
    CHECK(cudaStreamDestroy(first) == cudaSuccess);
    CHECK(cudaStreamDestroy(second) == cudaSuccess);
  });
}

TEST_CASE("the default stream and blocking streams wait for each other", "[cuda_on_host]") {
  in_all_orders([] {
    DeviceArray<int> a(std::vector<int>{1}), b(std::vector<int>{0});
    const cudaStream_t blocking = new_stream(cudaStreamDefault), other = new_stream(cudaStreamDefault);
    check(CORRAL_LAUNCH(add_number, 1, 1, 0, blocking, a.data(), 1, 10));
    check(CORRAL_LAUNCH(copy_value, 1, 1, 0, nullptr, a.data(), b.data()));
    check(CORRAL_LAUNCH(add_number, 1, 1, 0, other, b.data(), 1, 100));
    check(cudaStreamSynchronize(other));
    CHECK(b.values() == std::vector<int>{111});
    CHECK(cudaStreamDestroy(blocking) == cudaSuccess);
    CHECK(cudaStreamDestroy(other) == cudaSuccess);
  });
}

TEST_CASE("memory is allocated and freed in a stream's order", "[cuda_on_host]") {
  const std::size_t before = cuda_on_host::live_allocations().size();
  DeviceArray<int> kept(std::size_t{1});
  const cudaStream_t stream = new_stream();
  int* shortly;
  check(cudaMallocAsync(&shortly, 4, stream));
  check(cudaMemsetAsync(shortly, 0, 4, stream));
  check(CORRAL_LAUNCH(add_number, 1, 1, 0, stream, shortly, 1, 3));
  check(CORRAL_LAUNCH(copy_value, 1, 1, 0, stream, shortly, kept.data()));
  check(cudaFreeAsync(shortly, stream));
  check(cudaStreamSynchronize(stream));
  CHECK(kept.values() == std::vector<int>{3});
  CHECK(cuda_on_host::live_allocations().size() == before + 1);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
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

namespace {
__global__ void throw_exception() { throw std::runtime_error("of my own"); }
} // namespace

TEST_CASE("what is found while memory is freed is thrown later", "[cuda_on_host]") {
  const ScopedConfiguration scope(with([](Configuration& c) { c.deferred = true; }));
  int* p;
  check(cudaMalloc(&p, 4));
  check(CORRAL_LAUNCH(throw_exception, 1, 1, 0, nullptr));
  CHECK(cudaFree(p) == cudaErrorLaunchFailure); // runs the kernel, and must not throw
  CHECK_THROWS_WITH(cuda_on_host::finish(), Catch::Contains("threw of my own"));
  check(CORRAL_LAUNCH(throw_exception, 1, 1, 0, nullptr));
  CHECK(cudaFree(p) == cudaErrorLaunchFailure);
  CHECK_THROWS_WITH(cudaDeviceSynchronize(), Catch::Contains("threw of my own"));
  CHECK(cudaFree(p) == cudaSuccess);
  cuda_on_host::finish();
  cudaGetLastError();
}

TEST_CASE("after an error, work that was queued is dropped, but memory is freed", "[cuda_on_host]") {
  const ScopedConfiguration scope(with([](Configuration& c) { c.deferred = true; }));
  const std::size_t before = cuda_on_host::live_allocations().size();
  int *first, done = 0;
  check(cudaMallocAsync(&first, 4, nullptr));
  check(CORRAL_LAUNCH(throw_exception, 1, 1, 0, nullptr));
  check(cudaLaunchHostFunc(nullptr, [](void* p) { ++*static_cast<int*>(p); }, &done));
  check(cudaFreeAsync(first, nullptr));
  CHECK_THROWS_AS(cudaDeviceSynchronize(), Error);
  CHECK(cuda_on_host::live_allocations().size() == before);
  check(cudaDeviceSynchronize());
  CHECK(done == 0);

  check(cudaLaunchHostFunc(nullptr, [](void* p) { ++*static_cast<int*>(p); }, &done));
  cuda_on_host::forget_queued_work();
  check(cudaDeviceSynchronize());
  CHECK(done == 0);
}

TEST_CASE("device memory can be opened to the host", "[cuda_on_host]") {
  const ScopedConfiguration scope(with([](Configuration& c) { c.protect = false; }));
  DeviceArray<int> array(std::vector<int>{7});
  CHECK(*array.data() == 7);
  cuda_on_host::finish();
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
  CHECK_FALSE(read("CORRAL_CUDA_STREAMS", "eager").deferred);
  CHECK(read("CORRAL_CUDA_STREAMS", "deferred").deferred);
  CHECK_THROWS_AS(read("CORRAL_CUDA_ORDER", "backwards"), std::invalid_argument);
  CHECK_THROWS_AS(read("CORRAL_CUDA_ORDER", "random:x"), std::invalid_argument);
  CHECK_THROWS_AS(read("CORRAL_CUDA_WORKERS", "-1"), std::invalid_argument);
  CHECK_THROWS_AS(read("CORRAL_CUDA_STREAMS", ""), std::invalid_argument);
}
