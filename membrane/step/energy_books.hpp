#pragma once

#include "run/state/registry.hpp"

namespace corral::membrane {

/// The books of energy since the start: what drives gave, what viscosity took, and what should be left.
struct EnergyBooks {
  double start = 0;     ///< kinetic energy and that of membranes at the start [J]
  double done = 0;      ///< by body forces, sliding walls, what keeps a mean flow, pulls and moving anchors [J]
  double dissipated = 0;   ///< by viscosity of the fluid [J]
  double in_membranes = 0; ///< dissipated by theirs [J]
  /// Of the membranes alone, where the fluid says what their forces did on it (Fluid::Powers::forces): energy at the start,
  /// what pulls and anchors gave, and what the fluid took [J].
  double membranes_at_start = 0, given = 0, taken_by_fluid = 0;

  /// `viscous`: whether there are membranes that are viscous themselves; `apart`: whether they have books of their own.
  void bind_state(run::Registry& registry, bool viscous, bool apart) {
    registry.bind("energy_at_start", "J", "kinetic energy and that of the membranes", start);
    registry.bind("work_done", "J", "since the start", done);
    registry.bind("dissipated", "J", "since the start", dissipated);
    if (viscous) registry.bind("dissipated_in_membranes", "J", "since the start", in_membranes);
    if (!apart) return;
    registry.bind("membranes_at_start", "J", "energy of the membranes", membranes_at_start);
    registry.bind("given_to_membranes", "J", "by pulls and anchors since the start", given);
    registry.bind("taken_by_fluid", "J", "from the membranes since the start", taken_by_fluid);
  }

  /// What the books lack or have too much of, of what went through them since the start [J].
  double residual(double now) const { return now - start - done + dissipated + in_membranes; }
  /// The same of the membranes alone [J].
  double residual_of_membranes(double now) const { return now - membranes_at_start - given + taken_by_fluid + in_membranes; }
};

} // namespace corral::membrane
