#pragma once

#include "run/state/registry.hpp"

namespace corral::membrane {

/// The books of energy since the start: what drives gave, what viscosity took, and what should be left.
struct EnergyBooks {
  double start = 0;     ///< kinetic energy and that of membranes at the start [J]
  double done = 0;      ///< by body forces, sliding walls, what keeps a mean flow, pulls and moving anchors [J]
  double dissipated = 0;   ///< by viscosity of the fluid [J]
  double in_membranes = 0; ///< dissipated by theirs [J]

  /// `viscous`: whether there are membranes that are viscous themselves.
  void bind_state(run::Registry& registry, bool viscous) {
    registry.bind("energy_at_start", "J", "kinetic energy and that of the membranes", start);
    registry.bind("work_done", "J", "since the start", done);
    registry.bind("dissipated", "J", "since the start", dissipated);
    if (viscous) registry.bind("dissipated_in_membranes", "J", "since the start", in_membranes);
  }

  /// What the books lack or have too much of, of what went through them since the start [J].
  double residual(double now) const { return now - start - done + dissipated + in_membranes; }
};

} // namespace corral::membrane
