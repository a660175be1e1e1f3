#pragma once

#include "fluid/spectral/object_pool.hpp"
#include "stokes/near/near_task.hpp"
#include "stokes/near/screening.hpp"
#include "stokes/near/sphere_table.hpp"
#include "stokes/sums/kind.hpp"

#include <corral/array.hpp>
#include <corral/cell_order.hpp>
#include <corral/execution.hpp>
#include <corral/grid.hpp>
#include <corral/views.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace corral::stokes {

/// Particles in the places of an order: where they are, and how strong.
struct PackedParticles {
  std::array<Array<double>, 3> x; ///< from the grid's corner, within the box [m]
  std::array<Array<double>, most_strengths> strength;

  /// The positions are those that the order has sorted: their own digits, which an order's fractions don't all keep.
  void pack(Cpu, const Grid&, const OrderView<double>&, const Positions<double>&,
            std::span<const Column<const double>> strengths);
};

/// What sources nearer than the cut-off give at targets, beside the far field: sums over pairs, vectors over sources. A
/// source at a target's place, to 1e-14 of the cut-off, acts without its singularity. The same bits for any number of
/// threads.
class NearField {
public:
  /// `all`: pressure and gradient, too. `error`: of a pair's near field, relative to it. `radius`: of the spheres that
  /// forces act on [m]; 0 where they act at points.
  NearField(Sum sum, bool all, double xi, double cut_off, double error, double radius);

  std::int64_t bytes() const { return spheres_ ? spheres_->bytes() : 0; } ///< of tables

  /// Particles and their order.
  struct Sorted {
    OrderView<double> order; ///< of offset zero
    Positions<double> at;    ///< [m]
  };
  /// Adds to `results`, columns(sum, all) columns of the targets. Both orders are of the same grid; where they are one
  /// order, targets are the sources.
  void add(Cpu, const Grid&, const Sorted& targets, const Sorted& sources,
           std::span<const Column<const double>> strengths, std::span<const Column<double>> results);

private:
  Sum sum_;
  bool all_;
  double xi_, cut_off_, radius_; ///< [1/m], [m], [m]
  Screening screening_;
  std::optional<SphereTable> spheres_;
  PackedParticles sources_, targets_;
  fluid::spectral::ObjectPool<Candidates> candidates_;
};

} // namespace corral::stokes
