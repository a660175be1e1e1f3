#pragma once

#include "stokes/near/device/call.hpp"
#include "stokes/near/near_field.hpp"
#include "stokes/near/sphere_table.hpp"
#include "stokes/sums/kind.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>
#include <corral/grid.hpp>
#include <corral/pairs.hpp>
#include <corral/views.hpp>

#include <cstdint>
#include <optional>
#include <span>

namespace corral::stokes {

/// NearField on a CUDA device, the current one: the same sums to round-off, of positions, strengths and results in device
/// memory, and orders that were sorted there. Calls return before their work is done. One call after the other; on another
/// stream once it has seen the end of those before. Sums have the same bits in every run, and each target's are one
/// thread's; methods that go by other orders differ in the last digits.
class DeviceNearField {
public:
  /// As NearField's. Throws Error where no device is.
  DeviceNearField(Sum sum, bool all, double xi, double cut_off, double error, double radius);

  /// Adds to `results`, columns(sum, all) columns of the targets; those of the strengths are strength_columns(sum). Both
  /// orders are of the same grid; where they are one order, targets are the sources. Takes memory where there are more
  /// particles than ever before. Throws Error as for_each_pair does.
  void add(Gpu, const Grid&, const NearField::Sorted& targets, const NearField::Sorted& sources,
           std::span<const Column<const double>> strengths, std::span<const Column<double>> results,
           PairMethod method = PairMethod::automatic);
  /// The same of stokeslets and stresslets of the same sources in one pass: nine columns of strengths, f, q and n, and
  /// velocities. Of a stokeslet's near field without other results, at points.
  void add_with_stresslets(Gpu, const Grid&, const NearField::Sorted& targets, const NearField::Sorted& sources,
                           std::span<const Column<const double>> strengths, std::span<const Column<double>> results,
                           PairMethod method = PairMethod::automatic);

  std::int64_t bytes() const; ///< of device memory

private:
  device::Call packed(Gpu, const Grid&, const NearField::Sorted& targets, const NearField::Sorted& sources,
                      std::span<const Column<const double>> strengths, std::span<const Column<double>> results,
                      PairMethod method);

  Sum sum_;
  bool all_;
  double cut_off_; ///< [m]
  device::ScreenedNumbers numbers_{}; ///< of points
  std::optional<SphereTable> spheres_;
  double sphere_scale_ = 0; ///< 1/(4 a^2) [1/m2]
  Array<double> bins_{Memory::device};
  Array<double> sources_{Memory::device}, targets_{Memory::device}; ///< by place: x, y, z, strengths
};

} // namespace corral::stokes
