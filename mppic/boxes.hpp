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
    double* cells;
    std::array<double*, 3> faces{}; ///< null where not wanted
  };
  /// At most eight terms.
  void spread(Cpu, const CellOrder<double>& order, const Place& place, const std::vector<Term>& terms) const;

  /// columns[d] = values of the faces of axis d, by the kernel of boxes; 0 along thin axes.
  void interpolate(Cpu, const CellOrder<double>& order, const Place& place, const fluid::FaceArrays& fields,
                   const std::array<double*, 3>& columns) const;

private:
  struct Corners; ///< the cells and faces around a group

  template <class F> void for_each_row(Cpu, const CellOrder<double>& order, F f) const;
  Corners corners(const std::array<std::int64_t, 3>& group) const;

  Grid grid_;
};

} // namespace corral::mppic
