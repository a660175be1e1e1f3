#pragma once

#include "beads/forces/contact.hpp"
#include "beads/forces/elasticity.hpp"
#include "beads/setup/assemblies.hpp"
#include "beads/setup/setup.hpp"
#include "beads/step/rigid_parts.hpp"
#include "run/driver.hpp"
#include "run/phases.hpp"
#include "run/state/books.hpp"
#include "run/state/registry.hpp"
#include "stokes/lubrication/lubricated_mobility.hpp"
#include "stokes/mobility.hpp"
#include "structure/surfaces/membranes.hpp"

#include <corral/array.hpp>
#include <corral/grid.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace corral::beads {

/// The set of particles that a run of this driver has.
extern const run::ParticleKind bead_kind;

/// What the mobility of a case is made for.
stokes::Spheres spheres_of(const BeadsSetup& setup);

/// The step of beads (docs/beads.md), and the state that it advances.
class BeadsStep {
public:
  /// Keeps references.
  BeadsStep(const BeadsSetup& setup, const Grid& grid, run::Registry& registry, run::Phases& phases);

  void start();    ///< the state at time 0
  void restored(); ///< brings up to date what the next step needs of a state
  /// Advances the state by clock.dt(). Throws Error where a bead is at no place, or they spread too far along a free axis.
  void advance(const run::Clock& clock);
  void before_output(); ///< brings up to date what output alone shows

  std::int64_t beads() const { return set_.size(); }
  std::span<const Assembly> assemblies() const { return assemblies_; }
  structure::ConstPoints positions() const { return const_pointers(position_); } ///< [m]
  structure::ConstPoints velocities() const { return const_pointers(velocity_); } ///< by forces, at the positions [m/s]
  structure::ConstPoints displacements() const { return const_pointers(displacement_); } ///< since the start [m]
  geometry::Vector mean(const structure::ConstPoints& of) const; ///< over all beads
  /// From the last bead of a fibre to its first [m].
  geometry::Vector end_to_end(const Assembly& a) const;
  /// Where an assembly points: of length 1; of a sphere nowhere, which is 0.
  geometry::Vector axis(std::int64_t assembly) const;

  // Of the state as it is after `start` or a step.
  const ElasticEnergy& elastic() const { return elastic_; }      ///< [J]
  const Contact::Found& contact() const { return contact_found_; }
  double power() const { return power_; }                         ///< of all forces on the fluid [W]
  double fastest() const { return fastest_; }                     ///< of a bead beside the mean of all [m/s]
  std::int64_t bytes() const { return mobility_.bytes() + contact_.bytes() + (lubricated_ ? lubricated_->bytes() : 0) + rigid_.bytes(); }
  /// Products with the mobility that the last evaluation took.
  int products() const;
  const stokes::Mobility& mobility() const { return mobility_; }

private:
  static structure::ConstPoints const_pointers(const run::Components& c) { return {c[0]->data(), c[1]->data(), c[2]->data()}; }
  using Scratch = std::array<Array<double>, 3>;

  void build();
  void declare_bonds();
  /// Velocities of beads at x by the forces that act there, into source_velocity_.
  /// Rigid assemblies stand at `places`.
  void evaluate(const structure::ConstPoints& x, const Array<double>& places);
  void find_velocities(const Array<double>& places);
  void find_sources(const structure::ConstPoints& x);
  void keep_in_box();
  void find_forces();
  void push_with_thrust();
  /// Moves beads by dt (share U + other_share V) and what Brownian motion does.
  void move(double dt, double share, const structure::ConstPoints& U, double other_share, const structure::ConstPoints& V);
  void move_rigid(double dt, double share, const Array<double>& U, double other_share, const Array<double>& V);
  void shake(const run::Clock& clock);
  void bring_back();
  void find_fastest();
  void settle(); ///< velocities, forces and figures of the state as it is

  const BeadsSetup& setup_;
  run::Phases& phases_;
  run::ParticleSet& set_;
  run::Components position_, velocity_, force_, displacement_;
  std::optional<run::Components> axis_;   ///< where assemblies point, for output
  std::optional<run::Components> before_; ///< velocities at the start of the last step, of ab2 [m/s]
  double last_dt_ = 0;                    ///< its length [s], of ab2; 0 where there was none
  run::Books books_;
  std::vector<Assembly> assemblies_;
  std::vector<std::int32_t> assembly_; ///< of each bead
  std::vector<std::int64_t> swimmers_; ///< assemblies; each has a source behind the beads
  Contact contact_;
  stokes::Mobility mobility_;
  std::optional<stokes::LubricatedMobility> lubricated_;
  RigidParts rigid_;
  geometry::Vector shift_{}; ///< from places to those in the mobility's box [m]
  Array<double> moved_places_;
  Scratch source_at_, source_force_, source_velocity_; ///< of beads, and then of what swimmers push
  Scratch midway_, random_;
  ElasticEnergy elastic_{};
  Contact::Found contact_found_{};
  double power_ = 0, fastest_ = 0;
};

} // namespace corral::beads
