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

MoveModel move_model(const Setup& setup, const fluid::Domain& domain, double dt) {
  MoveModel m{.dt = dt, .gravity = {}, .rho_p = setup.solids.rho, .drag = setup.solids.drag,
              .frozen = setup.solids.frozen, .low = {}, .high = {}, .side = {},
              .normal_restitution = setup.solids.normal_restitution,
              .tangential_restitution = setup.solids.tangential_restitution, .several = {},
              .gas = setup.gas.laws, .gas_pressure = setup.gas.laws.pressure};
  const std::vector<SolidMaterial>& several = setup.solids.several;
  if (!std::all_of(several.begin(), several.end(), [&](const SolidMaterial& s) { return s.drag == several.front().drag; }))
    m.several = several;
  else if (!several.empty())
    m.drag = several.front().drag;
  for (int d = 0; d < 3; ++d) {
    const Axis& axis = domain.grid().axis(d);
    m.gravity[d] = setup.gravity[static_cast<std::size_t>(d)];
    m.low[d] = axis.origin;
    m.high[d] = axis.origin + axis.length();
    for (int high = 0; high < 2; ++high) m.side[2 * d + high] = action(domain.side_kind(2 * d + high));
  }
  return m;
}

template MoveSums advance_velocities(Cpu, const MoveModel&, const MoveColumns&, std::int64_t);
template void drag_of_slip(Cpu, const MoveModel&, const MoveColumns&, std::int64_t);
template MoveSums move_parcels(Cpu, const MoveModel&, const MoveColumns&, std::int64_t);
template void set_drag(Cpu, const MoveModel&, const MoveColumns&, std::int64_t);

} // namespace corral::mppic
