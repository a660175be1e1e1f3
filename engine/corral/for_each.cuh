#pragma once

/// `for_each`, `accumulate`, `reduce`, `sum`, `maximum`, `histogram` and `select` on a CUDA device, for `.cu` files: the calls of
/// <corral/for_each.hpp> with `Gpu` in place of `Cpu`. Functions are objects that a device calls, or lambdas marked
/// CORRAL_BODY, with device pointers inside.

#include <corral/array.hpp>
#include <corral/device_code.cuh>
#include <corral/execution.hpp>
#include <corral/for_each.hpp>
#include <corral/host_device.hpp>
#include <corral/memory.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace corral {

namespace detail {

/// Device memory for `size` values, unset, in order on a stream: scratch of one call.
template <class T> class StreamMemory {
public:
  StreamMemory(cudaStream_t stream, std::int64_t size)
      : stream_(stream), bytes_(static_cast<std::size_t>(size) * sizeof(T)),
        data_(static_cast<T*>(take_memory_on(stream, bytes_))) {}
  ~StreamMemory() {
    try {
      give_back_memory_on(stream_, data_, bytes_);
    } catch (const Error&) { // the stream has failed, and others say so
    }
  }
  StreamMemory(const StreamMemory&) = delete;
  StreamMemory& operator=(const StreamMemory&) = delete;

  T* data() const { return data_; }
  /// Copies values [first, first + size) to the host, and waits for the stream.
  void copy_to(T* host, std::int64_t first, std::int64_t size, const char* what) const {
    const std::size_t bytes = static_cast<std::size_t>(size) * sizeof(T);
    check_cuda(cudaMemcpyAsync(host, data_ + first, bytes, cudaMemcpyDeviceToHost, stream_), what);
    check_cuda(cudaStreamSynchronize(stream_), what);
  }

private:
  cudaStream_t stream_;
  std::size_t bytes_;
  T* data_;
};

inline constexpr int threads_per_block = 256;
inline constexpr std::int64_t most_blocks = 1 << 16;

template <class F> __global__ void for_each_global(std::int64_t n, F f) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) f(i);
}

/// Threads of a block whose sums fit into the shared memory that every launch may ask for, 48 KB.
template <class R> constexpr int threads_that_sum() {
  static_assert(sizeof(R) <= 1536 && alignof(R) <= 16, "a sum is at most 1536 bytes, aligned to 16");
  int threads = threads_per_block;
  while (threads * sizeof(R) > 48 * 1024) threads /= 2;
  return threads;
}

/// sums[b] = the sum of the b-th `share` of the indices: each thread adds up every blockDim.x-th of them, so that
/// neighbours read neighbours, and the block combines pairs. What is added to what depends on n alone.
template <class R, class Add, class Combine>
__global__ void accumulate_global(std::int64_t n, std::int64_t share, R identity, Add add, Combine combine, R* sums) {
  CORRAL_DYNAMIC_SHARED(R, part);
  const auto t = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  const std::int64_t begin = blockIdx.x * share, end = begin + share < n ? begin + share : n;
  R sum = identity;
  for (std::int64_t i = begin + t; i < end; i += threads) add(i, sum);
  part[t] = sum;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) combine(part[t], part[t + half]);
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

/// add(i, sum) for sums that are there already.
template <class R, class Combine> struct CombineSums {
  const R* sums;
  Combine combine;
  CORRAL_HOST_DEVICE void operator()(std::int64_t i, R& sum) const { combine(sum, sums[i]); }
};

/// add(i, sum) for values that are combined.
template <class R, class Map, class Combine> struct CombineMapped {
  Map map;
  Combine combine;
  CORRAL_HOST_DEVICE void operator()(std::int64_t i, R& sum) const { combine(sum, map(i)); }
};

struct Larger {
  CORRAL_HOST_DEVICE void operator()(double& a, double b) const { a = a >= b || a != a ? a : b; }
};

inline constexpr int most_device_bins = 12'288; ///< whose counters fit into the shared memory of any block, 48 KB

/// A block counts in its own counters, and then adds them up: whole numbers, so that no order shows.
template <class Bin>
__global__ void histogram_global(std::int64_t n, std::int64_t share, int bins, Bin bin, unsigned long long* counts) {
  CORRAL_DYNAMIC_SHARED(unsigned, own);
  const auto t = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  for (int b = t; b < bins; b += threads) own[b] = 0;
  __syncthreads();
  const std::int64_t begin = blockIdx.x * share, end = begin + share < n ? begin + share : n;
  for (std::int64_t i = begin + t; i < end; i += threads)
    if (const int b = bin(i); b >= 0) atomicAdd(own + b, 1u);
  __syncthreads();
  for (int b = t; b < bins; b += threads)
    if (own[b] > 0) atomicAdd(counts + b, static_cast<unsigned long long>(own[b]));
}

/// values[i] = the sum of those before it, in place, in order on a stream.
CORRAL_PUBLIC void exclusive_sum(cudaStream_t stream, std::int64_t* values, std::int64_t size);

template <class Keep> struct CountKept {
  Keep keep;
  std::int64_t n;
  std::int64_t* counts;
  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const { counts[i] = i < n && keep(i) ? 1 : 0; }
};

template <class Keep> struct WriteKept {
  Keep keep;
  const std::int64_t* at;
  std::int64_t* places;
  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const {
    if (keep(i)) places[at[i]] = i;
  }
};

inline unsigned blocks_for(std::int64_t threads) {
  const std::int64_t blocks = (threads + threads_per_block - 1) / threads_per_block;
  return static_cast<unsigned>(blocks < most_blocks ? blocks : most_blocks);
}

} // namespace detail

