#include "body/step/step.t.hpp"

namespace corral::body {

const run::ParticleKind point_kind{.name = "points", .one = "point", .interval = "0.05", .keeps_order = true};

double retraction(const BodySetup& setup, const BodyModel& kind) {
  const double cell = setup.size[0] / static_cast<double>(setup.cells[0]);
  const double radius = equivalent_radius(Cpu{}, kind) / cell;
  return cell * setup.forcing.retraction.value_or(std::min(hydrodynamic_excess(setup.forcing.kernel, radius), 0.5 * radius));
}

template class BodyStep<Cpu>;

} // namespace corral::body
