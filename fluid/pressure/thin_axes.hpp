#pragma once

#include <corral/array.hpp>
#include <corral/execution.hpp>

#include <array>
#include <cstdint>

namespace corral::fluid {

struct FaceCoefficients;

/// Turns a box of one cell along x into the same box with its other axes first: rows of one cell would leave nothing
/// to a vector register. Memory stays where it is, for a leading extent of 1 does not change the order of the
/// values; what the faces of a thin axis add to their cell's equation goes to the diagonal.
class ThinAxes {
public:
  ThinAxes(std::array<std::int64_t, 3> cells, std::array<bool, 3> periodic);

  std::array<std::int64_t, 3> cells() const { return cells_; }
  std::array<bool, 3> periodic() const { return periodic_; }

  /// The coefficients of the box with its axes permuted; valid until the next call.
  FaceCoefficients permuted(Cpu, const FaceCoefficients& given);
  std::int64_t bytes() const { return zeros_.bytes() + diagonal_.bytes(); }

private:
  void add_faces(Cpu, const double* faces, FaceCoefficients& moved);

  std::array<std::int64_t, 3> cells_;
  std::array<bool, 3> periodic_;
  std::array<bool, 2> removed_periodic_{}; ///< of the axes that were moved to the back
  int removed_ = 0;
  Array<double> zeros_, diagonal_;
};

} // namespace corral::fluid
