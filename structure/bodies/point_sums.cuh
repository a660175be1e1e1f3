#pragma once

/// What point_sums.hpp adds up, for `.cu` files.

#include "structure/bodies/point_sums.hpp"

#include <corral/for_each.cuh>
#include <corral/staged.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace corral::structure {

/// sums[part] = the sum of a part's points: each thread adds up every blockDim.x-th of them, and the block combines pairs.
template <class R, class Add, class Combine>
__global__ void sum_points_global(const std::int64_t* first, R identity, Add add, Combine combine, R* sums) {
  CORRAL_DYNAMIC_SHARED(R, part);
  const auto t = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  R sum = identity;
  for (std::int64_t p = first[blockIdx.x] + t; p < first[blockIdx.x + 1]; p += threads) add(p, sum);
  part[t] = sum;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) combine(part[t], part[t + half]);
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

/// The parts of a body, in order.
template <class R, class Combine> struct CombineParts {
  const std::int64_t* first;
  const R* parts;
  Combine combine;
  R* sums;
  CORRAL_HOST_DEVICE void operator()(std::int64_t body) const {
    R sum = parts[first[body]];
    for (std::int64_t part = first[body] + 1; part < first[body + 1]; ++part) combine(sum, parts[part]);
    sums[body] = sum;
  }
};

/// to[b] = what add(p, sum) makes of `identity` for the points p of body b, combine(sum, more) in place. Takes memory the first
/// time, and nobody waits. R is trivially copyable, of at most 1536 bytes.
template <class R, class Add, class Combine> void sum_points(Gpu gpu, PointSums& sums, R identity, Add add, Combine combine, R* to) {
  static_assert(std::is_trivially_copyable_v<R> && alignof(R) <= sizeof(double));
  if (sums.bodies() == 0) return;
  constexpr int threads = corral::detail::threads_that_sum<R>();
  const std::int64_t parts = sums.parts();
  const bool one_each = parts == sums.bodies();
  R* const of_parts = one_each ? to : static_cast<R*>(sums.scratch(static_cast<std::size_t>(parts) * sizeof(R)));
  corral::detail::check_cuda(CORRAL_LAUNCH((sum_points_global<R, Add, Combine>), static_cast<unsigned>(parts), threads,
                                           threads * sizeof(R), gpu.stream, sums.first_point(), identity, add, combine, of_parts),
                             "sums over bodies' points");
  if (!one_each) for_each(gpu, sums.bodies(), CombineParts<R, Combine>{sums.first_part(), of_parts, combine, to});
}

/// Brings values from the device as `fetch` does, but nobody waits until `wait_for`.
template <class T> void fetch_later(Gpu gpu, Staged<T>& values, Arrival& arrival) {
  using corral::detail::check_cuda;
  if (values.size() == 0) return;
  if (!arrival.event) {
    cudaEvent_t event = nullptr;
    check_cuda(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "making an event");
    arrival.event = std::shared_ptr<void>(event, [](void* made) { cudaEventDestroy(static_cast<cudaEvent_t>(made)); });
  }
  check_cuda(cudaMemcpyAsync(values.here.data(), values.there.data(), static_cast<std::size_t>(values.size()) * sizeof(T),
                             cudaMemcpyDeviceToHost, gpu.stream),
             "fetch");
  check_cuda(cudaEventRecord(static_cast<cudaEvent_t>(arrival.event.get()), gpu.stream), "fetch");
}
inline void wait_for(Gpu, const Arrival& arrival) {
  if (arrival.event) corral::detail::check_cuda(cudaEventSynchronize(static_cast<cudaEvent_t>(arrival.event.get())), "fetch");
}

} // namespace corral::structure
