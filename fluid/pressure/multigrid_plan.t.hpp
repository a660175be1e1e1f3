#pragma once

/// Which grids a hierarchy has, for either processor.

#include "fluid/pressure/multigrid.hpp"

#include <algorithm>
#include <iterator>

namespace corral::fluid::multigrid {

/// An axis whose couplings are weaker than this part of the strongest is not coarsened: point smoothing leaves
/// errors along it rough.
inline constexpr double weak = 1.0 / 3.0;

/// Weights of axes that were coarsened before and are not any more would count. Where ranks share planes, those of its own and beside them.
inline void clear_weights(Cpu, Level& level) {
  const bool shared = level.planes.shared();
  const std::int64_t first = shared ? level.planes.begin() - 1 : -1, end = shared ? level.planes.end() + 1 : level.cells[2] + 1;
  for (Array<float>& weight : level.weight)
    std::fill(weight.data() + level.plane_step() * (first + 1), weight.data() + level.plane_step() * (end + 1), 0.0f);
}
void clear_weights(Gpu, Level& level);

/// Chooses which axes each grid is coarsened along, a function of the coefficients alone, and makes the grids anew
/// where that has changed. What is no longer wanted is kept: equations that take turns would make it again and again.
template <Execution E> void Hierarchy::plan(E execution, std::array<double, 3> strength) {
  std::size_t l = 0;
  const auto keep_up_to = [this](std::size_t last) {
    const auto behind = levels_.begin() + static_cast<std::ptrdiff_t>(last) + 1;
    spare_.insert(spare_.end(), std::move_iterator(behind), std::move_iterator(levels_.end()));
    levels_.erase(behind, levels_.end());
  };
  while (levels_[l].cell_count() > coarsest_cells) {
    double strongest = 0;
    for (std::size_t d = 0; d < 3; ++d)
      if (levels_[l].cells[d] > 1) strongest = std::max(strongest, strength[d]);
    std::array<std::int64_t, 3> factor{1, 1, 1}, cells = levels_[l].cells;
    for (std::size_t d = 0; d < 3; ++d)
      if (cells[d] > 1 && strength[d] > 0 && strength[d] >= weak * strongest) {
        factor[d] = 2;
        cells[d] = (cells[d] + 1) / 2;
        strength[d] /= 4;
      }
    if (factor == std::array<std::int64_t, 3>{1, 1, 1}) break;
    if (l + 1 == levels_.size() || levels_[l].factor != factor) {
      keep_up_to(l);
      if (levels_[l].has_weights) clear_weights(execution, levels_[l]);
      levels_[l].has_weights = true;
      levels_[l].factor = factor;
      levels_.push_back(take_level(cells));
    }
    ++l;
  }
  keep_up_to(l);
}

} // namespace corral::fluid::multigrid
