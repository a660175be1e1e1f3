#include "fluid/lattice/sides.hpp"

#include <algorithm>

namespace corral::fluid::lattice {

Sides::Sides(const Domain& domain, double speed) : domain_(domain), speed_(speed) {
  for (int d = 0; d < 3; ++d) walls_.cells[d] = domain.grid().axis(d).cells;
  for (int s = 0; s < 6; ++s) {
    walls_.kinds[s] = domain.side_kind(s);
    walls_.lets_in[s] = (walls_.kinds[s] == SideKind::free_slip || walls_.kinds[s] == SideKind::symmetry) &&
                        std::any_of(domain.inlets().begin(), domain.inlets().end(), [s](const Inlet& in) { return in.side == s; });
    if (!has_velocity(s)) continue;
    const std::int64_t faces = domain.grid().cells() / walls_.cells[s / 2];
    velocity_[s].fill(Array<double>(faces, 0.0));
  }
  refresh();
}

void Sides::refresh() {
  for (int s = 0; s < 6; ++s)
    if (has_velocity(s) && !outlet(s)) take_wall(s);
}

/// A wall slides as a whole; what it lets in is given face by face.
void Sides::take_wall(int s) {
  const std::array<double, 3>& sliding = domain_.wall_velocity(s);
  moves_[s] = sliding != std::array<double, 3>{} || !domain_.inlets().empty();
  if (!moves_[s]) return;
  const int axis = s / 2;
  for (int d = 0; d < 3; ++d) velocity_[s][d].fill(sliding[d] / speed_);
  // Faces of the axis as the grid numbers them: x fastest, one more along the axis than cells.
  std::array<std::int64_t, 3> points = walls_.cells, at{}, end = walls_.cells;
  ++points[axis];
  at[axis] = s % 2 == 0 ? 0 : walls_.cells[axis];
  end[axis] = at[axis] + 1;
  const std::array<std::int64_t, 3> first = at;
  for (at[2] = first[2]; at[2] < end[2]; ++at[2])
    for (at[1] = first[1]; at[1] < end[1]; ++at[1])
      for (at[0] = first[0]; at[0] < end[0]; ++at[0])
        velocity_[s][axis][face(s, at[0], at[1], at[2])] =
            domain_.given_velocity(axis, at[0] + points[0] * (at[1] + points[1] * at[2])) / speed_;
}

} // namespace corral::fluid::lattice
