#pragma once

#include "fluid/domain.hpp"
#include "fluid/faces.hpp"
#include "fluid/ghosts.hpp"
#include "fluid/spectral/helmholtz.hpp"

#include <corral/execution.hpp>

#include <memory>

namespace corral::fluid {

/// The potential I of a field A on the faces: -Lap I = div A with a mean that is given, exactly, in boxes as IncompressibleFlow takes
/// them; at walls I has no gradient. Where ranks share the box calls are collective, A is good beside their own part, and I has good ghosts.
class FieldPotential {
public:
  explicit FieldPotential(const Domain& domain);

  /// Sets I of all cells, x fastest.
  void find(Cpu, const ConstFacePointers& field, double mean, double* potential);

private:
  Grid grid_;
  spectral::HelmholtzSolver solver_;
  Ghosts ghosts_;
};

/// The same on a CUDA device, for fields in its memory. Calls return before their work is done.
class DeviceFieldPotential {
public:
  /// Throws Error where no device is.
  explicit DeviceFieldPotential(const Domain& domain);
  ~DeviceFieldPotential();
  void find(Gpu, const ConstFacePointers& field, double mean, double* potential);

private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

} // namespace corral::fluid
