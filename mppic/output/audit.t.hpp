#pragma once

/// The loops of audit.hpp, for either processor.

#include "mppic/contact/damping.t.hpp"
#include "mppic/gas/gathering.hpp"
#include "mppic/output/audit.hpp"

#include <corral/for_each.hpp>

namespace corral::mppic {

template <Execution E>
Audit::State Audit::state(E execution, const Parcels& p, Which which, const Array<std::uint8_t>* gone) const {
  const ParcelProperty rho = p.density();
  const std::uint8_t* marks = gone ? gone->data() : nullptr;
  const double* volume = p.volume.data();
  const std::array<double*, 3> velocity = run::pointers(p.velocity), position = run::pointers(p.position);
  const std::array<double, 3> gravity = gravity_;
  const auto add = [=] CORRAL_BODY(std::int64_t i, State& s) {
    if (which != Which::all && (marks[i] != 0) != (which == Which::gone)) return;
    const double mass = rho[i] * volume[i];
    s.mass += mass;
    for (std::size_t d = 0; d < 3; ++d) {
      const double u = velocity[d][i];
      s.kinetic += 0.5 * mass * u * u;
      s.potential -= mass * gravity[d] * position[d][i];
      s.momentum[d] += mass * u;
    }
  };
  return p.ranks.total(accumulate(execution, p.size(), State{}, add, AddInPlace{}));
}

template <Execution E> StepBooks Audit::energies(E execution, const Parcels& parcels) const {
  const State s = state(execution, parcels, Which::all, nullptr);
  StepBooks b;
  b.kinetic = s.kinetic;
  b.potential = s.potential;
  return b;
}

template <Execution E> void Audit::begin(E execution, const Parcels& parcels) {
  books_ = {};
  before_ = state(execution, parcels, Which::all, nullptr);
}

template <Execution E> void Audit::entered(E execution, const Parcels& parcels) {
  start_ = state(execution, parcels, Which::all, nullptr);
  books_.kinetic_entered = start_.kinetic - before_.kinetic;
  books_.potential_entered = start_.potential - before_.potential;
  books_.mass_entered = start_.mass - before_.mass;
}

/// What pressure gives to solids as far as they answer it jointly: contact's push has it.
template <Execution E>
void Audit::set_joint_pressure(E execution, const Grid& grid, const Gas& gas, const FaceSums& sums) {
  if (joint_pressure_[0].empty()) joint_pressure_ = fluid::make_face_arrays(grid, 0, friction_.memory());
  const JointView joint = sums.joint();
  for (std::size_t d = 0; d < 3; ++d) {
    const double *w = gas.filtered_contact()[d].data(), *Ge = gas.filtered_force()[d].data(), rho = rho_;
    double* pressure = joint_pressure_[d].data();
    for_each(execution, joint_pressure_[d].size(), [=] CORRAL_BODY(std::int64_t f) {
      pressure[f] = -joint.chi(d, f) * joint.share(d, f) * (Ge[f] / rho + w[f]);
    });
  }
}

template <Execution E>
void Audit::gather(E execution, const CellOrder<double>& order, const Grid& grid, const Gas& gas, const Damping& damping,
                   const FaceSums& sums) {
  damping.friction_part(execution, sums, friction_, friction_mean_);
  const bool joint = sums.joint().B[0] != nullptr;
  if (joint) set_joint_pressure(execution, grid, gas, sums);
  Gathering gathering(grid, order.size());
  for (auto* columns : {joint ? &pressure_at_ : &contact_at_, &friction_of_})
    for (Array<double>& column : *columns) column.resize(order.size());
  friction_at_.resize(order.size());
  for (int d = 0; d < 3; ++d) {
    if (joint) gathering.add(joint_pressure_[d], face(d), pressure_at_[d]);
    else gathering.add(gas.filtered_contact()[d], face(d), contact_at_[d]);
    gathering.add(friction_mean_[d], Staggering::centre, friction_of_[d]);
  }
  gathering.add(friction_, Staggering::centre, friction_at_);
  gathering.run(execution, order);
}

/// What acts on a parcel in a step, term by term: the sub-steps of the mover. Gas and contact act with the mean of the
/// velocities before and after them, then damping.
struct ForcesOfParcel {
  /// The sums over the parcels.
  struct Sums {
    std::array<double, term_count> work{};
    std::array<std::array<double, 3>, term_count> impulse{};
    double lift_flight = 0;

