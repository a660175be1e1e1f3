#pragma once

#include "stokes/accuracy/parameters.hpp"
#include "stokes/sums/kind.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace corral::stokes {

/// The same sums by Ewald's formulas themselves, in free space pair by pair (all axes are periodic, or none), in long
/// double: slow, and what others are compared with. By columns; targets x columns(sum, all) results, target behind
/// target.
struct DirectSum {
  Sum sum = Sum::stokeslet;
  bool all_results = false;
  Box box{};
  double radius = 0;       ///< of Task [m]
  double xi = 0;           ///< 0: five over the box's shortest edge; results do not depend on it
  double accuracy = 1e-17; ///< terms below it are left out

  std::vector<long double> operator()(std::span<const std::array<double, 3>> sources,
                                      std::span<const std::array<double, most_strengths>> strengths,
                                      std::span<const std::array<double, 3>> targets) const;
};

} // namespace corral::stokes
