#pragma once

#include "fluid/pressure/device/sum_memory.hpp"
#include "fluid/planes.hpp"
#include "fluid/pressure/pressure_pattern.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>
#include <corral/memory.hpp>

#include <array>
#include <cstdint>

namespace corral::fluid {

struct FaceCoefficients;
struct PhaseGate;

/// Turns a box of one cell along x into the same box with its other axes first: rows of one cell would leave nothing
/// to a vector register. Memory stays where it is, for a leading extent of 1 does not change the order of the
/// values; what the faces of a thin axis add to their cell's equation goes to the diagonal.
class ThinAxes {
public:
  ThinAxes(std::array<std::int64_t, 3> cells, std::array<bool, 3> periodic, Memory memory = Memory::host);

  std::array<std::int64_t, 3> cells() const { return cells_; }
  std::array<bool, 3> periodic() const { return periodic_; }

  /// The coefficients of the box with its axes permuted; valid until the next call.
  template <Execution E> FaceCoefficients permuted(E, const FaceCoefficients& given);

private:
  void add_faces(Cpu, const double* faces, FaceCoefficients& moved);
  void add_faces(Gpu, const double* faces, FaceCoefficients& moved);

  std::array<std::int64_t, 3> cells_;
  std::array<bool, 3> periodic_;
  std::array<bool, 2> removed_periodic_{}; ///< of the axes that were moved to the back
  int removed_ = 0;
  Array<double> zeros_, diagonal_;
};

/// What taking means away hands from one launch to the next.
struct MeansState {
  double mean;     ///< of the one part that covers the grid
  double fraction; ///< what values are divided by: whole numbers count 2^-30 and 2^-61 of it
  int parts;       ///< whether there is an unpinned one
};

/// One or the other is added up on a device: the sum of values, or the largest magnitude.
struct MeansSum {
  double sum = 0, largest = 0;
  CORRAL_HOST_DEVICE MeansSum& operator+=(const MeansSum& other) {
    sum += other.sum;
    largest = largest < other.largest ? other.largest : largest;
    return *this;
  }
};

/// The connected parts of a pressure equation that neither an outlet nor a diagonal pins: there the solution is
/// defined up to a constant. They are searched for only where counting does not settle it, and again only when the
/// pattern of zero coefficients has changed.
class PressureComponents {
public:
  PressureComponents(std::array<std::int64_t, 3> cells, std::array<bool, 3> periodic, Memory memory = Memory::host)
      : cells_(cells), periodic_(periodic), label_(memory) {}

  void update(Cpu, const FaceCoefficients&, const Planes& planes);
  /// `now`: as counted on the device.
  void update(Gpu, const FaceCoefficients&, const PressurePattern& now);

  /// Subtracts from `values` (one per cell) its mean over each unpinned part, and sets it to 0 in blocked cells.
  /// Of its own planes, where ranks share them.
  void remove_means(Cpu, const Planes& planes, double* values);
  /// The same where the gate is open. Sums over parts are of whole numbers, [2][cell] of the part that begins with a cell: no
  /// order shows in them. `totals` is scratch.
  void remove_means(Gpu, double* values, const PhaseGate&, Array<unsigned long long>& totals);

  /// Labels of cells that belong to no unpinned part.
  static constexpr std::int32_t pinned = -1, blocked = -2;

  /// One unpinned part covers the grid.
  bool whole() const { return whole_; }
  /// Neither is there a mean to be taken away nor a blocked cell.
  bool nothing_to_remove() const { return !whole_ && label_.empty(); }
  /// Unpinned parts.
  std::int64_t count() const { return whole_ ? 1 : sizes_.size(); }

private:
  static constexpr std::int32_t unknown = -3;
  static constexpr unsigned has_diagonal = 64;

  PressurePattern pattern(Cpu, const FaceCoefficients&, const Planes& planes);
  void find(const Planes& planes);
  void flood(std::int64_t seed);
  void set_means(const Planes& planes, double* values);

  std::array<std::int64_t, 3> cells_;
  std::array<bool, 3> periodic_;
  PressurePattern pattern_{};
  bool known_ = false;
  bool whole_ = false;        ///< one unpinned part that covers every cell
  Array<PressurePattern> patterns_;   ///< of rows and planes
  Array<std::uint8_t> positive_;      ///< of each cell: FaceBits::positive, and `has_diagonal`
  Array<double> sums_;                ///< of rows and planes
  Array<std::int32_t> label_; ///< per cell: its part, or pinned or blocked; empty where `whole_` says it all
                              ///< (on a device a part has the number of its first cell)
  Array<std::int64_t> sizes_; ///< cells per part
  Array<double> means_;       ///< one per part
  Array<std::int64_t> queue_; ///< cells found by a flood
  // On a device
  Array<unsigned> members_{Memory::device};         ///< of the part that begins with a cell; the highest bit: it is pinned
  Array<MeansState> means_state_{Memory::device};
  SumMemory<MeansSum> means_sum_;
};

} // namespace corral::fluid
