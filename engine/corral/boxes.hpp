#pragma once

#include <corral/cell_order.hpp>
#include <corral/execution.hpp>
#include <corral/export.h>
#include <corral/kernels/composite.hpp>
#include <corral/kernels/linear.hpp>
#include <corral/kernels/nearest.hpp>

#include <array>
#include <span>

namespace corral {

/// The kernel of boxes between neighbouring cells' centres: one point along a face's normal, two across it. It is what the
/// trilinear kernel of the cells turns into when a particle moves: the particles' flux through these boxes changes what is
/// spread to cells by exactly its divergence, and what it interpolates of face gradients is exactly the gradient of the
/// trilinear interpolant of cells. The trilinear kernel of the faces is wider along the normal and sees neither.
using BoxKernel = kernels::Composite<kernels::Nearest, kernels::Linear>;

// Maps with the trilinear kernel of the cells and the kernel of boxes in one pass. Between eight centres both have the
// same eight weights: a particle's share of a box is the sum of its shares of the two cells that the box joins. spread and
// interpolate with these kernels give the same numbers up to round-off in two passes at a higher cost.
//
// All calls: columns are contiguous, of order.size() values that lie in cell order; fields are contiguous, x fastest, of
// grid.cells() values, or grid.points(face(d)) of the faces with normal d. Sums have the same bits for any number of
// threads. Particles that the order skipped (outside, not finite) give nothing and keep what they had. With Gpu all memory
// is the device's, and a call returns before it is done.
// They throw Error, and have then changed nothing, where the order's groups do not lie between centres (Offset::half along
// every axis that is not thin), its particles do not lie in cell order or were sorted on the other processor, or an axis
// ends at an open or halo side.

/// Columns of positions [m].
using PositionColumns = std::array<const double*, 3>;

/// A column, and fields to which its sums are added: over cells, and over boxes where these are wanted, one for the faces of each
/// axis, or of none but some. Nothing is divided by a volume. Only points near particles are read or written.
struct BoxTerm {
  const double* column;
  double* cells;                   ///< null where not wanted
  std::array<double*, 3> faces{}; ///< null where not wanted
  double* weighted = nullptr;     ///< sums over cells of the column times the weight; null where not wanted
};

/// At most ten terms, the first four of four and more of which may be wanted by a weight, too; then every particle has
/// one. Throws Error where there are more, or no weight.
CORRAL_PUBLIC void spread_to_boxes(Cpu, const CellOrder<double>& order, const PositionColumns& position,
                                   std::span<const BoxTerm> terms, const double* weight = nullptr);
CORRAL_PUBLIC void spread_to_boxes(Gpu, const CellOrder<double>& order, const PositionColumns& position,
                                   std::span<const BoxTerm> terms, const double* weight = nullptr);

/// fluxes[d] += what crosses the faces of axis d when each particle carries its `weight` along by distance[d], less than a
/// cell: sums of both times the kernel of boxes, the part of a way that lies in the next box counted there, so that the
/// divergence is what the cells will have lost, exactly along one axis, of second order where ways go across several.
/// Not divided by any volume; nothing along thin axes.
CORRAL_PUBLIC void spread_box_fluxes(Cpu, const CellOrder<double>& order, const PositionColumns& position,
                                     const double* weight, const std::array<const double*, 3>& distance,
                                     const std::array<double*, 3>& fluxes);
CORRAL_PUBLIC void spread_box_fluxes(Gpu, const CellOrder<double>& order, const PositionColumns& position,
                                     const double* weight, const std::array<const double*, 3>& distance,
                                     const std::array<double*, 3>& fluxes);

/// columns[d] = values of the faces of axis d by the kernel of boxes + values of cells by the trilinear kernel, which fall
/// to 0 from the last centre to the box's side along d, as a displacement does at a wall; 0 along thin axes.
CORRAL_PUBLIC void interpolate_boxes(Cpu, const CellOrder<double>& order, const PositionColumns& position,
                                     const std::array<const double*, 3>& faces, const std::array<const double*, 3>& cells,
                                     const std::array<double*, 3>& columns);
CORRAL_PUBLIC void interpolate_boxes(Gpu, const CellOrder<double>& order, const PositionColumns& position,
                                     const std::array<const double*, 3>& faces, const std::array<const double*, 3>& cells,
                                     const std::array<double*, 3>& columns);

} // namespace corral
