#pragma once

#include "structure/markers/point_stencils.hpp"
#include "structure/surfaces/membranes.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>
#include <corral/grid.hpp>
#include <corral/kernel_weights.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace corral::structure {

/// Stencils of points in fields in the middles of cells, as CellOrder places points and maps lay stencils around them.
class BandStencils {
public:
  /// What places along an axis stand for that begin before it, or end beyond it.
  struct Folds {
    std::int32_t reach;              ///< cells beyond the ends
    std::vector<std::int32_t> index; ///< [reach + cell]
    std::vector<std::int8_t> sign;   ///< of a component that turns round at walls; 0: it is dropped
    bool drops;                      ///< whether some are
  };
  /// The same from place 0 on.
  struct Folded {
    const std::int32_t* index;
    const std::int8_t* sign;
  };

  /// `kernel` is one of kernels::shipped_names. Whether it serves such a grid: of its axes z alone may be thin.
  static bool serves(const Grid& grid, const std::string& kernel);
  BandStencils(const Grid& grid, const std::string& kernel);

  /// Of n points at x [m]. How many of them lie in the grid.
  std::int64_t find(Cpu, const ConstPoints& x, std::int64_t n);

  const Grid& grid() const { return grid_; }
  int support() const { return support_; } ///< points of a stencil along x and y
  int deep() const { return deep_; }       ///< and along z
  /// Of a point that lies in the grid, by axis: the cell at which its stencil begins, where the point lies between periodic ends.
  const std::int32_t* first(std::int64_t p) const { return first_.data() + 3 * p; }
  const double* weights(std::int64_t p) const { return weights_.data() + 3 * support_ * p; } ///< [axis][support]
  PointStencils as_found() const { return {unwrapped_.data(), weights_.data()}; }              ///< good until the next `find`

  const Folds& folds(std::size_t axis) const { return folds_[axis]; }
  Folded folded(std::size_t axis) const { return {folds_[axis].index.data() + folds_[axis].reach, folds_[axis].sign.data() + folds_[axis].reach}; }
  /// f(y, z, row of the grid, sign along y, along z) of each row of the point's stencil that is not dropped; y and z as numbers in it.
  template <class F> void each_row_of(std::int64_t p, const F& f) const;

private:
  static constexpr std::int32_t outside = std::numeric_limits<std::int32_t>::min();

  void place(const AxisKernel<double>& kernel, std::int64_t begin, std::int64_t end, const ConstPoints& x);

  Grid grid_;
  std::string kernel_;
  int support_ = 0, deep_ = 0;
  std::array<Folds, 3> folds_;
  Array<std::int32_t> unwrapped_; ///< [point][axis] cell at which its stencil begins
  Array<std::int32_t> first_;     ///< likewise where the point lies between periodic ends
  Array<double> weights_;         ///< [point][axis][support]
};

template <class F> void BandStencils::each_row_of(std::int64_t p, const F& f) const {
  const std::int32_t* const at = first(p);
  const Folded y = folded(1), z = folded(2);
  for (int c = 0; c < deep_; ++c) {
    const std::int32_t k = at[2] + c;
    if (z.sign[k] == 0) continue;
    for (int b = 0; b < support_; ++b)
      if (const std::int32_t j = at[1] + b; y.sign[j] != 0) f(b, c, y.index[j] + grid_.axis(1).cells * z.index[k], y.sign[j], z.sign[k]);
  }
}

} // namespace corral::structure
