#pragma once

#include "bench/device/device.hpp"
#include "bench/scene/workload.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>
#include <corral/views.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace corral::bench {

/// Cell size of every benchmark [m]; not 1, so that nothing is saved by leaving out the division by it.
inline constexpr double spacing = 0.01;

/// A periodic box of that many cells with its origin at 0.
Grid periodic_grid(const std::array<std::int64_t, 3>& cells);

/// `fields` numbers for each of n things, in arrays of their own or side by side in one.
template <class T> class Values {
public:
  Values() = default;
  Values(std::int64_t n, int fields, Layout layout);

  std::int64_t size() const { return n_; }
  int fields() const { return fields_; }
  std::int64_t stride() const { return interleaved_ ? fields_ : 1; }
  T* data(int f) { return interleaved_ ? arrays_[0].data() + f : arrays_[f].data(); }
  Column<T> column(int f) { return {data(f), n_, stride()}; }
  std::vector<Array<T>>& arrays() { return arrays_; }
  const std::vector<Array<T>>& arrays() const { return arrays_; }

  void clear(); ///< sets all to 0
  /// Numbers in [1/2, 3/2), the same in each run: positive, so that a sum of them measures its own round-off.
  void fill_with_numbers();

private:
  std::vector<Array<T>> arrays_;
  std::int64_t n_ = 0;
  int fields_ = 0;
  bool interleaved_ = false;
};

template <class T> struct Particles {
  Values<T> position; ///< x, y, z [m], in arrays of their own
  Values<T> value;

  std::int64_t size() const { return position.size(); }
  /// Those with index in [first, first + n).
  Positions<T> positions(std::int64_t first, std::int64_t n) {
    return corral::positions(position.data(0) + first, position.data(1) + first, position.data(2) + first, n);
  }
  Positions<T> positions() { return positions(0, size()); }
};

/// The first n particles of a workload, in random order. Particle i depends on i and the distribution alone:
/// - uniform: everywhere alike
/// - clustered: nine tenths of them in a cube that takes a tenth of the volume, one tenth in the rest
/// - sphere: on eight spheres, one in the middle of each octant, each as wide as a quarter of the shortest side
/// - one_cell: all in one cell, in the middle of the grid
template <class T> Particles<T> draw_particles(const Workload& work, std::int64_t n);

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
