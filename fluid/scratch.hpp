#pragma once

#include "fluid/faces.hpp"

#include <corral/array.hpp>
#include <corral/grid.hpp>
#include <corral/memory.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace corral::fluid {

/// Memory for arrays that are not alive all the time: whoever needs one takes it, and gives it back when its work is done, so
/// that the next one has its place. An array that is not taken is empty. What is taken holds anything.
///
/// It is one block, as large as all that was alive at once so far. What does not fit into it yet, in the first steps, has memory
/// of its own until it is given back. Nothing is asked of a device: whoever takes a place works in order behind whoever had it.
class Scratch {
public:
  explicit Scratch(Memory memory = Memory::host) : block_(memory) {}
  /// Of fields of a grid: all of about as many values have places of one size, so that each fits where another was.
  explicit Scratch(const Grid& grid, Memory memory = Memory::host);
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  Memory memory() const { return block_.memory(); }

  /// Gives an empty array `size` values, in a place with room for `room` of them, so that it need not change as they become more.
  void take(std::int64_t size, Array<double>& array, std::int64_t room = 0);
  void take_cells(const Grid& grid, Array<double>& array) { take(grid.cells(), array); }
  void take_cells(const Grid& grid, std::array<Array<double>, 3>& arrays) {
    for (Array<double>& array : arrays) take_cells(grid, array);
  }
  void take_faces(const Grid& grid, FaceArrays& arrays) {
    for (int d = 0; d < 3; ++d) take(grid.points(face(d)), arrays[static_cast<std::size_t>(d)]);
  }
  /// Of an array that is empty nothing.
  void give_back(Array<double>& array);
  template <std::size_t n> void give_back(std::array<Array<double>, n>& arrays) {
    for (Array<double>& array : arrays) give_back(array);
  }
  template <class... More> void give_back(Array<double>& array, More&... more) requires(sizeof...(More) > 0) {
    give_back(array);
    give_back(more...);
  }
  template <std::size_t n, class... More>
  void give_back(std::array<Array<double>, n>& arrays, More&... more) requires(sizeof...(More) > 0) {
    give_back(arrays);
    give_back(more...);
  }

  /// The block, once it is made, is to hold so many arrays of the usual size of a grid's fields, or so many values: first steps
  /// then need no memory beside it.
  void expect_fields(std::int64_t arrays) { expect(arrays * wide(usual_)); }
  void expect(std::int64_t values) { wanted_ = std::max(wanted_, values); }

  bool idle() const { return leases_.empty(); } ///< nothing is taken
  /// From now on what is given back is filled with NaN: whoever reads it later, or reads what was taken before writing it,
  /// will show it. For tests: a device is waited for.
  void poison() { poisons_ = true; }

private:
  struct Lease {
    std::int64_t begin, end; ///< places, as if the block were large enough
    Array<double> own;       ///< where it is not
    double* data;
  };

  std::int64_t wide(std::int64_t size) const;
  std::int64_t place_for(std::int64_t size) const;
  void spoil(double* data, std::int64_t size) const;

  Array<double> block_;
  std::vector<Lease> leases_; ///< in the order of their places
  std::int64_t usual_ = 0;  ///< [values] of a place, where arrays are about as large
  std::int64_t wanted_ = 0;   ///< [values] that the block would have needed at most so far
  bool poisons_ = false;
};

/// What is taken, for values of another type of a double's size: they lie there until it is given back.
template <class T> Array<T> seen_as(Array<double>& taken) requires(sizeof(T) == sizeof(double)) {
  return Array<T>::lent(reinterpret_cast<T*>(taken.data()), taken.size(), taken.memory());
}

} // namespace corral::fluid
