#pragma once

#include <corral/array.hpp>
#include <corral/execution.hpp>
#include <corral/for_each.hpp>
#include <corral/host_device.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>

namespace corral::structure {

namespace detail {

template <class F> struct CallWithMembrane {
  std::int64_t n;
  F f;
  CORRAL_HOST_DEVICE void operator()(std::int64_t index) const { f(index / n, index % n); }
};

} // namespace detail

/// Calls f(c, i) for each i of [0, n) of each of `membranes` membranes, in parallel; on the CPU those of one membrane
/// in ascending order, `at_once` a task.
template <Execution E, class F>
void for_each_of(E execution, std::int64_t membranes, std::int64_t n, F f, std::int64_t at_once = chunk_size) {
  if constexpr (std::same_as<E, Cpu>) {
    for_each_chunk(execution, membranes * n, at_once, [f, n](std::int64_t begin, std::int64_t end) {
      const F own = f; // so that nothing it writes could change what it holds
      std::int64_t c = begin / n, i = begin % n;
      for (std::int64_t left = end - begin; left > 0; ++c, i = 0) {
        const std::int64_t stop = std::min(n, i + left);
        left -= stop - i;
        for (; i < stop; ++i) own(c, i);
      }
    });
  } else {
    for_each(execution, membranes * n, detail::CallWithMembrane<F>{n, f});
  }
}

/// Indices that are summed up in turn, few enough for the many threads of a device, and parts that are a task of the CPU.
inline constexpr std::int64_t part_size = 64, parts_at_once = 8;

/// sums[c] = what add(c, i, sum) makes of `identity`, i in [0, n), for each membrane c: in parts of fixed size, which
/// combine(sum, part) adds in order, in place, so that nothing depends on threads. `parts` is scratch.
template <Execution E, class R, class Add, class Combine>
void sum_of_each(E execution, std::int64_t membranes, std::int64_t n, R identity, Add add, Combine combine,
                 Array<R>& parts, R* sums) {
  const std::int64_t parts_each = (n + part_size - 1) / part_size;
  parts.resize(membranes * parts_each);
  R* const part_sums = parts.data();
  const auto sum_part = [=] CORRAL_BODY(std::int64_t c, std::int64_t part) {
    R sum = identity;
    const std::int64_t begin = part * part_size, end = begin + part_size < n ? begin + part_size : n;
    for (std::int64_t i = begin; i < end; ++i) add(c, i, sum);
    part_sums[c * parts_each + part] = sum;
  };
  for_each_of(execution, membranes, parts_each, sum_part, parts_at_once);
  for_each(execution, membranes, [=] CORRAL_BODY(std::int64_t c) {
    R sum = identity;
    for (std::int64_t p = c * parts_each; p < (c + 1) * parts_each; ++p) combine(sum, part_sums[p]);
    sums[c] = sum;
  });
}

} // namespace corral::structure
