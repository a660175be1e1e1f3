#pragma once

#include <corral/execution.hpp>
#include <corral/export.h>

#include <cstdint>
#include <span>
#include <string_view>

namespace corral {

/// How a map goes about its work. All give the same sums up to round-off; all but `atomic` the same bits for any
/// number of threads. docs/methods.md tells where each comes from and when it wins.
enum class Method : std::uint8_t {
  automatic,              ///< by the particles per cell, and whether the kernel is `linear`
  serial,                 ///< particle by particle on one thread
  cells,                  ///< cell by cell, all points of a narrow stencil in registers (linear only)
  stencils,               ///< each particle its own stencil, in cell order
  tiles,                  ///< bricks of cells with accumulators of their own
  sort_reduce,            ///< per point of the stencil: sort by grid point, reduce each segment
  sort_reduce_buffered,   ///< the same through preallocated output buffers
  sort_reduce_on_the_fly, ///< the same through buffers that live within the call
  columns,                ///< columns of cells that are a stencil apart, all at once
  columns_pruned,         ///< the same, empty columns left out
  coloured_cells,         ///< cells that are a stencil apart, all at once
  atomic,                 ///< atomic additions in any order: bits differ from run to run
  grid_gather,            ///< each grid point collects from the particles around it
  octet,                  ///< GPU: eight lanes a cell, all points of its stencil in their registers (linear only)
  corners,                ///< GPU: a warp a cell, a lane a point (linear only)
  zhao,                   ///< GPU: eight threads a cell, particles through shared memory (linear only)
  stream,                 ///< GPU: eight lanes a cell, particles through shared memory by bulk copies (linear only)
  hybrid,                 ///< GPU: a block goes from cell to cell, a thread a point of the stencil
  tensor_core,            ///< GPU: towers of cells, products of matrices on the tensor cores (wide kernels, double)
  towers,                 ///< GPU: towers of points, each written once, by the same products (wide kernels)
  bricks,                 ///< GPU, interpolation alone: bricks of the field in shared memory, by the same products (double)
};

CORRAL_PUBLIC std::string_view name(Method);
/// Whether the method is one of spreading; `bricks` is none.
CORRAL_PUBLIC bool spreads(Method);
/// Whether the method is one of interpolation; most are ways to spread without conflicts, which a gather has not.
CORRAL_PUBLIC bool interpolates(Method);
/// Whether the method serves a kernel other than `linear`. The methods automatic, stencils and tiles take kernels of at
/// most 64 points along an axis.
CORRAL_PUBLIC bool serves_any_kernel(Method);
/// Whether calls with that execution have the method.
CORRAL_PUBLIC bool runs_on(Method, Cpu);
CORRAL_PUBLIC bool runs_on(Method, Gpu);
/// All methods, and those of an execution, in the order of the enumeration.
CORRAL_PUBLIC std::span<const Method> all_methods();
CORRAL_PUBLIC std::span<const Method> all_methods(Cpu);
CORRAL_PUBLIC std::span<const Method> all_methods(Gpu);

} // namespace corral
