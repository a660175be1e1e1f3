#include "structure/markers/pulls_and_anchors.t.hpp"

namespace corral::structure {

std::array<double, 3> shift_at(const std::vector<ImmersedGroup::PathPoint>& path, double time) {
  ImmersedGroup::PathPoint before{0, {}};
  for (const ImmersedGroup::PathPoint& p : path) {
    if (time < p.time) {
      const double share = (time - before.time) / (p.time - before.time);
      std::array<double, 3> shift{};
      for (std::size_t d = 0; d < 3; ++d) shift[d] = before.shift[d] + share * (p.shift[d] - before.shift[d]);
      return shift;
    }
    before = p;
  }
  return before.shift;
}

template class Pulls<Cpu>;
template class TetherAnchors<Cpu>;

} // namespace corral::structure
