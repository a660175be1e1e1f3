#pragma once

#include "geometry/vector.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace corral::stokes {

/// Force and torque, or velocity and angular velocity: x, y, z of either.
using Six = std::array<double, 6>;

/// Beads of one radius that keep their places in a body: a shell of them is a sphere, or whatever surface they cover.
/// Holds the factors of the beads' mobility where nothing else is, without the factor 1/(8 pi mu).
class RigidShape {
public:
  /// `beads`: places from the point that forces and torques are about [m]. `slip`: at each, how fast the flow moves
  /// along the surface, in the body's frame, or none [m/s]. Throws Error where there is no bead, for radii that aren't
  /// positive, another number of slips than of beads, or numbers that aren't finite, and where two beads are in one
  /// place.
  RigidShape(std::vector<geometry::Vector> beads, double radius, std::vector<geometry::Vector> slip = {});
  ~RigidShape();
  RigidShape(RigidShape&&) noexcept;
  RigidShape& operator=(RigidShape&&) noexcept;

  std::int64_t size() const { return static_cast<std::int64_t>(beads_.size()); }
  const std::vector<geometry::Vector>& beads() const { return beads_; }
  const std::vector<geometry::Vector>& slip() const { return slip_; }

  /// Forces that give its beads these velocities where nothing else is, in the body's frame: x y z bead by bead.
  void solve(std::span<double> velocities_to_forces) const;
  /// Its motion of a force and a torque, alone, in the body's frame. Of what turns no bead, as of one bead or of a row
  /// about its axis, nothing.
  Six motion(const Six& load) const;
  /// 1/(3 pi mu) times its mobility's mean along the axes is that of a sphere of this radius: 4/(3 a) of one bead [m].
  double hydrodynamic_radius() const;

  /// Force and torque of forces on beads, and velocities of a motion, in the body's frame.
  Six load(std::span<const double> forces) const;
  void add_motion(const Six& motion, double factor, std::span<double> velocities) const;
  /// Forces on beads that give this motion where nothing else is: `solve` of the velocities of a motion.
  void add_reaction(const Six& motion, double factor, std::span<double> forces) const;

private:
  struct Factors;
  std::vector<geometry::Vector> beads_, slip_;
  std::unique_ptr<Factors> factors_;
};

/// Beads that cover a sphere, 10 f^2 + 2 of them for a frequency f: corners of an icosahedron whose faces are cut. They
/// touch their nearest neighbours, and stand so far inside that a force alone moves the shell as it moves a sphere of
/// that radius. Throws Error for radii that aren't positive and frequencies that aren't 1 to 12.
struct Shell {
  std::vector<geometry::Vector> beads; ///< [m]
  double radius;                       ///< of a bead [m]
};
Shell sphere_shell(double radius, int frequency);

/// Such a shell of beads whose radius is given: as many as have room, nine tenths of their diameter apart or more. Throws Error
/// where fewer than 12 have, or more than 642 would.
Shell sphere_shell_of(double radius, double bead);

} // namespace corral::stokes
