#pragma once

#include "body/setup/setup.hpp"
#include "body/step/traffic.hpp"
#include "fluid/domain.hpp"
#include "run/phases.hpp"
#include "run/state/registry.hpp"
#include "structure/bodies/body_points.hpp"
#include "structure/bodies/body_repulsion.hpp"
#include "structure/bodies/direct_forcing.hpp"
#include "structure/bodies/given_motion.hpp"
#include "structure/bodies/rigid_motion.hpp"
#include "structure/bodies/shape.hpp"
#include "structure/fluids/fluid.hpp"
#include "structure/markers/marker_maps.hpp"
#include "structure/surfaces/stresslet.hpp"

#include <corral/execution.hpp>

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace corral::body {

/// The set of particles that a run of this driver has.
extern const run::ParticleKind point_kind;

/// By how much points of a kind stand inside its surface [m].
double retraction(const BodySetup& setup, const structure::BodyModel& kind);

/// Of a body, and of what it moves of the fluid [kg].
inline double swinging_mass(double density, double fluid_density, double volume) { return (density + 0.5 * fluid_density) * volume; }

/// One of the bodies.
struct RigidBody {
  std::size_t kind, group;
  structure::RigidInertia inertia;
  structure::RigidState state;
  geometry::Placement start;       ///< where it was placed
  structure::BodyLoad load{};      ///< of the fluid, in the last step
  geometry::Vector inner{};        ///< the share of it that the fluid inside took [N]
  structure::RigidState before{};  ///< at the beginning of the step
  structure::BodyLoad used{};      ///< that its velocity was found with
  structure::BodyLoad owed{};      ///< by which further passes of forcing changed that: the next step has it beside its own
};

/// The step of rigid bodies in a fluid (docs/bodies.md), and the state that it advances. Points and fluid lie where E works. What
/// is of a body as a whole does on the host: where it is, what pushes it, its equations of motion. Ranks that share the fluid have all
/// points and bodies each, and move them alike. Calls are collective then, but for those that say what there is.
template <Execution E> class BodyStep {
public:
  /// Keeps references to all but the fluid.
  BodyStep(E, const BodySetup& setup, const fluid::Domain& domain, std::unique_ptr<structure::Fluid<E>> fluid,
           run::Registry& registry, run::Phases& phases);

  void start();               ///< the state at time 0
  void restored();            ///< brings up to date what follows from a state
  /// Advances the state from `time` by `dt` [s].
  void advance(double time, double dt);

  std::int64_t bodies() const { return static_cast<std::int64_t>(bodies_.size()); }
  const RigidBody& body(std::int64_t b) const { return bodies_[static_cast<std::size_t>(b)]; }
  const structure::Fluid<E>& fluid() const { return *fluid_; }
  std::int64_t points() const { return points_.size(); }
  const structure::BodyPoints<E>& point_set() const { return points_; }
  void before_output() { fluid_->before_output(); } ///< brings up to date what files show
  void before_checkpoint() { fluid_->before_checkpoint(); } ///< likewise, what is saved
  double rate() const { return rate_; }    ///< cells that fluid and bodies cross, summed over the axes, at most [1/s]
  int passes() const { return passes_; }   ///< of forcing, in the last step
  double slip() const { return slip_; }    ///< of the fluid at points, as the last pass found it [m/s]
  double fastest() const { return fastest_; } ///< of what moves: the fluid, along an axis, and the bodies' points [m/s]
  const structure::BodyRepulsion::Found& contact() const { return contact_; } ///< of bodies and walls, in the last step
  structure::Stresslet stresslet() const; ///< likewise, of all bodies and of pairs that push each other

private:
  static constexpr bool on_host = std::same_as<E, Cpu>;

  structure::BodyMode mode_of(const RigidBody& body) const { return setup_.groups[body.group].motion.mode; }
  template <class F> typename structure::BodyPoints<E>::States states_of(const F& those);
  template <class Part> void in_phase(const char* name, const Part& part);
  void place(double time, double dt);
  void push_apart();
  void force(double dt);
  void force_at_once(double dt);
  template <class Phase> void find_forces(double dt, const Phase& phase);
  void find_velocities(double dt);
  void account(double dt);
  void move(double dt);
  void find_fastest();
  void keep();

  E execution_;
  const BodySetup& setup_;
  const fluid::Domain& domain_;
  run::Phases& phases_;
  std::unique_ptr<structure::Fluid<E>> fluid_;
  std::vector<structure::BodyShape> shapes_; ///< by kind
  std::vector<std::optional<structure::GivenPath>> paths_; ///< by group
  structure::MarkerMaps maps_;
  structure::BodyPoints<E> points_;
  std::vector<RigidBody> bodies_;
  std::vector<std::int64_t> free_; ///< numbers of those that move by what acts on them
  std::vector<const structure::RigidState*> states_; ///< scratch
  std::optional<structure::DirectForcing<E>> forcing_;
  std::optional<structure::BodyRepulsion> repulsion_;
  std::vector<structure::Bumper> bumpers_;
  std::vector<structure::BodyLoad> loads_; ///< beside the fluid's
  structure::BodyRepulsion::Found contact_;
  Array<double> saved_; ///< the bodies' states
  bool moving_ = false, placed_ = false;
  std::int64_t steps_ = 0;
  StepSizes sizes_;
  int passes_ = 0;
  double slip_ = 0, fastest_ = 0, rate_ = 0;
};

} // namespace corral::body
