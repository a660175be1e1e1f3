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

/// Along which axes a grid is left whole.
using Uncut = std::array<bool, 3>;

/// The cut for so many ranks whose largest box has the fewest cells, ghosts included; of equals that with the most ranks along z.
/// Along an axis that is cut each rank has at least as many cells as ghosts. Nothing where there is none.
inline std::optional<BoxCut> best_cut(const Grid& whole, int ranks, std::int64_t ghosts, const Uncut& uncut = {}) {
  std::optional<BoxCut> best;
  const auto most = [&](int d) {
    if (whole.axis(d).thin() || uncut[static_cast<std::size_t>(d)]) return std::int64_t{1};
    return std::max<std::int64_t>(1, whole.axis(d).cells / std::max<std::int64_t>(1, ghosts));
  };
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
inline int most_ranks(const Grid& whole, int ranks, std::int64_t ghosts, const Uncut& uncut = {}) {
  while (ranks > 1 && !best_cut(whole, ranks, ghosts, uncut)) --ranks;
  return ranks;
}

/// What is wrong where there is none.
inline std::string too_many_ranks(const Grid& whole, int ranks, std::int64_t ghosts, const Uncut& uncut = {}) {
  std::string cells, left;
  for (int d = 0; d < 3; ++d) {
    cells += (d > 0 ? " x " : "") + std::to_string(whole.axis(d).cells);
    if (uncut[static_cast<std::size_t>(d)]) left += std::string(", and ") + "xyz"[d] + " is not";
  }
  return std::to_string(ranks) + " ranks for " + cells + " cells (along an axis that is cut each has at least " + std::to_string(ghosts) +
         left + ") take " + std::to_string(most_ranks(whole, ranks, ghosts, uncut));
}

} // namespace corral::distributed
