#pragma once

#include <corral/execution.hpp>
#include <corral/for_each.hpp>

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

namespace corral {

/// Sums and largest values of several loops that are wanted at once: on a device they come to the host by one copy, and it is
/// waited for once. Calls of `sum` and `maximum` are numbered from 0; `values()[k]` is what the k-th found.
///
/// `Together<Gpu>` is that of <corral/together.cuh>.
template <Execution E> class Together;

template <> class Together<Cpu> {
public:
  static constexpr int most = 64; ///< calls

  explicit Together(Cpu cpu) : cpu_(cpu) {}

  /// As the call of that name.
  template <class Map> int sum(std::int64_t n, const Map& map) { return add(corral::sum(cpu_, n, map)); }
  template <class Map> int maximum(std::int64_t n, double floor, const Map& map) {
    return add(corral::maximum(cpu_, n, floor, map));
  }
  const std::array<double, most>& values() { return values_; }

private:
  int add(double value) {
    assert(count_ < most);
    values_[static_cast<std::size_t>(count_)] = value;
    return count_++;
  }

  Cpu cpu_;
  int count_ = 0;
  std::array<double, most> values_{};
};

} // namespace corral
