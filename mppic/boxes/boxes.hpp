#pragma once

#include "fluid/faces.hpp"

#include <corral/cell_order.hpp>
#include <corral/kernels/composite.hpp>
#include <corral/kernels/linear.hpp>
#include <corral/kernels/nearest.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace corral::mppic {

/// The kernel of boxes between neighbouring cells' centres: one point along a face's normal, two across. It is what the
/// trilinear kernel of the cells turns into when a parcel moves: the parcels' flux through these boxes changes theta_c
/// by exactly its divergence, and what it interpolates of face gradients is exactly the gradient of the trilinear
/// interpolant of cells. The trilinear kernel of the faces is wider along the normal and sees neither.
using BoxKernel = kernels::Composite<kernels::Nearest, kernels::Linear>;

/// Maps with the trilinear kernel of the cells and the kernel of boxes in one pass. Between eight centres both have the
/// same eight weights: a parcel's share of a box is the sum of its shares of the two cells that the box joins. The
/// engine's maps with these kernels give the same numbers up to round-off (the tests' oracle) in two passes at a higher
/// cost. Parcels lie in cell order, of groups between centres; axes are periodic or end at walls.
class Boxes {
public:
  explicit Boxes(const Grid& grid) : grid_(grid) {}

  using Place = std::array<const double*, 3>; ///< columns of the parcels' positions [m]

  /// A column, its sums over cells, and over boxes where these are wanted: one for the faces of each axis, or of none
  /// but `along`. Sums are overwritten, and not divided by any volume.
  struct Term {
    const double* column;
    double* cells;                   ///< null where not wanted
    std::array<double*, 3> faces{}; ///< null where not wanted
    double* weighted = nullptr;     ///< sums over cells of the column times the weight; null where not wanted
  };
  /// At most ten terms, the first four of four and more of which may be wanted by a weight, too; then every parcel has
  /// one. Throws Error where there are more.
  template <Execution E>
  void spread(E, const CellOrder<double>& order, const Place& place, const std::vector<Term>& terms,
              const double* weight = nullptr) const;

  /// fluxes[d] = what crosses the faces of axis d when each parcel carries its `weight` along by distance[d], less than a
  /// cell: sums of both times the kernel of boxes, the part of a way that lies in the next box counted there, so that the
  /// divergence is what the cells will have lost, exactly along one axis, of second order where ways go across several.
  /// Overwritten, and not divided by any volume; 0 along thin axes.
  template <Execution E>
  void spread_fluxes(E, const CellOrder<double>& order, const Place& place, const double* weight,
                     const std::array<const double*, 3>& distance, fluid::FaceArrays& fluxes) const;

  /// columns[d] = values of the faces of axis d by the kernel of boxes + values of cells by the trilinear kernel, which
  /// fall to 0 from the last centre to the box's side along d, as a displacement does at a wall; 0 along thin axes.
  template <Execution E>
  void interpolate(E, const CellOrder<double>& order, const Place& place, const fluid::FaceArrays& faces,
                   const std::array<Array<double>, 3>& cells, const std::array<double*, 3>& columns) const;

private:
  Grid grid_;
};

} // namespace corral::mppic
