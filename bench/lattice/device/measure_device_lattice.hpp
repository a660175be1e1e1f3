#pragma once

#include "fluid/lattice/flow.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace corral::bench {

/// A periodic box of fluid on the current CUDA device, as LatticeWork has it.
struct DeviceLatticeWork {
  fluid::lattice::VelocitySet set = fluid::lattice::VelocitySet::d3q19;
  fluid::lattice::Precision precision = fluid::lattice::Precision::doubles;
  fluid::lattice::Scheme scheme = fluid::lattice::Scheme::in_place;
  std::array<std::int64_t, 3> cells{256, 256, 256};
  bool with_fields = false; ///< each step reads a force and writes the velocity, everywhere
  std::optional<double> least_of_copy{};
};

struct DeviceLatticeRow {
  DeviceLatticeWork work;
  double seconds = 0;   ///< of a step, median: two are timed and halved
  double copy_rate = 0; ///< bytes read and written per second by a copy

  std::int64_t cell_count() const { return work.cells[0] * work.cells[1] * work.cells[2]; }
  /// Populations once to the device's memory and back, in either scheme, and 24 bytes for a field.
  std::int64_t bytes_per_update() const;
  double updates_per_second() const { return static_cast<double>(cell_count()) / seconds; }
  double of_copy() const { return updates_per_second() * static_cast<double>(bytes_per_update()) / copy_rate; }
  bool met() const { return of_copy() >= *work.least_of_copy; }
};

/// Throws Error where no device is, or it has too little memory.
DeviceLatticeRow measure_device_lattice(const DeviceLatticeWork&, double copy_rate, int repeats);

} // namespace corral::bench
