#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace corral::test {

/// Numbers that are the same on every platform (SplitMix64; Steele, Lea and Flood 2014).
class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(n)); }
  double uniform(double low, double high) { return low + (high - low) * static_cast<double>(bits() >> 11) * 0x1p-53; }
  bool coin() { return (bits() >> 63) != 0; }
  template <class V, std::size_t N> V pick(const std::array<V, N>& of) {
    return of[static_cast<std::size_t>(below(static_cast<std::int64_t>(N)))];
  }

private:
  std::uint64_t state_;
};

} // namespace corral::test
