#pragma once

#include <corral/array.hpp>

#include <cstdint>

namespace corral::stokes {

/// Drag of two equal spheres that move along their line of centres, over 6 pi mu a U: of both the same way (Stimson and
/// Jeffery 1926), and of both towards each other, as one towards a plane without friction (Brenner 1961). Exact for any
/// gap between their surfaces, in radii, above 0.
struct TwoSphereDrag {
  double same, opposite;
};
TwoSphereDrag two_sphere_drag(double gap);

/// What these are above the drag that RPY's mobility has of the same motions; less its value at a range, where it so
/// ends without a step. In a table of gaps.
class LubricationTable {
public:
  /// To that range of the gap; below `least_gap` it stays what it is there. All in radii.
  LubricationTable(double range, double least_gap);

  TwoSphereDrag operator()(double gap) const;

private:
  double range_, least_gap_, scale_; ///< scale: entries over the logarithm of the gap
  Array<double> entries_;            ///< [same, opposite times gap]
};

} // namespace corral::stokes
