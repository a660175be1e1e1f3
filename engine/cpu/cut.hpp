#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace corral::cpu {

/// Cuts [0, count) of rows or planes into slabs of about equal work, each at least `least` long: where the slabs begin,
/// then `count`. work_before(i) is the work of [0, i). The cuts depend on the particles and the grid alone, never on
/// the threads: where two slabs with one between them touch no common point, all even slabs may run at once, then all
/// odd ones, and every sum has one order.
template <class Work>
std::vector<std::int64_t> cut_evenly(std::int64_t count, std::int64_t least, const Work& work_before) {
  constexpr std::int64_t least_work = 4096, most_slabs = 256;
  const std::int64_t share = std::max(least_work, work_before(count) / most_slabs);
  std::vector<std::int64_t> begin{0};
  for (std::int64_t i = 1; i < count; ++i)
    if (i - begin.back() >= least && count - i >= least && work_before(i) - work_before(begin.back()) >= share)
      begin.push_back(i);
  begin.push_back(count);
  return begin;
}

} // namespace corral::cpu
