#pragma once

#include "fluid/domain.hpp"
#include "fluid/faces.hpp"
#include "membrane/setup/setup.hpp"
#include "membrane/step/energy_books.hpp"
#include "membrane/step/energy_guard.hpp"
#include "membrane/step/stable_step.hpp"
#include "membrane/step/stiffest_mode.hpp"
#include "membrane/step/traffic.hpp"
#include "membrane/step/viscous_forces.hpp"
#include "run/phases.hpp"
#include "run/state/registry.hpp"
#include "structure/fluids/fluid.hpp"
#include "structure/markers/enclosed_viscosity.hpp"
#include "structure/markers/marker_maps.hpp"
#include "structure/markers/repulsion.hpp"
#include "structure/placing/build.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace corral::membrane {

/// The step of membranes in a fluid (docs/membranes.md), and the state that it advances, which lies where E works.
template <Execution E> class MembraneStep {
public:
  using Population = structure::Population<E>;

  /// Keeps references to all but the fluid.
  MembraneStep(E, const MembraneSetup& setup, const fluid::Domain& domain, std::unique_ptr<structure::Fluid<E>> fluid,
               run::Registry& registry, run::Phases& phases);

  void start();               ///< the state at time 0
  void restored(double time); ///< brings up to date what follows from a state that came to this time [s]
  /// Advances the state from `time` by `dt` [s].
  void advance(double time, double dt);

  E execution() const { return execution_; }
  std::int64_t membranes() const { return static_cast<std::int64_t>(measures_.size()); }
  /// Of all of them as they are now.
  const std::vector<structure::MembraneMeasures>& measures() const { return measures_; }
  /// Of their stiffest motion as they are now: a rate [1/s] in Stokes flow, a frequency squared [1/s2] elsewhere.
  double stiffest();
  /// The farthest of the membranes of each surface.
  std::vector<Deformation> deformations() const;
  const structure::Fluid<E>& fluid() const { return *fluid_; }
  void before_output() { fluid_->before_output(); } ///< of the fluid
  void before_checkpoint() { fluid_->before_checkpoint(); } ///< likewise
  const EnergyBooks& work() const { return work_; }
  const std::deque<Population>& populations() const { return built_.populations; }
  std::deque<Population>& populations() { return built_.populations; }
  double repulsion_energy() const { return repulsion_energy_; } ///< midway in the last step [J]
  double energy() const { return energy_with(fluid_->kinetic_energy()); } ///< kinetic, and all of the membranes' [J]
  double energy_with(double kinetic) const;                     ///< the same of a kinetic energy that is known
  EnergyMoment energy_moment() const;                           ///< as the books have it now
  const std::array<double, 3>& net_force() const { return net_force_; } ///< on the fluid, in the last step [N]
  const std::vector<structure::Stresslet>& stresslets() const { return stresslets_; } ///< likewise, of each membrane
  /// Likewise, that of the fluid's viscosity where it is another one, of all the box [N m].
  const structure::Stresslet& viscous_stresslet() const { return viscous_stresslet_; }
  /// Iterations of a step that the membranes' own viscosity took so far, the mean; 0 where there is none.
  double mean_viscous_iterations() const { return viscous_ ? viscous_->mean_iterations() : 0; }
  /// Of marker m of the first membrane, as it is now [m].
  std::array<double, 3> place_in_first(std::int64_t m) const;
  std::vector<std::array<double, 3>> places_of_first() const; ///< of all of its markers
  int maps() const { return maps_; }   ///< of the last step, fields times calls
  int sorts() const { return sorts_; }

private:
  template <class F> void each(F f) {
    for (Population& p : built_.populations) f(p);
  }
  void find_velocity();
  void set_viscosity(); ///< of the fluid, as membranes are midway
  /// Forces of the membranes, and what pulls at them, where they are midway.
  void find_forces(double time, double dt, double ahead);
  void repel();
  void spread();
  void account(double time, double dt, double ahead);
  void measure();
  void require_sound() const;
  void bring_back();
  std::optional<fluid::FaceArrays> kept_forces() const; ///< the field of a lattice's
  void give_back(const fluid::FaceArrays& forces);      ///< to the fluid, as if they had just been spread

  E execution_;
  const MembraneSetup& setup_;
  const fluid::Domain& domain_;
  run::Phases& phases_;
  std::unique_ptr<structure::Fluid<E>> fluid_;
  structure::MarkerMaps maps_of_markers_;
  structure::Built<E> built_;
  std::optional<structure::Repulsion> repulsion_;
  std::optional<structure::EnclosedViscosity<E>> viscosity_;
  std::optional<ViscousForces<E>> viscous_;
  std::optional<StiffestMode<E>> stiffest_;
  EnergyBooks work_;
  std::vector<structure::MembraneMeasures> measures_;
  std::vector<structure::Stresslet> stresslets_;
  structure::Stresslet viscous_stresslet_{};
  std::array<double, 3> net_force_{};
  double repulsion_energy_ = 0, anchor_work_ = 0, given_ = 0, lost_ = 0; ///< [J]
  double power_near_walls_ = 0; ///< of walls that slide, on forces that they take themselves [W]
  int maps_ = 0, sorts_ = 0;
  StepSizes sizes_;
};

} // namespace corral::membrane
