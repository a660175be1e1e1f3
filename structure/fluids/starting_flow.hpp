#pragma once

#include "structure/setup/flow.hpp"

#include <array>
#include <cstddef>

namespace corral::structure {

/// How a lattice fluid starts: drive.velocity, and beside it, where drive.start asks for that, the flow that shear, walls of y
/// and the body force alone come to. That is known along an axis that is periodic where the third axis is so, too, or
/// ends at free-slip walls; elsewhere it counts as 0.
class StartingFlow {
public:
  explicit StartingFlow(const FlowSetup& flow) : flow_(flow) {}

  /// Component d at a height above the box's lower end [m/s].
  double operator()(std::size_t d, double height) const;
  /// What it comes to in the end, whatever it starts with.
  double developed(std::size_t d, double height) const;
  /// The largest part along an axis as it starts, vortices included [m/s].
  double fastest(std::size_t d) const;
  /// Of drive.vortices (vortices.hpp) [m/s].
  double fastest_vortex(std::size_t d) const;

private:
  bool parallel(std::size_t d) const;

  const FlowSetup& flow_;
};

} // namespace corral::structure
