#pragma once

#include "geometry/distances/surface_tree.hpp"
#include "structure/bodies/rigid_motion.hpp"
#include "structure/setup/rigid_body.hpp"

#include <vector>

namespace corral::structure {

/// Where a given motion takes a body, and how fast: formulas of time, so that steps add no error. A path goes through its
/// points by cubics whose slopes are those of the parabola through each point and its neighbours (velocity is continuous,
/// and exact for what is quadratic in time); before its first point and after its last one it stands.
class GivenPath {
public:
  /// Throws Error where an axis is 0, a number is not finite, or times of the path don't ascend.
  explicit GivenPath(const GivenMotion& motion);

  geometry::Vector shift(double time) const;    ///< from where the body was placed [m]
  geometry::Vector velocity(double time) const; ///< its derivative [m/s]
  /// Mean velocity between two times, which takes a body exactly from the one to the other [m/s].
  geometry::Vector mean_velocity(double from, double to) const;
  geometry::Vector angular_velocity() const { return rotation_; } ///< [rad/s]
  /// How the body stands that was placed at `start`, with all its velocities; what belongs to loads is left alone.
  void set(const geometry::Placement& start, double time, RigidState& state) const;
  /// No less than its speed at any time [m/s].
  double fastest() const;

private:
  /// Between two points of the path.
  struct Piece {
    double begin, length;        ///< [s]
    std::array<geometry::Vector, 4> coefficients; ///< of powers of the share of the length [m]
  };
  const Piece* piece_at(double time) const;

  geometry::Vector velocity_, rotation_;
  geometry::Vector amplitude_; ///< along the axis [m]
  double angular_frequency_, phase_;
  std::vector<Piece> pieces_;
  geometry::Vector first_{}, last_{}; ///< shifts before and after these
};

} // namespace corral::structure
