#pragma once

#include "stokes/far/box.hpp"
#include "stokes/sums/kind.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

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
  /// Where above 0, forces of stokeslets act on spheres of this radius, and velocities are of such spheres [m]: sums of
  /// Rotne, Prager and Yamakawa (sums/spheres.hpp), a force's own sphere among the targets included. Velocities alone.
  double radius = 0;
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

/// Throws Error where it is not one of Task.
void require_tolerance(double tolerance);

/// Cells of the near field: of a fraction of the cut-off, such that some targets are in each. The smaller they are, the
/// fewer pairs are looked at in vain, and the more often sources are gathered.
std::array<std::int64_t, 3> near_cells(const Task& task, double cut_off);

/// The grid's box. Along free axes it is longer than the points' by what lets no source reach another one's image.
SpectralBox spectral_box(const Task& task, const Parameters& parameters);

/// What they are expected to err by, in the units of the tolerance, and to take.
struct Expected {
  double near = 0, far = 0, window = 0, total = 0; ///< the worst of the results asked for
  double near_seconds = 0, far_seconds = 0;        ///< on one core; sorts, some hundredths of that, are not in it
};

/// Seconds of a core for what sums are made of. `corral bench --suite stokes --fit` finds a machine's.
struct CostModel {
  double pair = 9e-10;              ///< of a pair that is looked at,
  double pair_decimal = 7e-11;      ///< for each decimal of the tolerance,
  double pair_column = 1.8e-10;     ///< and for each column of strengths and of results
  double gather = 2.5e-9;           ///< a source beside a group of targets, of a coordinate or a strength
  double near_particle = 8e-8;      ///< a source, brought to its place for the near field
  double map_particle = 5e-8;       ///< a source or target, of a map
  double map_point = 2.7e-10;       ///< its stencil point, of a column, where particles share what the map has at hand,
  double map_point_apart = 5.5e-10; ///< and where they are too far apart for that
  double transform = 3.6e-10;       ///< a grid point, of a field, per doubling of the grid,
  double transform_seven = 1.75e-9; ///< and for each factor 7 of its lengths
};
/// The constants by name, those of the near field first.
struct CostPart {
  std::string_view name;
  double CostModel::*seconds;
  bool near;
};
inline constexpr std::array cost_parts{CostPart{"pair", &CostModel::pair, true},
                                       CostPart{"pair_decimal", &CostModel::pair_decimal, true},
                                       CostPart{"pair_column", &CostModel::pair_column, true},
                                       CostPart{"gather", &CostModel::gather, true},
                                       CostPart{"near_particle", &CostModel::near_particle, true},
                                       CostPart{"map_particle", &CostModel::map_particle, false},
                                       CostPart{"map_point", &CostModel::map_point, false},
                                       CostPart{"map_point_apart", &CostModel::map_point_apart, false},
                                       CostPart{"transform", &CostModel::transform, false},
                                       CostPart{"transform_seven", &CostModel::transform_seven, false}};

/// In each place how many of these a sum has, rather than seconds: of points everywhere alike. `pair` is how many pairs
/// are computed, those beyond the cut-off included.
CostModel amounts(const Task&, const Parameters&);

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
