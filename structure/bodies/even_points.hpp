#pragma once

#include "geometry/surface.hpp"
#include "geometry/vector.hpp"

#include <corral/execution.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace corral::structure {

/// Points of a surface, and what part of it each stands for.
struct EvenPoints {
  std::vector<geometry::Vector> points; ///< [m]
  std::vector<double> areas;            ///< [m2]
};

/// So many points of a closed surface, spread as evenly over it as they go: most of a cloud of candidates are taken out,
/// the most crowded first (Yuksel 2015, Sample elimination for generating Poisson disk sample sets); those left move to the
/// middles of their parts of the surface, which is cut into small pieces for that (Lloyd 1982). Parts are those that lie
/// nearest to each point through space, so that sides of a sheet thinner than the spacing share them. They add up to the
/// surface's area. Points are the same for the same numbers, on any number of threads; a surface that is turned has points
/// as even, and not always the same. `count` is 4 at least.
EvenPoints even_points(Cpu, std::span<const geometry::Vector> corners, std::span<const geometry::Triangle> triangles,
                       std::int64_t count);

/// How evenly points are spread: of lengths over the root of the mean area, of areas over the mean.
struct Evenness {
  double nearest = 0, farthest = 0; ///< distance of a point's nearest neighbour, the least and the largest [-]
  double least = 0, largest = 0;    ///< area [-]
  double deviation = 0;             ///< of areas, standard [-]
};
Evenness evenness_of(Cpu, std::span<const geometry::Vector> points, std::span<const double> areas);

} // namespace corral::structure
