#pragma once

#include "structure/surfaces/membranes.hpp"

#include <array>

namespace corral::membrane {

/// The ellipse in a plane that has the enclosed volume's second moments: its half axes in the plane of the shear.
struct ShearEllipse {
  double long_axis = 0, short_axis = 0; ///< of the ellipsoid with the same moments [m]
  double inclination = 0;               ///< of the long axis from the direction of the flow towards y, (-pi/2, pi/2] [rad]

  /// (L - B)/(L + B), Taylor's deformation [-].
  double deformation() const { return (long_axis - short_axis) / (long_axis + short_axis); }
};

/// Of the plane of axis `along` (0 or 2) and y.
ShearEllipse shear_ellipse(const structure::MembraneMeasures& m, int along);

} // namespace corral::membrane
