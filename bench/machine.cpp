#include "bench/machine.hpp"

namespace corral::bench {

template <class T> T read_columns(const std::array<const T*, 6>& columns, std::int64_t begin, std::int64_t end) {
  // A cache line of each array in turn. So many sums stay in registers and are enough that no addition waits for
  // another; neither more of them nor software prefetch made it faster.
  constexpr std::int64_t lanes = 64 / sizeof(T);
  T sum[lanes] = {};
  std::int64_t i = begin;
  for (; i + lanes <= end; i += lanes)
    for (const T* column : columns)
      for (std::int64_t j = 0; j < lanes; ++j) sum[j] += column[i + j];
  T total = 0;
  for (; i < end; ++i)
    for (const T* column : columns) total += column[i];
  for (const T s : sum) total += s;
  return total;
}

template float read_columns(const std::array<const float*, 6>&, std::int64_t, std::int64_t);
template double read_columns(const std::array<const double*, 6>&, std::int64_t, std::int64_t);

double multiply_and_add() {
  constexpr int rounds = 2'000'000, lanes = 16; // registers on plain x86-64, too
  double value[lanes] = {};
  for (int r = 0; r < rounds; ++r)
    for (int i = 0; i < lanes; ++i) value[i] = value[i] * 0.999 + i;
  double sum = 0;
  for (const double v : value) sum += v;
  return sum;
}

} // namespace corral::bench
