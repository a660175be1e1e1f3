#pragma once

#include <corral/array.hpp>
#include <corral/execution.hpp>
#include <corral/export.h>
#include <corral/host_device.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace corral {

/// Indices that one task handles at most. Fixed, so that sums over chunks don't depend on the thread count.
inline constexpr std::int64_t chunk_size = 2048;

namespace detail {
/// Calls `run(context, begin, end)` for [0, n) cut into chunks of `chunk` indices, on the caller's arena.
/// Chunks never overlap; their order is free. Exceptions thrown by `run` reach the caller.
CORRAL_PUBLIC void run_chunks(std::int64_t n, std::int64_t chunk, void (*run)(void*, std::int64_t, std::int64_t),
                              void* context);
/// Parts that a histogram is counted in at most: each has counters of its own.
inline constexpr std::int64_t most_histogram_parts = 64;
} // namespace detail

/// Adds what has +=, in place: `combine` of sums.
struct AddInPlace {
  template <class R> CORRAL_HOST_DEVICE void operator()(R& a, const R& b) const { a += b; }
};

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

/// Lets add(i, sum) add index i to a running sum, for i in [0, n): each chunk begins with `identity`, and
/// combine(total, sum) adds the chunks' sums to the total in order, in place: sums may be large. Chunks and orders are
/// fixed: the same bits for any number of threads. `add` may also write to data of index i: it is called exactly once for
/// each.
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
  for (const R& p : parts) combine(total, p);
  return total;
}

/// Lets combine(total, map(i)) add map(i) to the total, in place, for i in [0, n), starting from `identity`, in the fixed
/// order of `accumulate`. `combine` is associative up to round-off.
template <class R, class Map, class Combine>
R reduce(Cpu cpu, std::int64_t n, R identity, Map&& map, Combine&& combine) {
  return accumulate(
      cpu, n, identity, [&](std::int64_t i, R& sum) { combine(sum, map(i)); }, combine);
}

/// Sum of map(i) over [0, n) in fixed order.
template <class Map> double sum(Cpu cpu, std::int64_t n, Map&& map) {
  return reduce(cpu, n, 0.0, std::forward<Map>(map), AddInPlace{});
}

/// Largest map(i) over [0, n); `floor` where n is 0. A NaN among the values is returned.
template <class Map> double maximum(Cpu cpu, std::int64_t n, double floor, Map&& map) {
  return reduce(cpu, n, floor, std::forward<Map>(map), [](double& a, double b) { a = a >= b || a != a ? a : b; });
}

/// How many i of [0, n) fall into each of `bins` bins: bin(i), in [0, bins), says which; -1 counts nowhere. The same
/// numbers for any number of threads, and on the GPU.
template <class Bin> std::vector<std::int64_t> histogram(Cpu cpu, std::int64_t n, int bins, Bin&& bin) {
  const std::int64_t chunk = std::max(chunk_size, n / detail::most_histogram_parts + 1), parts = (n + chunk - 1) / chunk;
  const auto size = static_cast<std::size_t>(bins);
  std::vector<std::vector<std::int64_t>> counts(static_cast<std::size_t>(parts));
  for_each_chunk(cpu, n, chunk, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::int64_t> own(size, 0);
    for (std::int64_t i = begin; i < end; ++i)
      if (const int b = bin(i); b >= 0) ++own[static_cast<std::size_t>(b)];
    counts[static_cast<std::size_t>(begin / chunk)] = std::move(own);
  });
  std::vector<std::int64_t> total(size, 0);
  for (const std::vector<std::int64_t>& part : counts)
    for (std::size_t b = 0; b < size; ++b) total[b] += part[b];
  return total;
}

/// Adds them to counts, one for each bin, which lie where calls of this kind work.
template <class Bin> void add_histogram(Cpu cpu, std::int64_t n, Array<std::uint64_t>& counts, Bin&& bin) {
  const std::vector<std::int64_t> found = histogram(cpu, n, static_cast<int>(counts.size()), std::forward<Bin>(bin));
  for (std::int64_t b = 0; b < counts.size(); ++b) counts[b] += static_cast<std::uint64_t>(found[static_cast<std::size_t>(b)]);
}

/// Writes the i of [0, n) for which keep(i) into `places`, in ascending order, and resizes it to as many; it lies where
/// calls of this kind work. keep(i) may be asked twice. What is compacted is then read as from[places[k]]. The same
/// places for any number of threads, and on the GPU.
template <class Keep> std::int64_t select(Cpu cpu, std::int64_t n, Keep&& keep, Array<std::int64_t>& places) {
  const std::int64_t chunks = (n + chunk_size - 1) / chunk_size;
  Array<std::int64_t> first(chunks + 1, 0); // place in `places` of each chunk's first
  for_each_chunk(cpu, n, chunk_size, [&](std::int64_t begin, std::int64_t end) {
    std::int64_t kept = 0;
    for (std::int64_t i = begin; i < end; ++i) kept += keep(i) ? 1 : 0;
    first[begin / chunk_size + 1] = kept;
  });
  for (std::int64_t c = 0; c < chunks; ++c) first[c + 1] += first[c];
  places.resize(first[chunks]);
  for_each_chunk(cpu, n, chunk_size, [&](std::int64_t begin, std::int64_t end) {
    std::int64_t at = first[begin / chunk_size];
    for (std::int64_t i = begin; i < end; ++i)
      if (keep(i)) places[at++] = i;
  });
  return places.size();
}

} // namespace corral
