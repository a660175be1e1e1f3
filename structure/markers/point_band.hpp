#pragma once

#include "fluid/row_part.hpp"
#include "structure/markers/point_stencils.hpp"
#include "structure/surfaces/membranes.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>
#include <corral/grid.hpp>
#include <corral/kernel_weights.hpp>
#include <corral/views.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace corral::structure {

namespace point_band {

/// Which of 64 cells of a row belong to a band.
struct BandWord {
  std::uint64_t reached = 0; ///< bit b of word w for cell 64 w + b
  std::int32_t before = 0;   ///< cells of the band before those of the word
};

} // namespace point_band

/// The band of some points in a grid, the cells that a kernel reaches from them, velocities and forces in the middles of these cells,
/// and the maps between them and the points. What a band keeps of a cell lies side by side: a point's stencil is a few rows of whole
/// vectors, and the bands of bodies fit into caches that fields of their grid do not fit into.
///
/// What lies between two parts of a row that are nearer than eight cells, as many doubles as come from memory at once, belongs to
/// the band; what lies inside large bodies does not. Results have the same bits for any number of threads.
class PointBand {
public:
  /// How a component goes on beyond walls, by axis.
  using Signs = std::array<std::array<Sign, 3>, 3>;

  /// `kernel` is one of kernels::shipped_names. Whether it serves such a grid: of its axes z alone may be thin.
  static bool serves(const Grid& grid, const std::string& kernel);
  PointBand(const Grid& grid, const std::string& kernel);

  /// Of n points at x [m]. How many of them lie in the grid; with others there is no band, and nothing is mapped.
  std::int64_t find(Cpu, const ConstPoints& x, std::int64_t n);

  std::int64_t size() const { return points_; } ///< points
  std::int64_t cells() const { return cells_; } ///< of the band
  fluid::RowParts parts() const { return parts_; } ///< good until the next `find`
  PointStencils stencils() const { return {unwrapped_.data(), weights_.data()}; } ///< likewise

  fluid::BandField velocity() { return {parts_, part_first_.data(), velocity_.data()}; } ///< likewise; unset at first [m/s]
  fluid::BandField forces() { return {parts_, part_first_.data(), forces_.data()}; }     ///< likewise [N/m3]
  void clear_forces(Cpu);

  /// values = the velocity at the points
  void interpolate(Cpu, const Signs&, const Points& values) const;
  /// forces += scale times what the points have
  void spread(Cpu, const ConstPoints& values, double scale, const Signs&);

private:
  static constexpr std::int64_t points_at_once = 256;
  static constexpr std::int64_t lanes = fluid::BandField::lanes;

  /// Where a row of points along an axis lies that begins before it, or ends beyond it.
  struct Folds {
    std::int32_t reach;                ///< cells beyond the ends
    std::vector<std::int32_t> index;   ///< [reach + cell]
    std::vector<std::int8_t> sign;     ///< of a component that turns round at walls; 0: it is dropped
    bool drops;                        ///< whether some are
  };
  static Folds folds_of(const Axis& axis, int support);

  void place(const AxisKernel<double>& kernel, std::int64_t begin, std::int64_t end, const ConstPoints& x);
  void mark();
  void mark_row(std::int64_t row, std::int64_t x, std::int64_t n);
  void collect();
  void share_out();
  template <class F> void each_row_of(std::int64_t p, const F& f) const;
  template <class F> void each_cell_of(std::int64_t p, const Signs& signs, const F& f) const;

  Grid grid_;
  std::string kernel_;
  int support_, deep_; ///< points of a stencil along x and y, and along z
  std::int64_t points_ = 0, cells_ = 0, words_;
  std::array<Folds, 3> folds_;
  Array<std::int32_t> unwrapped_; ///< [point][axis] cell at which its stencil begins
  Array<std::int32_t> first_;  ///< likewise where the point lies between periodic ends
  Array<double> weights_;      ///< [point][axis][support]
  Array<std::int32_t> rows_;   ///< [point][row of the stencil] where it lies in the band; -1 of the first: its cells are looked up
  std::vector<point_band::BandWord> band_words_; ///< [row][word]
  std::vector<fluid::RowPart> parts_;
  std::vector<std::int32_t> part_first_; ///< of each, how many cells there are before it
  std::vector<std::int64_t> slab_begin_; ///< of by_slab_, then the number of points
  std::vector<std::int32_t> by_slab_;    ///< points in slabs across z, or y; empty: there is one slab
  Array<double> velocity_, forces_;      ///< [cell][lanes]
};

} // namespace corral::structure
