#pragma once

#include "stokes/far/box.hpp"
#include "stokes/sums/kind.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace corral::stokes {

/// Where points are. Along periodic axes they have images; along free ones the box holds them all.
struct Box {
  std::array<double, 3> origin{0, 0, 0}; ///< its lower corner [m]
  std::array<double, 3> edge{1, 1, 1};   ///< [m]
  std::array<bool, 3> periodic{true, true, true};

  double volume() const { return edge[0] * edge[1] * edge[2]; }
};

/// What a sum is to do.
struct Task {
  Sum sum = Sum::stokeslet;
  bool all_results = false; ///< pressure and gradient, too, as accurate as the velocity
  Box box{};
  /// Root mean square error over targets, in units of ErrorScale, or, where that is larger, of the result itself; 1e-14
  /// to .1.
  double tolerance = 1e-6;
  std::int64_t sources = 1; ///< about so many
  std::int64_t targets = 1;
};

/// How it is done. A number of 0 in what is handed over is one to be chosen.
struct Parameters {
  double xi = 0;                       ///< where near field and far field part [1/m]
  double cut_off = 0;                  ///< of the near field [m]
  std::array<std::int64_t, 3> modes{}; ///< points of the grid along each axis: products of 2, 3, 5 and 7
  int support = 0;                     ///< points of the window along each axis
  WindowShape window = WindowShape::kaiser_bessel;
  double beta = 0; ///< of the window
};

/// The grid's box. Along free axes it is longer than the points' by what lets no source reach another one's image.
SpectralBox spectral_box(const Box& box, const Parameters& parameters);

/// What they are expected to err by, in the units of the tolerance, and to take.
struct Expected {
  double near = 0, far = 0, window = 0, total = 0; ///< the worst of the results asked for
  double near_seconds = 0, far_seconds = 0;        ///< on one core
};

/// Seconds of a core for what sums are made of.
struct CostModel {
  double pair = 2e-9;          ///< of a pair that is looked at,
  double pair_decimal = 8e-11; ///< for each decimal of the tolerance,
  double pair_result = 4e-10;  ///< and for each result
  double map_point = 3e-10;    ///< a particle's stencil point, of a column
  double transform = 6e-10;    ///< a grid point, of a field, per doubling of the grid
};

/// Chooses what is 0 such that the tolerance is met in the least time. Throws Error where it cannot be met, for boxes
/// without volume and for grids of more than 2^32 points.
Parameters choose(const Task&, const Parameters& fixed = {}, const CostModel& = {});

Expected expect(const Task&, const Parameters&, const CostModel& = {});

/// A few lines for people: parameters, errors by part and which one dominates, time by part.
std::string report(const Task&, const Parameters&, const CostModel& = {});

/// What a pair's near field may err by, relative to it. Neighbours give more than the units of the tolerance: as L/r to
/// the power by which a result decays.
double pair_error(const Task&);

} // namespace corral::stokes
