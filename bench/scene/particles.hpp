#pragma once

#include "bench/scene/workload.hpp"

#include <corral/array.hpp>
#include <corral/views.hpp>

#include <array>
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

} // namespace corral::bench
