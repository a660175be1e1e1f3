#pragma once

#include <corral/array.hpp>
#include <corral/execution.hpp>
#include <corral/export.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace corral {

/// Indices that one task handles at most. Fixed, so that sums over chunks don't depend on the thread count.
inline constexpr std::int64_t chunk_size = 2048;

namespace detail {
/// Calls `run(context, begin, end)` for [0, n) cut into chunks of `chunk` indices, on the caller's arena.
/// Chunks never overlap; their order is free. Exceptions thrown by `run` reach the caller.
CORRAL_PUBLIC void run_chunks(std::int64_t n, std::int64_t chunk, void (*run)(void*, std::int64_t, std::int64_t),
                              void* context);
} // namespace detail

/// Calls f(begin, end) for each chunk of [0, n); `f` sees a whole range and may keep state within it.
template <class F> void for_each_chunk(Cpu, std::int64_t n, std::int64_t chunk, F&& f) {
  auto run = [](void* context, std::int64_t begin, std::int64_t end) {
    (*static_cast<std::remove_reference_t<F>*>(context))(begin, end);
  };
  detail::run_chunks(n, chunk, run, const_cast<void*>(static_cast<const void*>(&f)));
}

/// Calls f(i) for i in [0, n), in parallel and in any order.
template <class F> void for_each(Cpu cpu, std::int64_t n, F&& f) {
  for_each_chunk(cpu, n, chunk_size, [&f](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) f(i);
  });
}

/// Lets add(i, sum) add index i to a running sum, for i in [0, n): each chunk begins with `identity`, and the chunks'
/// sums are then combined in order. Chunks and orders are fixed: the same bits for any number of threads.
/// `add` may also write to data of index i: it is called exactly once for each.
template <class R, class Add, class Combine>
R accumulate(Cpu cpu, std::int64_t n, R identity, Add&& add, Combine&& combine) {
  auto part = [&](std::int64_t begin, std::int64_t end) {
    R sum = identity;
    for (std::int64_t i = begin; i < end; ++i) add(i, sum);
    return sum;
  };
  if (n <= chunk_size) return part(0, n);
  Array<R> parts((n + chunk_size - 1) / chunk_size);
  for_each_chunk(cpu, n, chunk_size,
                 [&](std::int64_t begin, std::int64_t end) { parts[begin / chunk_size] = part(begin, end); });
  R total = identity;
  for (const R& p : parts) total = combine(total, p);
  return total;
}

/// Combines map(i), i in [0, n), starting from `identity`, in the fixed order of `accumulate`.
/// `combine(a, b)` is associative up to round-off.
template <class R, class Map, class Combine>
R reduce(Cpu cpu, std::int64_t n, R identity, Map&& map, Combine&& combine) {
  return accumulate(
      cpu, n, identity, [&](std::int64_t i, R& sum) { sum = combine(sum, map(i)); }, combine);
}

/// Sum of map(i) over [0, n) in fixed order.
template <class Map> double sum(Cpu cpu, std::int64_t n, Map&& map) {
  return reduce(cpu, n, 0.0, std::forward<Map>(map), [](double a, double b) { return a + b; });
}

/// Largest map(i) over [0, n); `floor` where n is 0. A NaN among the values is returned.
template <class Map> double maximum(Cpu cpu, std::int64_t n, double floor, Map&& map) {
  return reduce(cpu, n, floor, std::forward<Map>(map), [](double a, double b) { return a >= b || a != a ? a : b; });
}

} // namespace corral
