#pragma once

/// `select` on a CUDA device, for `.cu` files.

#include <corral/array.hpp>
#include <corral/for_each.cuh>
#include <corral/stream_memory.cuh>

#include <cstdint>

namespace corral {

namespace detail {

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

} // namespace detail

/// `keep` is a host-device object, `places` lies in device memory. Waits for the stream.
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
