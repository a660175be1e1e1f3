#pragma once

#include "fluid/incompressible/flow.hpp"

#include <corral/execution.hpp>

#include <array>
#include <memory>

namespace corral::fluid {

/// IncompressibleFlow on a CUDA device, the current one: the same equations, solved mode by mode by cuFFT's transforms, and by the
/// exact projection alone. Fields that calls are handed lie in device memory. Calls return before their work
/// is done, but for those which return numbers. One call after the other, on one stream.
///
/// What differs from the host is round-off: transforms and sums have another order.
class DeviceIncompressibleFlow {
public:
  /// Keeps a reference to the domain. Throws Error as IncompressibleFlow does, for other projections between walls, for 2^32
  /// values or more, for mean forces that nothing balances without inertia, and where no device is.
  DeviceIncompressibleFlow(const Domain&, const FlowProperties&);
  ~DeviceIncompressibleFlow();
  DeviceIncompressibleFlow(const DeviceIncompressibleFlow&) = delete;
  DeviceIncompressibleFlow& operator=(const DeviceIncompressibleFlow&) = delete;

  // As IncompressibleFlow's. Where viscosity varies each iteration waits twice.
  void set_viscosity(Gpu, const double* mu);
  void step(Gpu, const FlowState&, const ConstFacePointers& force, double dt);
  void foresee(Gpu, const FlowState&, const ConstFacePointers& force, double dt);
  ConstFacePointers half_velocity() const;
  void respond(Gpu, const FacePointers& field);
  void respond_midway(Gpu, const FacePointers& field, double dt);

  ViscousWork viscous_work(Gpu, const ConstFacePointers& velocity) const;
  std::array<double, 6> excess_stress(Gpu, const ConstFacePointers& velocity) const;
  IncompressibleFlow::Effort effort() const;

private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

} // namespace corral::fluid
