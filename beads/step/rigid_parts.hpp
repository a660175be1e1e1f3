#pragma once

#include "beads/setup/assemblies.hpp"
#include "beads/setup/setup.hpp"
#include "run/state/registry.hpp"
#include "stokes/rigid/rigid_mobility.hpp"
#include "structure/surfaces/membranes.hpp"

#include <corral/array.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace corral::beads {

/// The slip at a shell's beads of Blake's squirmer, B1 sin(theta) + B2 sin(theta) cos(theta) along its surface [m/s]. Beads are a thick skin: B1 and B2 are such that speed and dipole of a squirmer alone are a sphere's.
std::vector<geometry::Vector> squirming(const ShellModel& model, double bead_radius);

/// Rigid assemblies of a run: where they stand, how they are turned, how they move. Of each: centre x y z [m], and the
/// quaternion w x y z that turns its axes into the world's; velocity x y z [m/s] and angular velocity x y z [rad/s].
class RigidParts {
public:
  static constexpr std::int64_t place_numbers = 7, motion_numbers = 6;

  /// Keeps references. Declares its state, with motions of the last step where a scheme looks back.
  RigidParts(const BeadsSetup& setup, std::span<const Assembly> assemblies, std::int64_t sources, stokes::Mobility& mobility,
             run::Registry& registry);

  const Array<double>& places() const { return places_; }
  /// Those that motions (share U + other V) lead to in dt [s].
  void move(double dt, double share, const Array<double>& U, double other, const Array<double>& V, Array<double>& places) const;
  /// Sets the beads of rigid assemblies.
  void put(const Array<double>& places, const structure::Points& x) const;
  /// Velocities of all sources, of forces on them: rigid assemblies at `places` plus `shift`, all others at `at`.
  void solve(const Array<double>& places, const geometry::Vector& shift, const structure::ConstPoints& at,
             const structure::ConstPoints& force, const structure::Points& velocity);

  Array<double>& state() { return places_; }
  Array<double>& motions() { return motions_; } ///< in the state
  Array<double>& before() { return before_; }   ///< likewise, at the start of the last step
  const Array<double>& found() const { return found_; } ///< by the last call of `solve`
  geometry::Vector axis(std::int64_t rigid) const;
  std::span<const std::int64_t> assemblies() const { return rigid_; }
  /// The number among the rigid ones of an assembly; -1 of others.
  std::int64_t number(std::int64_t assembly) const { return number_[static_cast<std::size_t>(assembly)]; }
  int iterations() const { return mobility_.iterations(); } ///< of the last call of `solve`
  std::int64_t bytes() const { return mobility_.bytes(); }

private:
  geometry::Vector centre(const Array<double>& places, std::int64_t r) const;
  geometry::Rotation turned(const Array<double>& places, std::int64_t r) const;

  const BeadsSetup& setup_;
  std::span<const Assembly> assemblies_;
  std::vector<std::int64_t> rigid_, number_; ///< assemblies; the place of each among them
  std::vector<std::int64_t> alone_;          ///< sources that are no part of one
  stokes::RigidMobility mobility_;
  Array<double> places_, motions_, before_, found_;
  std::vector<stokes::RigidPlace> at_; ///< rigid ones, then those alone
  std::vector<stokes::Six> loads_, six_;
};

} // namespace corral::beads
