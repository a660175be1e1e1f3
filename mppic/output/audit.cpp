#include "mppic/output/audit.hpp"

#include "mppic/gas/gathering.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>

namespace corral::mppic {

namespace {

/// The sums of `forces` over the parcels of a chunk.
struct ForceSums {
  std::array<double, term_count> work{};
  std::array<std::array<double, 3>, term_count> impulse{};
  double lift_flight = 0;

  void add(Term term, int d, double momentum, double mean_velocity) {
    const auto t = static_cast<std::size_t>(term);
    work[t] += momentum * mean_velocity;
    impulse[t][static_cast<std::size_t>(d)] += momentum;
  }
  ForceSums& operator+=(const ForceSums& b) {
    for (std::size_t t = 0; t < term_count; ++t) {
      work[t] += b.work[t];
      for (std::size_t d = 0; d < 3; ++d) impulse[t][d] += b.impulse[t][d];
    }
    lift_flight += b.lift_flight;
    return *this;
  }
};

} // namespace

Audit::State Audit::state(Cpu cpu, const Parcels& p, Which which, const Array<std::uint8_t>* gone) const {
  const ParcelProperty rho = p.density();
  const auto add = [&](std::int64_t i, State& s) {
    if (which != Which::all && ((*gone)[i] != 0) != (which == Which::gone)) return;
    const double mass = rho[i] * p.volume[i];
    s.mass += mass;
    for (std::size_t d = 0; d < 3; ++d) {
      const double u = (*p.velocity[d])[i];
      s.kinetic += 0.5 * mass * u * u;
      s.potential -= mass * gravity_[d] * (*p.position[d])[i];
      s.momentum[d] += mass * u;
    }
  };
  return accumulate(cpu, p.size(), State{}, add, [](State& a, const State& b) {
    a.kinetic += b.kinetic;
    a.potential += b.potential;
    a.mass += b.mass;
    for (std::size_t d = 0; d < 3; ++d) a.momentum[d] += b.momentum[d];
  });
}

void Audit::begin(Cpu cpu, const Parcels& parcels) {
  books_ = {};
  before_ = state(cpu, parcels, Which::all, nullptr);
}

void Audit::entered(Cpu cpu, const Parcels& parcels) {
  start_ = state(cpu, parcels, Which::all, nullptr);
  books_.kinetic_entered = start_.kinetic - before_.kinetic;
  books_.potential_entered = start_.potential - before_.potential;
  books_.mass_entered = start_.mass - before_.mass;
}

/// What pressure gives to solids as far as they answer it jointly: contact's push has it.
void Audit::set_joint_pressure(Cpu cpu, const Grid& grid, const Gas& gas, const FaceSums& sums) {
  if (joint_pressure_[0].empty()) joint_pressure_ = fluid::make_face_arrays(grid);
  const JointView joint = sums.joint();
  for (std::size_t d = 0; d < 3; ++d) {
    const double *w = gas.felt_contact()[d].data(), *Ge = gas.felt_force()[d].data(), rho = rho_;
    double* pressure = joint_pressure_[d].data();
    for_each(cpu, joint_pressure_[d].size(), [=](std::int64_t f) {
      pressure[f] = -joint.chi(d, f) * joint.share(d, f) * (Ge[f] / rho + w[f]);
    });
  }
}

void Audit::gather(Cpu cpu, const CellOrder<double>& order, const Grid& grid, const Gas& gas, const Damping& damping,
                   const FaceSums& sums) {
  damping.friction_part(cpu, sums, friction_, friction_mean_);
  const bool joint = sums.joint().B[0] != nullptr;
  if (joint) set_joint_pressure(cpu, grid, gas, sums);
  Gathering gathering(grid, order.size());
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    if (joint) gathering.add(joint_pressure_[i], face(d), pressure_at_[i]);
    else gathering.add(gas.felt_contact()[i], face(d), contact_at_[i]);
    gathering.add(friction_mean_[i], Staggering::centre, friction_of_[i]);
  }
  gathering.add(friction_, Staggering::centre, friction_at_);
  gathering.run(cpu, order);
}

