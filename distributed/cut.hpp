#pragma once

#include <corral/grid.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>

/// Into which boxes a grid is cut for drivers: what a run does, and what `check` says of it without one.
namespace corral::distributed {

struct BoxCut {
  std::array<int, 3> ranks{1, 1, 1};            ///< along each axis
  std::array<std::int64_t, 3> own{}, with_ghosts{}; ///< cells of the largest box

  static std::int64_t volume(const std::array<std::int64_t, 3>& n) { return n[0] * n[1] * n[2]; }
  std::int64_t ghosts() const { return volume(with_ghosts) - volume(own); } ///< cells
};

/// The cut for so many ranks whose largest box has the fewest cells, ghosts included; of equals that with the most ranks along z.
/// Along an axis that is cut each rank has at least as many cells as ghosts. Nothing where there is none.
inline std::optional<BoxCut> best_cut(const Grid& whole, int ranks, std::int64_t ghosts) {
  std::optional<BoxCut> best;
  const auto most = [&](int d) { return whole.axis(d).thin() ? 1 : std::max<std::int64_t>(1, whole.axis(d).cells / std::max<std::int64_t>(1, ghosts)); };
  for (int x = 1; x <= ranks && x <= most(0); ++x)
    for (int y = 1; ranks % x == 0 && y <= ranks / x && y <= most(1); ++y) {
      const int z = ranks / x / y;
      if (ranks / x % y != 0 || z > most(2)) continue;
      BoxCut cut{.ranks = {x, y, z}};
      for (std::size_t d = 0; d < 3; ++d) {
        const Axis& axis = whole.axis(static_cast<int>(d));
        cut.own[d] = (axis.cells + cut.ranks[d] - 1) / cut.ranks[d];
        const std::int64_t ends = cut.ranks[d] == 1 ? 0 : axis.periodic() || cut.ranks[d] > 2 ? 2 : 1;
        cut.with_ghosts[d] = cut.own[d] + ends * ghosts;
      }
      if (!best || BoxCut::volume(cut.with_ghosts) < BoxCut::volume(best->with_ghosts)) best = cut;
    }
  return best;
}

/// The largest number of ranks, at most so many, for which there is a cut.
inline int most_ranks(const Grid& whole, int ranks, std::int64_t ghosts) {
  while (ranks > 1 && !best_cut(whole, ranks, ghosts)) --ranks;
  return ranks;
}

/// What is wrong where there is none.
inline std::string too_many_ranks(const Grid& whole, int ranks, std::int64_t ghosts) {
  std::string cells;
  for (int d = 0; d < 3; ++d) cells += (d > 0 ? " x " : "") + std::to_string(whole.axis(d).cells);
  return std::to_string(ranks) + " ranks for " + cells + " cells (along an axis that is cut each has at least " + std::to_string(ghosts) +
         ") take " + std::to_string(most_ranks(whole, ranks, ghosts));
}

} // namespace corral::distributed
