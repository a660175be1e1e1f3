#pragma once

#include "stokes/pairs/all_pairs.hpp"
#include "stokes/sum_plan.hpp"

#include <corral/execution.hpp>
#include <corral/views.hpp>

#include <array>
#include <cstdint>
#include <optional>

namespace corral::stokes {

/// How velocities of spheres are summed.
enum class SphereSum : std::uint8_t {
  automatic, ///< pair by pair where no axis is periodic and spheres are few (most_by_pairs); else by a grid
  grid,      ///< by Ewald's splitting (SumPlan), to a tolerance; along free axes the box holds all spheres
  pairs      ///< pair by pair, to round-off, wherever spheres are; where no axis is periodic
};

/// From about so many spheres on a grid is faster: in products; and in random velocities, for which each pair is looked
/// at ten to forty times, and the grid's far field once (docs/stokes.md has the measurements). How densely they stand
/// matters little, the tolerance more.
inline constexpr std::int64_t most_by_pairs = 2000, most_fluctuating_by_pairs = 800;

/// Spheres of one radius in a fluid without inertia.
struct Spheres {
  Box box{};
  double radius = 0;       ///< [m]
  double viscosity = 0;    ///< [Pa s]
  double tolerance = 1e-4; ///< of Task; pair by pair it is that of random velocities alone
  std::int64_t count = 1;  ///< about so many
  bool fluctuates = false; ///< random velocities are asked for, too: of many spheres a grid has them sooner
  SphereSum sum = SphereSum::automatic;
};

/// The sum that their mobility is. Throws Error where radius or viscosity is not a positive, finite number.
Task task_of(const Spheres&);

/// How they are summed: never `automatic`. Parameters that are fixed are a grid's. Throws Error for pairs along periodic
/// axes, or with such parameters.
SphereSum chosen_sum(const Spheres&, const Parameters& fixed = {});

/// How forces on spheres move them all: the mobility M of Rotne, Prager and Yamakawa, a sum over stokeslets of spheres
/// (Task::radius) over 8 pi times the viscosity. A sphere alone moves by F/(6 pi mu a); so does any one among the
/// others, beside what their flows do to it. M has no negative eigenvalue, however near they come, and no divergence.
/// Its own turning, and what spheres do to each other beyond the flows of forces on them, are not in it: see
/// docs/stokes.md.
class Mobility {
public:
  /// Throws Error as `choose` does where there is a grid, as `chosen_sum` does, and where radius or viscosity is not a
  /// positive, finite number or the tolerance not one of Task.
  explicit Mobility(const Spheres& spheres, const Parameters& fixed = {}, const CostModel& = {});

  /// Sets velocities [m/s] to M times forces [N]. Throws Error, and has then changed nothing, for columns of other
  /// lengths, where a coordinate or a force is not finite, and with a grid for spheres outside of the box along free
  /// axes.
  void operator()(Cpu, const Positions<double>& at, const std::array<Column<const double>, 3>& force,
                  const std::array<Column<double>, 3>& velocity);

  /// Sets random velocities of mean 0, whose covariance is 2 k_B T M/dt, of `energy` = k_B T [J] and a step dt [s]:
  /// with them spheres come as far as Brownian motion takes them. Throws Error as SumPlan::fluctuate or
  /// AllPairs::fluctuate does.
  void fluctuate(Cpu, const Positions<double>& at, double energy, double dt, const NormalNumbers&,
                 const std::array<Column<double>, 3>& velocity);

  const Spheres& spheres() const { return spheres_; }               ///< `sum` says how they are summed
  const SumPlan* plan() const { return plan_ ? &*plan_ : nullptr; } ///< of a grid, else none
  double radius() const { return spheres_.radius; }                 ///< [m]
  double viscosity() const { return spheres_.viscosity; }           ///< [Pa s]
  std::int64_t bytes() const { return plan_ ? plan_->bytes() : pairs_.bytes(); }

private:
  Spheres spheres_;
  std::optional<SumPlan> plan_;
  AllPairs pairs_; ///< where there is no plan
};

} // namespace corral::stokes