/// The sub-steps of the mover: gas and contact with the mean of the velocities before and after them, then damping.
void Audit::forces(Cpu cpu, const MoveModel& m, const MoveColumns& c, std::int64_t n) {
  const auto add = [&](std::int64_t i, ForceSums& s) {
    const double x = m.dt * c.drag[i], q = x / (1 + x), rho = c.rho(m, i), mass = c.volume[i] * rho;
    for (int d = 0; d < 3; ++d) {
      const auto e = static_cast<std::size_t>(d);
      const double old = c.velocity[d][i], gravity = m.dt * m.gravity[d], force = -m.dt * c.gradient[d][i] / rho;
      // Ge holds the push that the gas expected, and where solids answer jointly contact's push has what pressure gives
      // them together.
      const double expected = c.led_to[d] ? -m.dt * pressure_at_[e][i] : m.dt * contact_at_[e][i] * (m.rho_p / rho);
      const double pressure = force - expected;
      const double contact =
          expected + (c.push[d] ? c.push[d][i] : 0) + (c.impulse[d] ? c.impulse[d][i] / rho : 0);
      const double drag = c.led_to[d] ? q * (c.led_to[d][i] - old - force) + c.joint_drag[d][i]
                                      : q * (c.gas[d][i] - (old + gravity + force));
      const double moved = old + gravity + pressure + drag + contact;
      const double damping = c.damped[d][i] - c.damping[i] * old, friction = friction_of_[e][i] - friction_at_[i] * old;
      const double mean = 0.5 * (old + moved), damped = moved + 0.5 * damping;
      s.add(Term::gravity, d, mass * gravity, mean);
      s.add(Term::pressure, d, mass * pressure, mean);
      s.add(Term::drag, d, mass * drag, mean);
      s.add(Term::contact, d, mass * contact, mean);
      s.add(Term::friction, d, mass * friction, damped);
      s.add(Term::collisions, d, mass * (damping - friction), damped);
      s.lift_flight -= mass * m.gravity[d] * m.dt * moved;
    }
  };
  const ForceSums sums =
      accumulate(cpu, n, ForceSums{}, add, AddInPlace{});
  books_.work = sums.work;
  books_.impulse = sums.impulse;
  books_.lift_flight = sums.lift_flight;
}

void Audit::before_isotropy(Cpu cpu, const Parcels& parcels) { ordered_ = state(cpu, parcels, Which::all, nullptr); }

void Audit::after_isotropy(Cpu cpu, const Parcels& parcels) {
  const State now = state(cpu, parcels, Which::all, nullptr);
  const auto isotropy = static_cast<std::size_t>(Term::isotropy);
  books_.work[isotropy] = now.kinetic - ordered_.kinetic;
  for (std::size_t d = 0; d < 3; ++d) books_.impulse[isotropy][d] = now.momentum[d] - ordered_.momentum[d];
}

void Audit::displacement(Cpu cpu, const MoveModel& m, const MoveColumns& c, std::int64_t n) {
  books_.lift_displacement = sum(cpu, n, [&](std::int64_t i) {
    double lift = 0;
    for (int d = 0; d < 3; ++d) lift -= m.gravity[d] * c.shift[d][i];
    return c.rho(m, i) * c.volume[i] * lift;
  });
}

void Audit::end(Cpu cpu, const MoveSums& moved, const Parcels& parcels, const Array<std::uint8_t>& gone, double dt) {
  const auto walls = static_cast<std::size_t>(Term::walls);
  books_.work[walls] = moved.wall_work;
  for (std::size_t d = 0; d < 3; ++d) books_.impulse[walls][d] = moved.wall_impulse[d];
  close(state(cpu, parcels, Which::gone, &gone), state(cpu, parcels, Which::staying, &gone), dt);
}

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

} // namespace corral::mppic
