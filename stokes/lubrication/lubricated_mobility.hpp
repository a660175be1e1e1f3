#pragma once

#include "stokes/lubrication/two_spheres.hpp"
#include "stokes/mobility.hpp"

#include <corral/array.hpp>
#include <corral/cell_order.hpp>
#include <corral/execution.hpp>

#include <array>
#include <cstdint>
#include <span>

namespace corral::stokes {

/// A mobility with what it lacks of nearby spheres' drag: U = M (F - R U), R pair by pair the drag of two spheres alone
/// along their line of centres, exactly, less what M has of it (Durlofsky, Brady and Bossis 1987, of forces alone).
/// Across that line it is M's. R has no negative eigenvalue.
class LubricatedMobility {
public:
  static constexpr int most_iterations = 500;

  struct Options {
    double range = 4;        ///< gap between surfaces from which on R is 0, in radii
    double least_gap = 1e-3; ///< below it drag is what it is there, overlaps included, in radii
    double error = 1e-4;     ///< of velocities, relative
  };
  /// `mobility` must outlive this. Throws Error where 0 < least_gap < range <= 100 or 1e-12 <= error <= .1 does not
  /// hold.
  LubricatedMobility(Mobility& mobility, const Options& options);

  /// Sets velocities [m/s] of forces [N]. Spheres of one assembly don't lubricate each other, nor do those beyond the
  /// last that has an assembly lubricate any. Throws Error as Mobility does, where spheres are outside of the box
  /// along free axes, and where so many iterations don't suffice.
  void operator()(Cpu, const Positions<double>& at, std::span<const std::int32_t> assembly,
                  const std::array<Column<const double>, 3>& force, const std::array<Column<double>, 3>& velocity);

  int iterations() const { return iterations_; } ///< of the last call
  std::int64_t bytes() const;

private:
  /// Adds R's product to drag.
  void add_drag(Cpu, const Array<double>& velocity, Array<double>& drag) const;
  void apply(Cpu, const Positions<double>& at, const Array<double>& force, Array<double>& velocity);

  Mobility& mobility_;
  Options options_;
  LubricationTable table_;
  Grid cells_;
  CellOrder<double> order_;
  std::span<const std::int32_t> assembly_;
  Array<double> velocity_, rest_, moved_, direction_, along_, product_;
  int iterations_ = 0;
};

} // namespace corral::stokes
