#include "mppic/output/audit.t.hpp"

#include <algorithm>
#include <cmath>

namespace corral::mppic {

namespace {

std::array<Array<double>, 3> three(Memory memory) {
  return {Array<double>(memory), Array<double>(memory), Array<double>(memory)};
}

} // namespace

Audit::Audit(const std::array<double, 3>& gravity, double rho, Memory memory)
    : gravity_(gravity), rho_(rho), friction_(memory), friction_mean_(three(memory)), contact_at_(three(memory)),
      pressure_at_(three(memory)), joint_pressure_(three(memory)), friction_of_(three(memory)), friction_at_(memory) {}

void Audit::close(const State& left, const State& end, double dt) {
  StepBooks& b = books_;
  b.kinetic = end.kinetic;
  b.potential = end.potential;
  b.kinetic_left = left.kinetic;
  b.potential_left = left.potential;
  b.mass_left = left.mass;
  const double kinetic = end.kinetic + left.kinetic - start_.kinetic;
  const double potential = end.potential + left.potential - start_.potential;
  b.rise = kinetic + potential;
  b.lift_sides = potential - b.lift_flight - b.lift_displacement;
  // Where nothing moves the works are next to 0: what gravity gives and contact takes back limits what one can see.
  double unexplained = kinetic, turned_over = end.kinetic + left.kinetic;
  for (const double g : gravity_) turned_over += 0.5 * start_.mass * g * g * dt * dt;
  for (const double w : b.work) {
    unexplained -= w;
    turned_over += std::abs(w);
  }
  b.energy_residual = turned_over > 0 ? std::abs(unexplained) / turned_over : 0;
  double worst = 0, exchanged = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    double missing = end.momentum[d] + left.momentum[d] - start_.momentum[d];
    for (const auto& impulse : b.impulse) {
      missing -= impulse[d];
      exchanged += std::abs(impulse[d]);
    }
    worst = std::max(worst, std::abs(missing));
  }
  // Momentum that parcels carry anyway limits what round-off lets one see.
  const double carried = std::sqrt(2 * end.kinetic * end.mass);
  b.momentum_residual = exchanged + carried > 0 ? worst / (exchanged + carried) : 0;
}

template void Audit::begin(Cpu, const Parcels&);
template void Audit::entered(Cpu, const Parcels&);
template void Audit::gather(Cpu, const CellOrder<double>&, const Grid&, const Gas&, const Damping&, const FaceSums&);
template void Audit::forces(Cpu, const Parcels&, const Motion&);
template void Audit::before_isotropy(Cpu, const Parcels&);
template void Audit::after_isotropy(Cpu, const Parcels&);
template void Audit::displacement(Cpu, const Parcels&, const Motion&);
template void Audit::end(Cpu, const MoveSums&, const Parcels&, const Array<std::uint8_t>&, double);
template StepBooks Audit::energies(Cpu, const Parcels&) const;

} // namespace corral::mppic
