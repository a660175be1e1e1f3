#pragma once

#include "fluid/pressure/pressure_pattern.hpp"

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

private:
  void add_faces(Cpu, const double* faces, FaceCoefficients& moved);

  std::array<std::int64_t, 3> cells_;
  std::array<bool, 3> periodic_;
  std::array<bool, 2> removed_periodic_{}; ///< of the axes that were moved to the back
  int removed_ = 0;
  Array<double> zeros_, diagonal_;
};

struct FaceCoefficients;

/// The connected parts of a pressure equation that neither an outlet nor a diagonal pins: there the solution is
/// defined up to a constant. They are searched for only where counting does not settle it, and again only when the
/// pattern of zero coefficients has changed.
class PressureComponents {
public:
  PressureComponents(std::array<std::int64_t, 3> cells, std::array<bool, 3> periodic)
      : cells_(cells), periodic_(periodic) {}

  void update(Cpu, const FaceCoefficients&);

  /// Subtracts from `values` (one per cell) its mean over each unpinned part, and sets it to 0 in blocked cells.
  void remove_means(Cpu, double* values);

  /// One unpinned part covers the grid.
  bool whole() const { return whole_; }
  /// Unpinned parts.
  std::int64_t count() const { return whole_ ? 1 : sizes_.size(); }

private:
  static constexpr std::int32_t pinned = -1, blocked = -2, unknown = -3;

  PressurePattern pattern(Cpu, const FaceCoefficients&);
  void find(const FaceCoefficients&);
  void flood(const FaceCoefficients&, std::int64_t seed);

  std::array<std::int64_t, 3> cells_;
  std::array<bool, 3> periodic_;
  PressurePattern pattern_{};
  bool known_ = false;
  bool whole_ = false;        ///< one unpinned part that covers every cell
  Array<PressurePattern> patterns_;   ///< one per row
  Array<std::int32_t> label_; ///< per cell: its part, or pinned or blocked; empty where `whole_` says it all
  Array<std::int64_t> sizes_; ///< cells per part
  Array<double> means_;       ///< one per part
  Array<std::int64_t> queue_; ///< cells found by a flood
};

} // namespace corral::fluid
