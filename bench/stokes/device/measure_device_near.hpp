#pragma once

#include <corral/pairs.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace corral::bench {

/// What a pair is.
enum class NearKernel : std::uint8_t {
  stokeslet,               ///< 3 strengths, 3 velocities
  stokeslet_and_stresslet, ///< 9 strengths, 3 velocities: 12 components
  spheres                  ///< forces on spheres a fifth of the cut-off in radius
};
std::string_view name(NearKernel);
std::string_view name(PairMethod);

/// A near field on the current CUDA device: points anywhere in a periodic cube of 1 m, targets the sources.
struct DeviceNearWork {
  NearKernel kernel = NearKernel::stokeslet;
  PairMethod method = PairMethod::automatic;
  std::int64_t of_cell = 256;     ///< points of a cube as long as the cut-off
  std::int64_t cubes = 16;        ///< of that length along an edge of the box
  std::int64_t cells_of_cube = 1; ///< along an edge
  double error = 1e-7;            ///< of a pair, relative to it
  std::optional<double> least_rate{}; ///< [targets/s]
};

struct DeviceNearRow {
  DeviceNearWork work;
  double seconds = 0; ///< of a near field, packing included, sorts not; median

  std::int64_t points() const { return work.of_cell * work.cubes * work.cubes * work.cubes; }
  double targets_per_second() const { return static_cast<double>(points()) / seconds; }
  double pairs_per_second() const; ///< within the cut-off, on average
  bool met() const { return targets_per_second() >= *work.least_rate; }
};

/// Throws Error where no device is, or it has too little memory.
DeviceNearRow measure_device_near(const DeviceNearWork&, int repeats);

} // namespace corral::bench
