#pragma once

#include "bench/device/device.hpp"
#include "bench/scene/particles.hpp"

#include <corral/execution.hpp>

#include <cstddef>
#include <vector>

namespace corral::bench {

/// Values of the host where the calls of an execution reach them: on the CPU where they are, on a GPU in a copy of the
/// same shape. Refers to the host's.
template <class T, Execution E> class Placed {
public:
  explicit Placed(Values<T>& host) : host_(host) {}

  Column<T> column(int f) { return host_.column(f); }
  const T* array(std::size_t a) const { return host_.arrays()[a].data(); }
  void send() {}  ///< the host's values go there
  void fetch() {} ///< the values that are there go to the host
  void clear() { host_.clear(); } ///< sets those there to 0

private:
  Values<T>& host_;
};

template <class T> class Placed<T, Gpu> {
public:
  explicit Placed(Values<T>& host) : host_(host) {
    for (const Array<T>& array : host.arrays())
      there_.push_back(device_memory<T>(array.size()));
  }

  Column<T> column(int f) {
    Column<T> column = host_.column(f);
    const std::size_t a = there_.size() == 1 ? 0 : static_cast<std::size_t>(f);
    column.data = there_[a].data() + (column.data - host_.arrays()[a].data());
    return column;
  }
  const T* array(std::size_t a) const { return there_[a].data(); }
  void send() {
    for (std::size_t a = 0; a < there_.size(); ++a) there_[a].assign(host_.arrays()[a].span());
  }
  void fetch() {
    for (std::size_t a = 0; a < there_.size(); ++a) there_[a].copy_to(host_.arrays()[a].span());
  }
  void clear() {
    for (Array<T>& array : there_) array.zero();
  }

private:
  Values<T>& host_;
  std::vector<Array<T>> there_;
};

} // namespace corral::bench
