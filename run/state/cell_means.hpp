#pragma once

#include "run/state/entry.hpp"

#include <cstdint>

namespace corral::run {

/// A field at the cells' centres, where its points may lie elsewhere: the mean over the cell's lower and upper points
/// along each axis on which they lie on faces. What output and viewers show of a staggered field.
class CellMeans {
public:
  /// `field` must outlive this.
  explicit CellMeans(const Entry& field) : field_(field) {}

  /// Of cell (i, j, k).
  double operator()(std::int64_t i, std::int64_t j, std::int64_t k) const { return mean({i, j, k}, 0); }

private:
  /// Over the points from axis d on. The upper face of a periodic axis' last cell is the first cell's lower one.
  double mean(std::array<std::int64_t, 3> index, int d) const {
    const auto& n = field_.extents;
    if (d == 3) return (*field_.reals())[index[0] + n[0] * (index[1] + n[1] * index[2])];
    if (!on_face(field_.staggering, d)) return mean(index, d + 1);
    const auto a = static_cast<std::size_t>(d);
    const double low = mean(index, d + 1);
    index[a] = (index[a] + 1) % n[a];
    return 0.5 * (low + mean(index, d + 1));
  }

  const Entry& field_;
};

} // namespace corral::run
