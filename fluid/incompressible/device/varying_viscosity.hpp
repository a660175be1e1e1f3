#pragma once

#include "fluid/domain.hpp"
#include "fluid/faces.hpp"
#include "fluid/incompressible/measures.hpp"
#include "fluid/incompressible/varying_viscosity.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>

#include <array>

namespace corral::fluid {

/// VaryingViscosity on a CUDA device, where all fields lie. Calls return before their work is done, but for those which return numbers.
class DeviceVaryingViscosity {
public:
  /// Keeps a reference to the domain.
  explicit DeviceVaryingViscosity(const Domain& domain);

  // As VaryingViscosity's.
  void set(Gpu, const double* mu);
  void find_force(Gpu, const ConstFacePointers& u, VaryingViscosity::Walls walls, const FacePointers& force) const;
  ViscousWork work(Gpu, const ConstFacePointers& u) const;
  std::array<double, 6> excess_stress(Gpu, double mu0, const ConstFacePointers& u) const;

private:
  const Domain& domain_;
  Array<double> cells_;
  std::array<Array<double>, 3> edges_; ///< shared by x and y, x and z, y and z
};

} // namespace corral::fluid
