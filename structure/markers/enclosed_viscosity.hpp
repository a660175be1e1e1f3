#pragma once

#include "fluid/domain.hpp"
#include "run/state/registry.hpp"
#include "structure/markers/inside.hpp"
#include "structure/setup/immersed.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>

#include <deque>
#include <string>
#include <vector>

namespace corral::structure {

/// The viscosity of a fluid that surfaces part into kinds, as a field: with I_s what surfaces of kind s enclose and
/// lambda_s their ratio,
///   1/mu = (1 + sum_s (1/lambda_s - 1) I_s)/mu_outside,
/// held between those of the case. It is the harmonic mean of what a cell holds: shear that passes from one fluid to the
/// other is what counts at a surface (docs/membranes.md).
class EnclosedViscosity {
public:
  /// Declares the field. Keeps nothing of its arguments.
  EnclosedViscosity(const Immersed& setup, const fluid::Domain& domain, const std::string& kernel, Method method,
                    run::Registry& registry);

  /// mu in all cells [Pa s], of membranes where they are midway, for which they have been sorted.
  const double* find(Cpu, const std::deque<Population<Cpu>>& populations);

private:
  Inside inside_;
  double outside_;               ///< [Pa s]
  std::vector<double> weights_;  ///< 1/lambda - 1 of each surface
  double least_ = 1, most_ = 1;  ///< of 1/lambda
  Array<double>& viscosity_;
};

} // namespace corral::structure
