#include "tests/catch.hpp"

#include "run/ranks/group_ranges.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace corral::test {
namespace {

/// As it is meant: the first group that has so many particles in all groups before it.
std::vector<std::int64_t> first_groups_of(const std::vector<std::uint64_t>& of_group, const std::vector<std::uint64_t>& wanted) {
  std::vector<std::int64_t> first;
  for (const std::uint64_t least : wanted) {
    std::uint64_t before = 0;
    std::size_t g = 0;
    for (; g < of_group.size() && before < least; ++g) before += of_group[g];
    first.push_back(static_cast<std::int64_t>(g));
  }
  return first;
}

} // namespace

TEST_CASE("Ranges of groups begin where counts of all groups say, though few planes are counted by groups") {
  std::mt19937 random(5);
  const auto below = [&](std::uint64_t n) { return static_cast<std::int64_t>(random() % n); };
  for (int round = 0; round < 300; ++round) {
    const std::int64_t planes = 1 + below(7), plane = 1 + below(6), ranks = 1 + below(9);
    std::vector<std::uint64_t> of_group(static_cast<std::size_t>(planes * plane)), of_plane(static_cast<std::size_t>(planes));
    Array<std::int64_t> group(below(60));
    for (std::int64_t& g : group) {
      g = below(3) == 0 ? below(static_cast<std::uint64_t>(planes * plane)) : below(3); // many in few groups, others empty
      if (g >= planes * plane || below(10) == 0) g = -1;
      if (g < 0) continue;
      ++of_group[static_cast<std::size_t>(g)];
      ++of_plane[static_cast<std::size_t>(g / plane)];
    }
    const auto placed = static_cast<std::uint64_t>(std::count_if(group.begin(), group.end(), [](std::int64_t g) { return g >= 0; }));
    std::vector<std::uint64_t> wanted;
    for (std::int64_t rank = 0; rank < ranks; ++rank) wanted.push_back(placed * static_cast<std::uint64_t>(rank) / static_cast<std::uint64_t>(ranks));
    const std::vector<run::CutPlane> cuts = run::cut_planes(of_plane, wanted);
    const std::vector<std::uint64_t> counted = run::count_groups(group, cuts, planes, plane);
    for (std::size_t c = 0; c < cuts.size(); ++c) {
      const std::int64_t begin = cuts[c].plane * plane;
      CHECK(std::equal(of_group.begin() + begin, of_group.begin() + begin + plane, counted.begin() + static_cast<std::int64_t>(c) * plane));
    }
    CHECK(run::first_groups(cuts, counted, plane, wanted) == first_groups_of(of_group, wanted));
    CHECK(std::ssize(cuts) < std::max<std::int64_t>(ranks, 2));
  }
}

} // namespace corral::test
