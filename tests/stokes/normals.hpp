#pragma once

#include "stokes/sums/normal_numbers.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>

namespace corral::test {

/// By Box and Muller, of well mixed numbers.
class Normals final : public stokes::NormalNumbers {
public:
  explicit Normals(std::uint64_t seed) : seed_(seed) {}
  void fill(int stream, std::int64_t first, std::span<double> to) const override {
    for (std::size_t i = 0; i < to.size(); ++i) {
      const std::uint64_t n = static_cast<std::uint64_t>(first) + i;
      const double u = uniform(mixed(2 * n, stream)), v = uniform(mixed(2 * n + 1, stream));
      to[i] = std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
    }
  }

private:
  std::uint64_t mixed(std::uint64_t n, int stream) const {
    std::uint64_t x = n + 0x9e3779b97f4a7c15u * (seed_ * 8 + static_cast<std::uint64_t>(stream) + 1);
    for (int i = 0; i < 2; ++i) {
      x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
      x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
      x ^= x >> 31;
    }
    return x;
  }
  static double uniform(std::uint64_t bits) { return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52; }
  std::uint64_t seed_;
};

} // namespace corral::test
