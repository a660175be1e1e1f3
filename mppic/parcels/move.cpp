#include "mppic/case/setup.hpp"
#include "mppic/parcels/move.t.hpp"

#include <algorithm>
#include <vector>

namespace corral::mppic {

namespace {

SideAction action(fluid::SideKind kind) {
  switch (kind) {
  case fluid::SideKind::periodic: return SideAction::wrap;
  case fluid::SideKind::outlet: return SideAction::leave;
  case fluid::SideKind::symmetry: return SideAction::reflect;
  default: return SideAction::bounce;
  }
}

} // namespace

BoxSides sides_of(const Setup& setup, const fluid::Domain& domain) {
  BoxSides sides{.low = {}, .high = {}, .action = {}, .normal_restitution = setup.solids.normal_restitution,
              .tangential_restitution = setup.solids.tangential_restitution};
  for (int d = 0; d < 3; ++d) {
    const Axis& axis = domain.grid().axis(d);
    sides.low[d] = axis.origin;
    sides.high[d] = axis.origin + axis.length();
    for (int high = 0; high < 2; ++high) sides.action[2 * d + high] = action(domain.side_kind(2 * d + high));
  }
  return sides;
}

DragOfParcels drag_of_parcels(const Setup& setup) {
  const std::vector<SolidMaterial>& solids = setup.solids.several;
  const bool alike =
      std::all_of(solids.begin(), solids.end(), [&](const SolidMaterial& s) { return s.drag == solids.front().drag; });
  if (!alike) return {.all = setup.solids.drag, .by_solid = solids, .gas = setup.gas.laws};
  return {.all = solids.empty() ? setup.solids.drag : solids.front().drag, .gas = setup.gas.laws};
}

template MoveSums advance_velocities(Cpu, const Motion&);
template void set_slip(Cpu, const Motion&, bool);
template void set_drag(Cpu, const DragOfParcels&, const Motion&, const std::optional<WarmGas>&);
template MoveSums move_parcels(Cpu, const BoxSides&, const Motion&);

} // namespace corral::mppic
