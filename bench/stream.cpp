#include "bench/stream.hpp"

namespace corral::bench {

template <class T> T read_columns(const std::array<const T*, 6>& columns, std::int64_t n) {
  // A cache line of each array in turn. So many sums stay in registers and are enough that no addition waits for
  // another; neither more of them nor software prefetch made it faster.
  constexpr std::int64_t lanes = 64 / sizeof(T);
  T sum[lanes] = {};
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (const T* column : columns)
      for (std::int64_t j = 0; j < lanes; ++j) sum[j] += column[i + j];
  T total = 0;
  for (; i < n; ++i)
    for (const T* column : columns) total += column[i];
  for (const T s : sum) total += s;
  return total;
}

template float read_columns(const std::array<const float*, 6>&, std::int64_t);
template double read_columns(const std::array<const double*, 6>&, std::int64_t);

} // namespace corral::bench
