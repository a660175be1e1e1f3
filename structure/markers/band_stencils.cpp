#include "structure/markers/band_stencils.hpp"

#include "engine/shared/support.hpp"

#include <corral/for_each.hpp>
#include <corral/kernels/shipped.hpp>
#include <corral/vector_loops.hpp>

#include <algorithm>
#include <cmath>

namespace corral::structure {

namespace band_stencils {

/// Of points along an axis, which are placed as CellOrder does it.
struct Along {
  double origin, inverse, cells; ///< inverse: of the spacing
  double offset;                 ///< of what a stencil begins with: half a cell where kernels have an even number of points
  double low, high;              ///< between these a point is inside; on the last face it is, which rounding may put beyond it,
  double last;                   ///< and in the last cell

  Along(const Axis& axis, int support)
      : origin(axis.origin), inverse(1 / axis.spacing), cells(static_cast<double>(axis.cells)), offset(support % 2 == 0 ? 0.5 : 0),
        low(axis.periodic() ? -farthest : 0), high(axis.periodic() ? farthest : cells * (1 + 1e-14)),
        last(axis.periodic() ? farthest : cells - 1) {}

  static constexpr double farthest = 1 << 30; ///< that cells can be counted to
};
constexpr int batch = 32;

/// Of `batch` points: the cells that stencils have in the middle, or below that, `none` where there is none, and what kernels ask for.
CORRAL_VECTOR_CLONES static void find_cells(const double* x, const Along a, std::int32_t none, std::int32_t* cell, double* r) {
  for (int i = 0; i < batch; ++i) {
    const double index = (x[i] - a.origin) * a.inverse, from = index - a.offset, whole = std::min(std::floor(from), a.last);
    const bool inside = index >= a.low && index <= a.high; // a NaN is not
    r[i] = inside ? from - whole - (0.5 - a.offset) : 0;
    cell[i] = static_cast<std::int32_t>(inside ? whole : static_cast<double>(none));
  }
}

static BandStencils::Folds folds_of(const Axis& axis, int support) {
  BandStencils::Folds folds{.reach = support + 1, .index = {}, .sign = {}, .drops = false};
  for (std::int64_t i = -folds.reach; i < axis.cells + folds.reach; ++i) {
    const shared::FoldedPoint f = shared::fold(axis, false, -1, i);
    folds.index.push_back(static_cast<std::int32_t>(f.index));
    folds.sign.push_back(static_cast<std::int8_t>(f.sign));
    folds.drops = folds.drops || f.sign == 0;
  }
  return folds;
}

} // namespace band_stencils

using namespace band_stencils;

bool BandStencils::serves(const Grid& grid, const std::string& kernel) {
  bool plain = false;
  kernels::with_kernel(kernel, [&]<class K>(const K&) { plain = kernels::Kernel<K>; });
  return plain && !grid.axis(0).thin() && !grid.axis(1).thin();
}

BandStencils::BandStencils(const Grid& grid, const std::string& kernel) : grid_(grid), kernel_(kernel) {
  kernels::with_kernel(kernel_, [&](const auto& k) { support_ = KernelWeights<double>::of(k).support(false); });
  deep_ = grid.axis(2).thin() ? 1 : support_;
  for (std::size_t d = 0; d < 3; ++d) folds_[d] = folds_of(grid.axis(static_cast<int>(d)), support_);
}

/// Stencils of points [begin, end).
void BandStencils::place(const AxisKernel<double>& kernel, std::int64_t begin, std::int64_t end, const ConstPoints& x) {
  alignas(64) double r[batch], w[16 * batch], places[batch] = {};
  alignas(64) std::int32_t cell[batch];
  for (std::int64_t p = begin; p < end; p += batch) {
    const int n = static_cast<int>(std::min<std::int64_t>(batch, end - p));
    for (int d = 0; d < 3; ++d) {
      const Axis& axis = grid_.axis(d);
      const Along along(axis, support_);
      std::int32_t *const first = first_.data() + 3 * p + d, *const unwrapped = unwrapped_.data() + 3 * p + d;
      double* const weights = weights_.data() + (3 * p + d) * support_;
      std::copy_n(x[static_cast<std::size_t>(d)] + p, n, places);
      find_cells(places, along, outside, cell, r);
      const int before = (support_ - 1) / 2;
      for (int i = 0; i < n; ++i) {
        const std::int64_t whole = cell[i];
        const bool wraps = axis.periodic() && (whole < 0 || whole >= axis.cells);
        unwrapped[3 * i] = static_cast<std::int32_t>(whole - before);
        first[3 * i] = cell[i] == outside ? outside
                       : wraps            ? static_cast<std::int32_t>((whole % axis.cells + axis.cells) % axis.cells - before)
                                          : unwrapped[3 * i];
      }
      if (axis.thin()) {
        for (int i = 0; i < n; ++i) weights[3 * i * support_] = 1, unwrapped[3 * i] = 0, first[3 * i] = first[3 * i] == outside ? outside : 0;
        continue;
      }
      kernel.evaluate(kernel.kernel, r, n, w, batch);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < support_; ++j) weights[3 * i * support_ + j] = w[j * batch + i];
    }
  }
}

std::int64_t BandStencils::find(Cpu cpu, const ConstPoints& x, std::int64_t n) {
  constexpr std::int64_t points_at_once = 256;
  first_.resize(3 * n);
  unwrapped_.resize(3 * n);
  weights_.resize(3 * n * support_);
  kernels::with_kernel(kernel_, [&](const auto& k) {
    const AxisKernel<double> kernel = KernelWeights<double>::of(k).across;
    for_each_chunk(cpu, n, points_at_once, [&](std::int64_t begin, std::int64_t end) { place(kernel, begin, end, x); });
  });
  std::int64_t inside = 0;
  for (std::int64_t p = 0; p < n; ++p) {
    const std::int32_t* const at = first(p);
    inside += at[0] != outside && at[1] != outside && at[2] != outside ? 1 : 0;
  }
  return inside;
}

} // namespace corral::structure
