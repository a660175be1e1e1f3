#pragma once

/// Models that a case may ask for beside the step: where each enters it.

#include "mppic/step.hpp"

namespace corral::mppic {

/// Density and viscosity of the gas in this step, where they vary.
template <Execution E> void foresee_gas(E execution, StepState& s, double dt) {
  const VaryingGas* varying = s.heat->gas().varying();
  if (!varying) return;
  s.gas.set_fraction(execution, s.sums, s.flow);
  s.heat->foresee(execution, s.gas, dt);
  s.gas.set_properties(execution, varying->density(), varying->viscosity(), varying->mass_flux());
}

/// Heat. Parcels tell cells of theirs in a pass of part 2, behind which the gas's expansion is foreseen. The gas carries heat
/// along once it has moved, after 5. Parcels take its temperature in the pass of 7, and exchange heat with it once their
/// velocities and D are known. Books open and close around the step, and count what leaves.
template <Execution E> void add_heat(E execution, StepState& s, StepParts& parts) {
  using enum StepPlace;
  Heat& heat = *s.heat;
  parts.after(inflow, "", [&](const StepTime&) { heat.begin(s.inflow.heat()); });
  parts.before(spread, "heat", [&, execution](const StepTime& time) {
    s.also_spread = heat.terms(execution, s.parcels, time.dt);
  });
  parts.after(spread, "heat", [&, execution](const StepTime& time) {
    foresee_gas(execution, s, time.dt);
    s.gas.set_volume_source(&heat.gas().set_volume_source(execution, s.flow, time.dt));
  });
  parts.after(gas_with_pressure, "heat", [&, execution](const StepTime& time) {
    s.gas.set_fraction(execution, s.sums, s.flow);
    heat.advance(execution, s.gas, s.flow, time.dt);
  });
  parts.before(interpolation, "", [&](const StepTime&) {
    heat.gas_at().resize(s.parcels.size());
    s.also_interpolated.push_back({&heat.gas().mean_temperature(), Staggering::centre, &heat.gas_at()});
  });
  parts.before(drag, "", [&](const StepTime&) { s.warm_gas = heat.warm_gas(); });
  parts.after(drag, "heat", [&, execution](const StepTime& time) {
    constexpr std::int64_t now_and_then = 16; // steps: what makes results doubtful lasts
    const Motion motion = s.motion(time.dt);
    heat.exchange(execution, s.drag, motion, s.parcels);
    if (time.number % now_and_then == 0) heat.look(execution, s.drag, motion, s.parcels, s.flow);
    s.report.maps += 2; // C_T and H_T, spread along with part 2
  });
  parts.before(outflow, "", [&, execution](const StepTime&) {
    heat.leave(execution, s.parcels, s.gone, s.report.moved.left);
  });
  parts.after(memory, "", [&](const StepTime&) { heat.close(); });
}

/// Return to isotropy, part 7b: before the drag rate, which is that of the velocities after it.
template <Execution E> void add_isotropy(E execution, StepState& s, StepParts& parts) {
  parts.at(StepPlace::isotropy, "7b", "move", [&, execution](const StepTime& time) {
    s.report.isotropy = s.collisions.return_to_isotropy(execution, s.order, s.parcels, s.sums, s.flow, s.motion(time.dt),
                                                        time.number);
  });
}

/// Books of every step's momentum and energy: what is about to change the parcels is looked at before each part that does.
template <Execution E> void add_audit(E execution, StepState& s, StepParts& parts) {
  using enum StepPlace;
  Audit& audit = s.audit;
  parts.before(inflow, "audit", [&, execution](const StepTime&) { audit.begin(execution, s.parcels); });
  parts.after(inflow, "audit", [&, execution](const StepTime&) { audit.entered(execution, s.parcels); });
  parts.after(interpolation, "audit", [&, execution](const StepTime&) {
    audit.gather(execution, s.order, s.domain.grid(), s.gas, s.damping, s.sums);
  });
  parts.before(velocities, "audit", [&, execution](const StepTime& time) {
    audit.forces(execution, s.parcels, s.motion(time.dt));
  });
  if (s.setup.collisions.isotropy) {
    parts.before(isotropy, "audit", [&, execution](const StepTime&) { audit.before_isotropy(execution, s.parcels); });
    parts.after(isotropy, "audit", [&, execution](const StepTime&) { audit.after_isotropy(execution, s.parcels); });
  }
  parts.after(displacement, "audit", [&, execution](const StepTime& time) {
    audit.displacement(execution, s.parcels, s.motion(time.dt));
  });
  parts.after(move, "audit", [&, execution](const StepTime& time) {
    audit.end(execution, s.report.moved, s.parcels, s.gone, time.dt);
  });
}

} // namespace corral::mppic
