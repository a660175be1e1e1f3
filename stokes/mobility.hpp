#pragma once

#include "stokes/sum_plan.hpp"

#include <corral/execution.hpp>
#include <corral/views.hpp>

#include <array>
#include <cstdint>

namespace corral::stokes {

/// Spheres of one radius in a fluid without inertia.
struct Spheres {
  Box box{};
  double radius = 0;       ///< [m]
  double viscosity = 0;    ///< [Pa s]
  double tolerance = 1e-4; ///< of Task
  std::int64_t count = 1;  ///< about so many
};

/// The sum that their mobility is. Throws Error where radius or viscosity is not a positive, finite number.
Task task_of(const Spheres&);

/// How forces on spheres move them all: the mobility M of Rotne, Prager and Yamakawa, a sum over stokeslets of spheres
/// (Task::radius) over 8 pi times the viscosity. A sphere alone moves by F/(6 pi mu a); so does any one among the
/// others, beside what their flows do to it. M has no negative eigenvalue, however near they come, and no divergence.
/// Its own turning, and what spheres do to each other beyond the flows of forces on them, are not in it: see
/// docs/stokes.md.
class Mobility {
public:
  /// Throws Error as `choose` does, and where the viscosity is not a positive, finite number.
  explicit Mobility(const Spheres& spheres, const Parameters& fixed = {}, const CostModel& = {});

  /// Sets velocities [m/s] to M times forces [N]. Throws Error as SumPlan's call does.
  void operator()(Cpu, const Positions<double>& at, const std::array<Column<const double>, 3>& force,
                  const std::array<Column<double>, 3>& velocity);

  /// Sets random velocities of mean 0, whose covariance is 2 k_B T M/dt, of `energy` = k_B T [J] and a step dt [s]:
  /// with them spheres come as far as Brownian motion takes them. Throws Error as SumPlan::fluctuate does.
  void fluctuate(Cpu, const Positions<double>& at, double energy, double dt, const NormalNumbers&,
                 const std::array<Column<double>, 3>& velocity);

  const SumPlan& plan() const { return plan_; }
  double radius() const { return plan_.task().radius; } ///< [m]
  double viscosity() const { return viscosity_; }       ///< [Pa s]
  std::int64_t bytes() const { return plan_.bytes(); }

private:
  double viscosity_;
  SumPlan plan_;
};

} // namespace corral::stokes
