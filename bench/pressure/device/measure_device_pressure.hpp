#pragma once

#include "bench/pressure/bubbling_bed.hpp"
#include "fluid/pressure/pressure.hpp"

#include <cstdint>
#include <optional>

namespace corral::bench {

/// A bubbling bed's pressure equation on the current CUDA device, to a relative residual of 1e-8 from a guess of zeros.
struct DevicePressureWork {
  std::int64_t n = 128; ///< cells along an edge
  BubblingBed::Top top = BubblingBed::Top::closed;
  double dense = 0; ///< as BubblingBed's: 0, or what makes the contrast
  std::optional<double> most_seconds{};
};

struct DevicePressureRow {
  DevicePressureWork work;
  double coefficients = 0; ///< [s] of taking them; medians
  double solve = 0;        ///< [s]
  int iterations = 0;
  double host = 0; ///< [s] of both on the host
  int host_iterations = 0;
  double copy_rate = 0; ///< bytes read and written per second by a copy

  double seconds() const { return coefficients + solve; }
  std::int64_t cells() const { return work.n * work.n * work.n; }
  double of_copy() const {
    return iterations * fluid::PressureSolver::bytes_of_an_iteration * static_cast<double>(cells()) / solve / copy_rate;
  }
  bool met() const { return seconds() <= *work.most_seconds; }
};

/// Throws Error where no device is, or it has too little memory.
DevicePressureRow measure_device_pressure(const DevicePressureWork&, double copy_rate, int repeats);

} // namespace corral::bench
