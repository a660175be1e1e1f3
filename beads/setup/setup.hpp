#pragma once

#include "geometry/distances/surface_tree.hpp"
#include "stokes/lubrication/lubricated_mobility.hpp"
#include "run/case/flow_box.hpp"
#include "run/time_step.hpp"
#include "structure/setup/immersed.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace corral::beads {

inline constexpr double boltzmann = 1.380649e-23; ///< k_B [J/K]

/// What the beads of an assembly make up.
enum class GroupShape : std::uint8_t {
  sphere, ///< one bead
  fibre,  ///< a chain of them, the first one in the direction of its axis
  shell   ///< a rigid sphere whose surface they cover
};

struct FibreModel {
  std::int64_t beads = 1;
  double spacing = 0;    ///< of neighbours at rest [m]
  double stretching = 0; ///< stiffness of a bond [N/m]
  double bending = 0;    ///< stiffness against bending, EI [N m2]
};

/// A fibre that swims: it pushes the fluid with one force, and is itself pushed along its axis by the opposite one.
struct SwimModel {
  double thrust = 0;  ///< on the fibre [N]; 0: it does not swim
  double reach = 0;   ///< from an end to where it pushes the fluid [m]
  bool ahead = false; ///< that is ahead of the first bead, as of a puller; else behind the last one
};

/// A rigid sphere of many beads: those of the shell stand about its centre, its axis along z.
struct ShellModel {
  double radius = 0;                    ///< [m]
  std::vector<geometry::Vector> beads;  ///< [m]
  double speed = 0;                     ///< with which it swims alone, along its axis [m/s]
  double dipole = 0;                    ///< B2/B1 of a squirmer: above 0 it pulls, below 0 it pushes
  bool swims() const { return speed > 0; }
};

struct Ball {
  geometry::Vector centre{}; ///< [m]
  double radius = 0;         ///< [m]
};

/// Assemblies of one shape that are placed together.
struct BeadGroup {
  structure::ImmersedGroup placed; ///< `surface` means nothing here
  std::optional<Ball> within;      ///< random: the part of the region that has their centres
  GroupShape shape = GroupShape::sphere;
  FibreModel fibre{};
  SwimModel swim{};
  ShellModel shell{};
  geometry::Vector force{}; ///< on each bead, its weight included [N]

  bool rigid() const { return shape == GroupShape::shell; }
  std::int64_t beads() const; ///< of an assembly
  /// Solid spheres that an assembly is to others: a shell is one, and anything else its beads.
  std::int64_t balls() const { return rigid() ? 1 : beads(); }
  double ball_radius(double bead_radius) const { return rigid() ? shell.radius : bead_radius; } ///< [m]
  /// Of an assembly's solid spheres, each with half a gap around it [m3].
  double volume(double bead_radius, double gap = 0) const;
};

/// How beads push each other that come near: F = strength (1 - gap/range).
struct ContactModel {
  double range = 0;    ///< gap of surfaces where it begins [m]; 0: they don't
  double strength = 0; ///< where surfaces touch [N]
};

enum class Scheme : std::uint8_t { euler, midpoint, ab2 };

struct StepModel : run::StepLengths {
  Scheme scheme = Scheme::midpoint;
  double displacement = 0.1; ///< of a bead beside the mean of all in a step, at most, over the radius
};

/// A checked case: a box, its fluid, and beads in it.
struct BeadsSetup : run::FlowBox { ///< `cells` are those that neighbours are looked for in
  double viscosity = 0;   ///< [Pa s]
  double temperature = 0; ///< [K]; 0: no Brownian motion
  double tolerance = 1e-4; ///< of velocities
  std::optional<stokes::LubricatedMobility::Options> lubrication;
  double radius = 0;      ///< of all beads [m]
  std::vector<BeadGroup> groups;
  std::vector<std::vector<geometry::Placement>> places; ///< of assemblies at the start, by group
  ContactModel contact;
  StepModel time;
  std::uint64_t random_seed = 1;
  std::vector<std::string> warnings;

  bool periodic(std::size_t d) const { return sides[2 * d] == fluid::SideKind::periodic; }
  double mobility() const; ///< of a bead alone, 1/(6 pi viscosity radius) [m/(N s)]
  double energy() const { return boltzmann * temperature; } ///< k_B T [J]
  std::int64_t beads() const;    ///< of all groups that were placed
  std::int64_t swimmers() const; ///< fibres that swim
  bool swims() const;            ///< whether any assembly does
  std::int64_t shells() const;
  /// Velocity of a bead of the group by the force on each of its beads, where nothing else is [m/s].
  geometry::Vector velocity_alone(const BeadGroup& group) const;
  geometry::Vector mean_velocity_alone() const; ///< over all beads [m/s]; 0 where velocities cancel but for round-off
  geometry::Vector mean_force() const; ///< on a bead, beside what beads do to each other [N]; 0 likewise
  bool falls() const; ///< whether there is a mean force, and a mean velocity by it
  /// How far apart centres may be where pairs are looked at [m]: as contact reaches, and four radii at least.
  double pair_range() const;
};

/// Where bead k of an assembly stands beside its centre, at rest, when its axis points along z [m].
geometry::Vector bead_offset(const BeadGroup& group, std::int64_t k);
/// From the centre of an assembly to the surface of its farthest bead [m].
double reach_of(const BeadGroup& group, double radius);

/// The longest steps that the stiffness of fibres and of contact allows with half of what is stable [s]; infinite without.
double stable_step(const BeadsSetup& setup);
/// As long as adaptive steps are by that: a fifth of it with Brownian motion, of which stiff modes otherwise keep too much [s].
double stiff_step(const BeadsSetup& setup);
/// The step in which a bead alone diffuses as far as it may move [s]; infinite without Brownian motion.
double diffusive_step(const BeadsSetup& setup);

} // namespace corral::beads
