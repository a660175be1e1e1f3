#pragma once

/// `Together` on a CUDA device, for `.cu` files.

#include <corral/for_each.cuh>
#include <corral/together.hpp>

#include <array>
#include <cassert>
#include <cstdint>

namespace corral {

namespace detail {

inline constexpr std::int64_t most_parts = 1024; ///< of a loop, which a block sums each

/// Where the parts of each loop lie, and how they are combined.
struct PartsOfLoops {
  static constexpr int most = Together<Cpu>::most;
  std::int64_t count[most];
  double floor[most];
  bool largest[most];
};

/// totals[k] = the sum or the largest of loop k's parts: a block a loop.
template <int threads> __global__ void combine_parts_global(PartsOfLoops loops, const double* parts, double* totals) {
  CORRAL_SHARED(double, part, [threads]);
  const int k = static_cast<int>(blockIdx.x), t = static_cast<int>(threadIdx.x);
  const bool largest = loops.largest[k];
  double total = loops.floor[k];
  for (std::int64_t i = t; i < loops.count[k]; i += threads) {
    const double value = parts[k * most_parts + i];
    if (largest) Larger{}(total, value);
    else total += value;
  }
  part[t] = total;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t >= half) continue;
    if (largest) Larger{}(part[t], part[t + half]);
    else part[t] += part[t + half];
  }
  if (t == 0) totals[k] = part[0];
}

} // namespace detail

/// The order in which a loop's values are added up depends on their number alone. Takes memory from the engine's pool until it
/// goes.
template <> class Together<Gpu> {
public:
  static constexpr int most = Together<Cpu>::most; ///< calls

  explicit Together(Gpu gpu) : gpu_(gpu), memory_(gpu.stream, most * detail::most_parts + most) {}

  template <class Map> int sum(std::int64_t n, const Map& map) { return launch<AddInPlace>(n, 0, map, false); }
  template <class Map> int maximum(std::int64_t n, double floor, const Map& map) {
    return launch<detail::Larger>(n, floor, map, true);
  }
  /// Waits for the stream, once.
  const std::array<double, most>& values() {
    if (fetched_ == count_) return values_;
    double* const totals = memory_.data() + most * detail::most_parts;
    constexpr int threads = detail::threads_per_block;
    detail::check_cuda(CORRAL_LAUNCH((detail::combine_parts_global<threads>), static_cast<unsigned>(count_), threads, 0, gpu_.stream,
                                     loops_, memory_.data(), totals),
                       "sums together");
    memory_.copy_to(values_.data(), most * detail::most_parts, count_, "sums together");
    fetched_ = count_;
    return values_;
  }

private:
  template <class Combine, class Map> int launch(std::int64_t n, double floor, const Map& map, bool largest) {
    assert(count_ < most);
    constexpr int threads = detail::threads_per_block;
    const std::int64_t fewest = 16 * threads, spread = (n + detail::most_parts - 1) / detail::most_parts;
    const std::int64_t share = spread > fewest ? spread : fewest, parts = (n + share - 1) / share;
    using Add = detail::CombineMapped<double, Map, Combine>;
    if (n > 0)
      detail::check_cuda(CORRAL_LAUNCH((detail::accumulate_global<double, Add, Combine>), static_cast<unsigned>(parts), threads,
                                       threads * sizeof(double), gpu_.stream, n, share, floor, Add{map, Combine{}}, Combine{},
                                       memory_.data() + count_ * detail::most_parts),
                         "sums together");
    loops_.count[count_] = n > 0 ? parts : 0;
    loops_.floor[count_] = floor;
    loops_.largest[count_] = largest;
    return count_++;
  }

  Gpu gpu_;
  int count_ = 0, fetched_ = 0;
  detail::PartsOfLoops loops_{};
  detail::StreamMemory<double> memory_;
  std::array<double, most> values_{};
};

} // namespace corral
