#include "run/ranks/group_ranges.hpp"

#include <corral/for_each.hpp>

#include <algorithm>

namespace corral::run {

namespace {

/// A walk through parts, each of which holds so many particles.
struct Walk {
  std::int64_t at = 0;      ///< the part that is next
  std::uint64_t before = 0; ///< particles before it

  /// On to the first part that has at least `wanted` before it, or behind the last one.
  void to(std::uint64_t wanted, std::span<const std::uint64_t> parts) {
    for (; at < std::ssize(parts) && before < wanted; ++at) before += parts[static_cast<std::size_t>(at)];
  }
};

} // namespace

std::vector<CutPlane> cut_planes(std::span<const std::uint64_t> of_plane, const std::vector<std::uint64_t>& wanted) {
  std::vector<CutPlane> cuts;
  Walk walk;
  for (std::size_t rank = 1; rank < wanted.size(); ++rank) {
    walk.to(wanted[rank], of_plane);
    const std::int64_t plane = std::max<std::int64_t>(walk.at - 1, 0); // or the range begins where that plane ends
    if (cuts.empty() || cuts.back().plane != plane)
      cuts.push_back({plane, walk.before - (walk.at > 0 ? of_plane[static_cast<std::size_t>(plane)] : 0), 0});
    cuts.back().end = static_cast<std::int64_t>(rank) + 1;
  }
  return cuts;
}

std::vector<std::uint64_t> count_groups(const Array<std::int64_t>& group, const std::vector<CutPlane>& cuts, std::int64_t planes, std::int64_t plane) {
  std::vector<std::int64_t> place(static_cast<std::size_t>(planes), -1); // of a plane among the cut ones
  for (std::size_t c = 0; c < cuts.size(); ++c) place[static_cast<std::size_t>(cuts[c].plane)] = static_cast<std::int64_t>(c);
  std::vector<std::uint64_t> of_group(cuts.size() * static_cast<std::size_t>(plane));
  for_each_chunk(Cpu{}, group.size(), chunk_size, [&](std::int64_t begin, std::int64_t end) {
    RunCounter counter(of_group);
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t g = group[i], at = g < 0 ? -1 : place[static_cast<std::size_t>(g / plane)];
      if (at >= 0) counter.count(at * plane + g % plane);
    }
  });
  return of_group;
}

std::vector<std::int64_t> first_groups(const std::vector<CutPlane>& cuts, std::span<const std::uint64_t> of_group, std::int64_t plane,
                                       const std::vector<std::uint64_t>& wanted) {
  std::vector<std::int64_t> first{0};
  for (std::size_t c = 0; c < cuts.size(); ++c) {
    const std::span groups = of_group.subspan(c * static_cast<std::size_t>(plane), static_cast<std::size_t>(plane));
    Walk walk{0, cuts[c].before};
    while (std::ssize(first) < cuts[c].end) {
      walk.to(wanted[first.size()], groups);
      first.push_back(cuts[c].plane * plane + walk.at);
    }
  }
  return first;
}

} // namespace corral::run
