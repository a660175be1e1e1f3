#pragma once

#include "distributed/domain.hpp"

#include "engine/shared/cell_key.hpp"

#include <corral/for_each.hpp>
#include <corral/views.hpp>

#include <array>
#include <cmath>
#include <cstdint>

namespace corral::distributed {

/// The cell of the whole that each particle lies in, as an order of the whole or of any part finds it: by the engine's
/// own key.
template <class T> class CellFinder {
public:
  explicit CellFinder(const Grid& whole) {
    for (int d = 0; d < 3; ++d) {
      const Axis& axis = whole.axis(d);
      key_[static_cast<std::size_t>(d)] = shared::AxisKey<T>(axis, shared::AxisGroups::of(axis, false));
    }
  }

  static constexpr std::int64_t outside = -1, not_finite = -2;
  /// Along each axis; the first is `outside` or `not_finite` where the particle has no cell.
  std::array<std::int64_t, 3> operator()(T x, T y, T z) const {
    if (!(std::isfinite(x) && std::isfinite(y) && std::isfinite(z))) return {not_finite, 0, 0};
    const std::array<std::int64_t, 3> cell{key_[0](x).group, key_[1](y).group, key_[2](z).group};
    return cell[0] < 0 || cell[1] < 0 || cell[2] < 0 ? std::array<std::int64_t, 3>{outside, 0, 0} : cell;
  }

private:
  std::array<shared::AxisKey<T>, 3> key_;
};

/// Cells of all particles, in their order.
template <class T> Array<std::array<std::int64_t, 3>> cells_of(const Grid& whole, const Positions<T>& positions) {
  Array<std::array<std::int64_t, 3>> cells(positions.size());
  const CellFinder<T> find(whole);
  for_each(Cpu{}, positions.size(),
           [&](std::int64_t i) { cells[i] = find(positions.axis[0][i], positions.axis[1][i], positions.axis[2][i]); });
  return cells;
}

} // namespace corral::distributed
