// Memory of the runtime API: what it holds, whose it is, copies.
#include "tests/catch.hpp"
#include "tests/cuda_on_host/small_kernels.cuh"

#include <string>

using namespace corral::test;
using cuda_on_host::Configuration;
using cuda_on_host::ScopedConfiguration;

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

TEST_CASE("device memory can be opened to the host", "[cuda_on_host]") {
  const ScopedConfiguration scope(with([](Configuration& c) { c.protect = false; }));
  DeviceArray<int> array(std::vector<int>{7});
  CHECK(*array.data() == 7);
  cuda_on_host::finish();
  cudaGetLastError();
}
