#include "bench/device/device.hpp"

#include "engine/gpu/device.cuh"

#include <algorithm>

namespace corral::bench {

using gpu::check;

namespace {

constexpr int threads = 256, warp = 32, blocks_per_multiprocessor = 8; // all that a multiprocessor holds

unsigned stream_blocks() {
  int device = 0, multiprocessors = 0;
  check(cudaGetDevice(&device), "a look at the device");
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), "a look at the device");
  return static_cast<unsigned>(multiprocessors * blocks_per_multiprocessor);
}

template <class T> struct Columns {
  const T* data[6];
};

template <class T>
__global__ void __launch_bounds__(threads, blocks_per_multiprocessor)
    read_columns_global(Columns<T> columns, std::int64_t n, T* sums) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  T sum = 0;
#pragma unroll 1 // more would take registers, and with them threads
  for (std::int64_t i = gpu::thread_number(); i < n; i += step)
#pragma unroll
    for (int c = 0; c < 6; ++c) sum += columns.data[c][i];
  for (int lanes = warp / 2; lanes > 0; lanes >>= 1) sum += __shfl_down_sync(~0u, sum, lanes);
  if (threadIdx.x % warp == 0) sums[gpu::thread_number() / warp] = sum;
}

class Event {
public:
  Event() { check(cudaEventCreate(&event_), "making an event"); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  operator cudaEvent_t() const { return event_; }

private:
  cudaEvent_t event_ = nullptr;
};

} // namespace

void require_device() {
  int devices = 0;
  cudaError_t status = cudaGetDeviceCount(&devices);
  if (status == cudaSuccess && devices > 0) return;
  (void)cudaGetLastError(); // it would be reported again
  throw Error("a benchmark on the GPU (no CUDA device answers here" +
              (status == cudaSuccess ? "" : ": " + std::string(cudaGetErrorString(status))) + ") take --backend cpu");
}

bool device_works() {
  const cudaError_t status = cudaDeviceSynchronize();
  return cudaGetLastError() == cudaSuccess && status == cudaSuccess;
}

std::string device_name() {
  int device = 0;
  cudaDeviceProp properties;
  check(cudaGetDevice(&device), "a look at the device");
  check(cudaGetDeviceProperties(&properties, device), "a look at the device");
  std::string name = properties.name;
  std::erase_if(name, [](char c) { return c == '"' || c == '\\' || c < ' '; }); // it goes into JSON
  return name;
}

double seconds_on_device(const std::function<void()>& work) {
  const Event begin, end;
  check(cudaEventRecord(begin), "an event");
  work();
  check(cudaEventRecord(end), "an event");
  check(cudaEventSynchronize(end), "a benchmark");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin, end), "taking the time");
  constexpr double resolution = 0.5e-6; // [s]; nothing is reported as briefer
  return std::max(1e-3 * static_cast<double>(milliseconds), resolution);
}

std::int64_t stream_sums() { return std::int64_t{stream_blocks()} * threads / warp; }

template <class T>
void read_columns_on_device(const std::array<const T*, 6>& columns, std::int64_t n, T* sums) {
  Columns<T> all{};
  std::copy(columns.begin(), columns.end(), all.data);
  check(CORRAL_LAUNCH((read_columns_global<T>), stream_blocks(), threads, 0, nullptr, all, n, sums),
        "reading the stream");
}
template void read_columns_on_device(const std::array<const float*, 6>&, std::int64_t, float*);
template void read_columns_on_device(const std::array<const double*, 6>&, std::int64_t, double*);

} // namespace corral::bench
