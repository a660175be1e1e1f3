#pragma once

#include "structure/setup/material.hpp"
#include "structure/triangles/connectivity.hpp"
#include "structure/triangles/in_plane.hpp"
#include "structure/triangles/reference.hpp"

#include <corral/memory.hpp>

#include <array>
#include <cstdint>
#include <span>

namespace corral::structure {

/// What all membranes of triangles of one mesh and material share: who touches whom, the shape without stress, and the
/// volume and area that they are held at.
class TriangleShape {
public:
  /// Of points [m] and triangles, outward by the right-hand rule. Volume and area are held at those of `points`; stress, rest
  /// curvature, stretch and tethers' areas refer to `reference`, a shape of as many points, or to `points` where that is empty.
  /// Its arrays lie in `memory`. Throws Error for surfaces that are not closed, oriented and outward, triangles without area,
  /// and moduli that are negative or not finite.
  TriangleShape(std::span<const Vector> points, std::span<const std::array<std::int32_t, 3>> triangles,
                const Material& material, std::span<const Vector> reference, Memory memory);

  std::int64_t vertices() const { return connectivity_.vertices(); }
  std::int64_t triangles() const { return connectivity_.triangles(); }
  ConnectivityView connectivity() const { return connectivity_.view(); }
  ReferenceView reference() const { return reference_.view(); }
  double spacing() const { return reference_.spacing(); } ///< mean length of sides in the reference shape [m]
  const ExtentPenalty& penalty() const { return penalty_; }

private:
  VolumeAndArea extent_of(std::span<const Vector> points) const;

  Connectivity connectivity_;
  TriangleReference reference_;
  ExtentPenalty penalty_;
};

} // namespace corral::structure
