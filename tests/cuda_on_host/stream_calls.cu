// Streams and events of the runtime API: when work runs, and what becomes of it after an error.
#include "tests/catch.hpp"
#include "tests/cuda_on_host/small_kernels.cuh"

#include <unistd.h>

using namespace corral::test;
using cuda_on_host::Configuration;
using cuda_on_host::Error;
using cuda_on_host::ScopedConfiguration;

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

TEST_CASE("device memory is closed to code of the host that a stream runs between kernels", "[cuda_on_host]") {
  if (!cuda_on_host::configuration().protect) return;
  struct Look {
    const int* device;
    int pipe[2];
    bool readable;
    static void look(void* p) {
      Look& l = *static_cast<Look*>(p);
      l.readable = write(l.pipe[1], l.device, sizeof *l.device) >= 0; // the system says so of memory that is not
    }
  };
  DeviceArray<int> a(std::vector<int>{1});
  Look between{a.data(), {}, true};
  REQUIRE(pipe(between.pipe) == 0);
  const cudaStream_t stream = new_stream();
  check(CORRAL_LAUNCH(add_number, 1, 1, 0, stream, a.data(), 1, 10));
  check(cudaLaunchHostFunc(stream, &Look::look, &between));
  check(CORRAL_LAUNCH(add_number, 1, 1, 0, stream, a.data(), 1, 10));
  check(cudaStreamSynchronize(stream));
  CHECK_FALSE(between.readable);
  CHECK(a.values() == std::vector<int>{21});
  for (const int end : between.pipe) close(end);
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

namespace {
__global__ void throw_exception() { throw std::runtime_error("of my own"); }
} // namespace

TEST_CASE("what is found while memory is freed is thrown later", "[cuda_on_host]") {
  const ScopedConfiguration scope(with([](Configuration& c) { c.deferred = true; }));
  int* p;
  check(cudaMalloc(&p, 4));
  check(CORRAL_LAUNCH(throw_exception, 1, 1, 0, nullptr));
  CHECK(cudaFree(p) == cudaErrorLaunchFailure); // runs the kernel, and must not throw
  CHECK_THROWS_WITH(cuda_on_host::finish(), Catch::Matchers::ContainsSubstring("threw of my own"));
  check(CORRAL_LAUNCH(throw_exception, 1, 1, 0, nullptr));
  CHECK(cudaFree(p) == cudaErrorLaunchFailure);
  CHECK_THROWS_WITH(cudaDeviceSynchronize(), Catch::Matchers::ContainsSubstring("threw of my own"));
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
