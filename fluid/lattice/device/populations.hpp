#pragma once

#include "fluid/lattice/populations.hpp"

#include <corral/execution.hpp>

#include <array>
#include <memory>

namespace corral::fluid::lattice {

/// Populations (populations.hpp) in the memory of a device, laid out as on the host. Fields that calls are handed lie there,
/// too; parts of rows lie on the host, and are copied where they are others than in the call before. One call after the
/// other, on whatever stream, each of which has seen the end of the one before.
class DevicePopulations {
public:
  virtual ~DevicePopulations() = default;

  virtual void step(Gpu, const RowParts* forced, const ConstFacePointers& force, const FacePointers& velocity) = 0;
  /// As Populations': in between, `find` of the parts alone may be asked for.
  virtual void begin_step(RowParts forced) = 0;
  virtual void step_elsewhere(Gpu, const FacePointers& velocity) = 0;
  virtual void find(Gpu, const RowParts* parts, const ConstFacePointers& force, const FacePointers& velocity,
                    double* pressure) const = 0;
  // These wait for the stream.
  virtual Populations::Totals totals(Gpu) const = 0;
  virtual std::array<double, 3> given_by_sides(Gpu) const = 0;
  virtual std::array<double, 3> fastest(Gpu) const = 0; ///< as Populations::fastest
  virtual LatticeFlow::State state() = 0;               ///< arrays of the device

  std::int64_t steps = 0;
};

/// On the current device; keeps a reference to the sides. Throws Error for 2^32 cells and more.
std::unique_ptr<DevicePopulations> make_device_populations(const PopulationsSetup&, Sides&);

} // namespace corral::fluid::lattice