    CORRAL_HOST_DEVICE void add(Term term, int d, double momentum, double mean_velocity) {
      work[static_cast<std::size_t>(term)] += momentum * mean_velocity;
      impulse[static_cast<std::size_t>(term)][d] += momentum;
    }
    CORRAL_HOST_DEVICE void operator+=(const Sums& b) {
      for (std::size_t t = 0; t < term_count; ++t) {
        work[t] += b.work[t];
        for (std::size_t d = 0; d < 3; ++d) impulse[t][d] += b.impulse[t][d];
      }
      lift_flight += b.lift_flight;
    }
  };

  Motion m;
  double mixed_rho; ///< that mixtures are counted by [kg/m3]
  fluid::ConstFacePointers contact_at, pressure_at, friction_of; ///< columns
  const double* friction_at;

  CORRAL_HOST_DEVICE void operator()(std::int64_t i, Sums& s) const {
    const double x = m.dt * m.parcels.drag[i], q = x / (1 + x), rho = m.parcels.density[i];
    const double mass = m.parcels.volume[i] * rho;
    const bool jointly = m.at.answer == Answer::jointly;
    for (int d = 0; d < 3; ++d) {
      const double old = m.parcels.velocity[d][i], gravity = m.dt * m.gravity[d];
      const double force = -m.dt * m.at.force[d][i] / rho, push = m.at.push[d][i];
      // Ge holds the push that the gas expected, and where solids answer jointly contact's push has what pressure gives
      // them together.
      const double expected = jointly ? -m.dt * pressure_at[d][i] : m.dt * contact_at[d][i] * (mixed_rho / rho);
      const double pressure = force - expected;
      const double contact = expected + (m.at.answer == Answer::by_mass ? push / rho : push);
      const double drag = jointly ? q * (m.at.led_to[d][i] - old - force) + m.at.joint_drag[d][i]
                                  : q * (m.at.gas[d][i] - (old + gravity + force));
      const double moved = old + gravity + pressure + drag + contact;
      const double damping = m.at.damped[d][i] - m.at.damping[i] * old, friction = friction_of[d][i] - friction_at[i] * old;
      const double mean = 0.5 * (old + moved), damped = moved + 0.5 * damping;
      s.add(Term::gravity, d, mass * gravity, mean);
      s.add(Term::pressure, d, mass * pressure, mean);
      s.add(Term::drag, d, mass * drag, mean);
      s.add(Term::contact, d, mass * contact, mean);
      s.add(Term::friction, d, mass * friction, damped);
      s.add(Term::collisions, d, mass * (damping - friction), damped);
      s.lift_flight -= mass * m.gravity[d] * m.dt * moved;
    }
  }
};

template <Execution E>
void Audit::forces(E execution, const Parcels& parcels, const Motion& motion) {
  const ForcesOfParcel of{motion, rho_, fluid::pointers(contact_at_), fluid::pointers(pressure_at_),
                          fluid::pointers(friction_of_), friction_at_.data()};
  const ForcesOfParcel::Sums sums =
      parcels.ranks.total(accumulate(execution, motion.parcels.count, ForcesOfParcel::Sums{}, of, AddInPlace{}));
  books_.work = sums.work;
  books_.impulse = sums.impulse;
  books_.lift_flight = sums.lift_flight;
}

template <Execution E> void Audit::before_isotropy(E execution, const Parcels& parcels) {
  ordered_ = state(execution, parcels, Which::all, nullptr);
}

template <Execution E> void Audit::after_isotropy(E execution, const Parcels& parcels) {
  const State now = state(execution, parcels, Which::all, nullptr);
  const auto isotropy = static_cast<std::size_t>(Term::isotropy);
  books_.work[isotropy] = now.kinetic - ordered_.kinetic;
  for (std::size_t d = 0; d < 3; ++d) books_.impulse[isotropy][d] = now.momentum[d] - ordered_.momentum[d];
}

template <Execution E>
void Audit::displacement(E execution, const Parcels& parcels, const Motion& motion) {
  const Motion m = motion;
  books_.lift_displacement = parcels.ranks.total(sum(execution, m.parcels.count, [=] CORRAL_BODY(std::int64_t i) {
    double lift = 0;
    for (int d = 0; d < 3; ++d) lift -= m.gravity[d] * m.way.shift[d][i];
    return m.parcels.density[i] * m.parcels.volume[i] * lift;
  }));
}

template <Execution E>
void Audit::end(E execution, const MoveSums& moved, const Parcels& parcels, const Array<std::uint8_t>& gone, double dt) {
  const auto walls = static_cast<std::size_t>(Term::walls);
  books_.work[walls] = moved.wall_work;
  for (std::size_t d = 0; d < 3; ++d) books_.impulse[walls][d] = moved.wall_impulse[d];
  close(state(execution, parcels, Which::gone, &gone), state(execution, parcels, Which::staying, &gone), dt);
}

} // namespace corral::mppic