/// Calls f(i) for i in [0, n), in any order; returns before the work is done, as the stream does.
template <class F> void for_each(Gpu gpu, std::int64_t n, F f) {
  if (n <= 0) return;
  detail::check_cuda(CORRAL_LAUNCH((detail::for_each_global<F>), detail::blocks_for(n), detail::threads_per_block, 0,
                                   gpu.stream, n, f),
                     "for_each");
}

/// Lets add(i, sum) add index i to a running sum, for i in [0, n), which begins with `identity`, and combines the sums:
/// in an order that n alone decides, though not the CPU's. combine(a, b) adds b to a in place: nvcc 13.0 has lost running
/// values of 1200 bytes that were returned. It gives what combine(b, a) would, since neighbours go into different sums. R is
/// trivially copyable, at most 1536 bytes.
/// Takes memory from the engine's pool for a moment, and waits for the stream.
template <class R, class Add, class Combine>
R accumulate(Gpu gpu, std::int64_t n, R identity, Add add, Combine combine) {
  static_assert(std::is_trivially_copyable_v<R>, "sums are copied from the device as bytes");
  constexpr int threads = detail::threads_that_sum<R>();
  constexpr std::int64_t share = 16 * threads;
  if (n <= 0) return identity;
  const std::int64_t blocks = (n + share - 1) / share;
  const detail::StreamMemory<R> memory(gpu.stream, blocks + 1); // a block's sum each, then their total
  R* const sums = memory.data();
  constexpr std::size_t shared = threads * sizeof(R);
  detail::check_cuda(CORRAL_LAUNCH((detail::accumulate_global<R, Add, Combine>), static_cast<unsigned>(blocks), threads,
                                   shared, gpu.stream, n, share, identity, add, combine, sums),
                     "accumulate");
  const detail::CombineSums<R, Combine> add_sums{sums, combine};
  detail::check_cuda(CORRAL_LAUNCH((detail::accumulate_global<R, detail::CombineSums<R, Combine>, Combine>), 1u, threads,
                                   shared, gpu.stream, blocks, blocks, identity, add_sums, combine, sums + blocks),
                     "accumulate");
  R total = identity;
  memory.copy_to(&total, blocks, 1, "accumulate");
  return total;
}

/// Combines map(i), i in [0, n), starting from `identity`, in the order of `accumulate`, which is for large sums.
template <class R, class Map, class Combine>
R reduce(Gpu gpu, std::int64_t n, R identity, Map map, Combine combine) {
  static_assert(sizeof(R) <= 32, "a device returns no large values: accumulate adds to them in place");
  return accumulate(gpu, n, identity, detail::CombineMapped<R, Map, Combine>{map, combine}, combine);
}

/// Sum of map(i) over [0, n) in the order of `accumulate`.
template <class Map> double sum(Gpu gpu, std::int64_t n, Map map) { return reduce(gpu, n, 0.0, map, AddInPlace{}); }

/// Largest map(i) over [0, n); `floor` where n is 0. A NaN among the values is returned.
template <class Map> double maximum(Gpu gpu, std::int64_t n, double floor, Map map) {
  return reduce(gpu, n, floor, map, detail::Larger{});
}

namespace detail {

template <class Bin> void count_bins(Gpu gpu, std::int64_t n, std::int64_t bins, const Bin& bin, unsigned long long* counts) {
  if (bins > most_device_bins)
    throw Error("a histogram of " + std::to_string(bins) + " bins (a block on a device has room for " +
                std::to_string(most_device_bins) + ") take fewer");
  if (n <= 0) return;
  constexpr std::int64_t share = 64 * threads_per_block; // so that adding up is little of the work
  const auto blocks = static_cast<unsigned>((n + share - 1) / share);
  check_cuda(CORRAL_LAUNCH((histogram_global<Bin>), blocks, threads_per_block,
                           static_cast<std::size_t>(bins) * sizeof(unsigned), gpu.stream, n, share, static_cast<int>(bins), bin,
                           counts),
             "histogram");
}

} // namespace detail

/// At most 12'288 bins, else throws Error. Returns before the work is done, as the stream does.
template <class Bin> void add_histogram(Gpu gpu, std::int64_t n, Array<std::uint64_t>& counts, Bin bin) {
  detail::count_bins(gpu, n, counts.size(), bin, reinterpret_cast<unsigned long long*>(counts.data()));
}

/// At most 12'288 bins, else throws Error. Waits for the stream.
template <class Bin> std::vector<std::int64_t> histogram(Gpu gpu, std::int64_t n, int bins, Bin bin) {
  const detail::StreamMemory<unsigned long long> counts(gpu.stream, bins);
  std::vector<unsigned long long> found(static_cast<std::size_t>(bins), 0);
  detail::check_cuda(cudaMemsetAsync(counts.data(), 0, found.size() * sizeof(unsigned long long), gpu.stream), "histogram");
  detail::count_bins(gpu, n, bins, bin, counts.data());
  counts.copy_to(found.data(), 0, bins, "histogram");
  return {found.begin(), found.end()};
}

/// `places` lies in device memory. Waits for the stream.
template <class Keep> std::int64_t select(Gpu gpu, std::int64_t n, Keep keep, Array<std::int64_t>& places) {
  const detail::StreamMemory<std::int64_t> at(gpu.stream, n + 1);
  for_each(gpu, n + 1, detail::CountKept<Keep>{keep, n, at.data()});
  detail::exclusive_sum(gpu.stream, at.data(), n + 1);
  std::int64_t kept = 0;
  at.copy_to(&kept, n, 1, "select");
  places.resize(kept);
  for_each(gpu, n, detail::WriteKept<Keep>{keep, at.data(), places.data()});
  return kept;
}

} // namespace corral
