#pragma once

#include "fluid/row_part.hpp"
#include "structure/markers/band_stencils.hpp"
#include "structure/markers/marked_cells.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>
#include <corral/grid.hpp>
#include <corral/views.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace corral::structure {

/// The band of some points in a grid, the cells that a kernel reaches from them, velocities and forces in the middles of these cells,
/// and the maps between them and the points. What a band keeps of a cell lies side by side: a point's stencil is a few rows of whole
/// vectors, and the bands of bodies fit into caches that fields of their grid do not fit into. Cells are joined as MarkedCells does it.
/// Results have the same bits for any number of threads.
class PointBand {
public:
  /// How a component goes on beyond walls, by axis.
  using Signs = std::array<std::array<Sign, 3>, 3>;

  /// As BandStencils.
  static bool serves(const Grid& grid, const std::string& kernel) { return BandStencils::serves(grid, kernel); }
  PointBand(const Grid& grid, const std::string& kernel);

  /// Of n points at x [m]. How many of them lie in the grid; with others there is no band, and nothing is mapped.
  std::int64_t find(Cpu, const ConstPoints& x, std::int64_t n);

  std::int64_t size() const { return points_; } ///< points
  std::int64_t cells() const { return cells_.cells(); } ///< of the band
  fluid::RowParts parts() const { return cells_.parts(); } ///< good until the next `find`
  PointStencils stencils() const { return stencils_.as_found(); } ///< likewise

  fluid::BandField velocity() { return {parts(), cells_.first(), velocity_.data()}; } ///< likewise; unset at first [m/s]
  fluid::BandField forces() { return {parts(), cells_.first(), forces_.data()}; }     ///< likewise [N/m3]
  void clear_forces(Cpu);

  /// values = the velocity at the points
  void interpolate(Cpu, const Signs&, const Points& values) const;
  /// forces += scale times what the points have
  void spread(Cpu, const ConstPoints& values, double scale, const Signs&);

private:
  static constexpr std::int64_t points_at_once = 256;
  static constexpr std::int64_t lanes = fluid::BandField::lanes;

  void mark();
  void find_rows(Cpu);
  void share_out();
  template <class F> void each_cell_of(std::int64_t p, const Signs& signs, const F& f) const;
  /// Whether a point's cells are looked up, one by one.
  bool looked_up(std::int64_t p) const { return rows_[p * stencils_.support() * stencils_.deep()] < 0; }

  BandStencils stencils_;
  MarkedCells cells_;
  std::int64_t points_ = 0;
  Array<std::int32_t> rows_; ///< [point][row of the stencil] where it lies in the band; -1 of the first: its cells are looked up
  std::vector<std::int64_t> slab_begin_; ///< of by_slab_, then the number of points
  std::vector<std::int32_t> by_slab_;    ///< points in slabs across z, or y; empty: there is one slab
  Array<double> velocity_, forces_;      ///< [cell][lanes]
};

} // namespace corral::structure
