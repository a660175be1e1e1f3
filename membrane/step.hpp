#pragma once

#include "fluid/domain.hpp"
#include "membrane/case/setup.hpp"
#include "membrane/markers/marker_maps.hpp"
#include "membrane/markers/repulsion.hpp"
#include "membrane/motion/fluid_motion.hpp"
#include "membrane/motion/work.hpp"
#include "membrane/placing/build.hpp"
#include "membrane/stable_step.hpp"
#include "run/phases.hpp"
#include "run/state/registry.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace corral::membrane {

/// The step of membranes in a fluid (docs/membranes.md), and the state that it advances.
class MembraneStep {
public:
  MembraneStep(const MembraneSetup& setup, const fluid::Domain& domain, run::Registry& registry, run::Phases& phases);

  void start();               ///< the state at time 0
  void restored(double time); ///< brings up to date what follows from a state that came to this time [s]
  /// Advances the state from `time` by `dt` [s].
  void advance(double time, double dt);

  std::int64_t membranes() const { return static_cast<std::int64_t>(measures_.size()); }
  /// Of all of them as they are now.
  const std::vector<MembraneMeasures>& measures() const { return measures_; }
  /// The farthest of the membranes of each surface.
  std::vector<Deformation> deformations() const;
  const FluidMotion& motion() const { return motion_; }
  const EnergyBooks& work() const { return work_; }
  const std::deque<Population>& populations() const { return built_.populations; }
  std::deque<Population>& populations() { return built_.populations; }
  double repulsion_energy() const { return repulsion_energy_; } ///< midway in the last step [J]
  double energy() const;                                        ///< kinetic, and all of the membranes' [J]
  const std::array<double, 3>& net_force() const { return net_force_; } ///< on the fluid, in the last step [N]
  int maps() const { return maps_; }   ///< of the last step, fields times calls
  int sorts() const { return sorts_; }
  std::int64_t bytes() const;          ///< memory beside the registry's

private:
  template <class F> void each(F f) {
    for (Population& p : built_.populations) f(p);
  }
  void find_velocity(const fluid::ConstFacePointers& u);
  /// Forces of the membranes, and what pulls at them, where they are midway.
  void find_forces(double time, double dt, double ahead);
  void repel();
  void spread();
  void account(double time, double dt, double ahead);
  void measure();
  void require_sound() const;
  void bring_back();

  const MembraneSetup& setup_;
  const fluid::Domain& domain_;
  run::Phases& phases_;
  FluidMotion motion_;
  MarkerMaps maps_of_markers_;
  Built built_;
  std::optional<Repulsion> repulsion_;
  EnergyBooks work_;
  std::vector<MembraneMeasures> measures_;
  std::array<double, 3> net_force_{};
  double repulsion_energy_ = 0, anchor_work_ = 0; ///< [J]
  double power_near_walls_ = 0; ///< of walls that slide, on forces that they take themselves [W]
  int maps_ = 0, sorts_ = 0;
};

} // namespace corral::membrane
