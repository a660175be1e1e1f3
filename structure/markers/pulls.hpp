#pragma once

#include "structure/setup/immersed.hpp"
#include "structure/surfaces/membranes.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace corral::structure {

/// Opposite forces on the two ends of membranes. Which vertices an end holds is settled by where they start.
class Pulls {
public:
  /// A membrane whose vertices are points [first, first + x.size()) and start at `x` [m].
  void hold(const Pull& pull, std::int64_t first, std::span<const std::array<double, 3>> x);

  /// Adds the forces at a time [s] to those of the points [N].
  void add(double time, const Points& force) const;
  /// What they do per time to points that move at `velocity` [W].
  double power(double time, const ConstPoints& velocity) const;
  bool any() const { return !held_.empty(); }

private:
  struct Held {
    std::int64_t point;
    int axis;
    double force, ramp; ///< [N], signed; [s]
    double at(double time) const { return ramp > 0 && time < ramp ? force * (time / ramp) : force; }
  };
  std::vector<Held> held_;
};

} // namespace corral::structure
