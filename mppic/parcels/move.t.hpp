#pragma once

#include "mppic/parcels/move.hpp"

#include <corral/for_each.hpp>
#include <corral/host_device.hpp>
#include <corral/vector_loops.hpp>

#include <cmath>
#include <concepts>
#include <optional>

namespace corral::mppic {

/// How gravity, the gas's pressure and drag, implicit in the velocity, act on a parcel in a step.
struct ParcelStep {
  double phi, q;              ///< 1 - q = 1/(1 + dt D), q = dt D/(1 + dt D)
  double mass;                ///< [kg]
  double impulse_to_velocity; ///< dt/rho_p [m3 s/kg]

  template <class Fields>
  CORRAL_HOST_DEVICE ParcelStep(const MotionIn<Fields>& m, std::int64_t i, double rho)
      : phi(1 / (1 + m.dt * m.parcels.drag[i])), q(m.dt * m.parcels.drag[i] * phi), mass(m.parcels.volume[i] * rho),
        impulse_to_velocity(m.dt / rho) {}

  template <class Fields> CORRAL_HOST_DEVICE double force(const MotionIn<Fields>& m, int d, std::int64_t i) const {
    return impulse_to_velocity * m.at.force[d][i];
  }
  /// (1 - q) (u_p + dt g - dt G_e/rho_p) + q smooth(u').
  template <class Fields> CORRAL_HOST_DEVICE double tentative(const MotionIn<Fields>& m, int d, std::int64_t i) const {
    return phi * (m.parcels.velocity[d][i] + m.dt * m.gravity[d] - force(m, d, i)) + q * m.at.gas[d][i];
  }
  /// What drag changes of the velocity of a parcel that answers jointly with others, as far as they lie packed.
  template <class Fields> CORRAL_HOST_DEVICE double joint_drag(const MotionIn<Fields>& m, int d, std::int64_t i) const {
    return q * (m.at.led_to[d][i] - m.parcels.velocity[d][i] + force(m, d, i)) + m.at.joint_drag[d][i];
  }
};

/// v = (1 - q) (u_p + dt g - dt G_e/rho_p) + q smooth(u') + c_f, in part jointly with others where they lie packed, and what
/// damping changes of it, delta = alpha ubar - alpha u_p, u_p of before (docs/models/coupling.md). Positions are
/// moved without the damping, or it would compress what contact has just stopped. The drag rate follows in a pass of its
/// own: three short passes vectorise where one long one does not.
template <class Density, Answer answer, class Fields = FieldsAtParcels> struct AdvanceVelocity {
  MotionIn<Fields> m;
  Density density;

  template <std::int64_t rows> struct Terms {
    double impulse[3][rows]; ///< that the gas gives [N s]
  };
  template <std::int64_t rows> CORRAL_HOST_DEVICE void add(const Terms<rows>& terms, std::int64_t k, MoveSums& sums) const {
    for (int d = 0; d < 3; ++d) {
      const double impulse = terms.impulse[d][k];
      sums.from_gas[d] += impulse;
      sums.exchanged[d] += impulse < 0 ? -impulse : impulse;
    }
  }

  template <class Terms> CORRAL_HOST_DEVICE void operator()(std::int64_t i, std::int64_t k, Terms& terms) const {
    const double rho = density[i], per_rho = 1 / rho;
    const ParcelStep step(m, i, rho);
    const double a = m.at.damping[i];
    double slip2 = 0;
    for (int d = 0; d < 3; ++d) {
      const double gas = m.at.gas[d][i], old = m.parcels.velocity[d][i], before = old + m.dt * m.gravity[d];
      double moved;
      if constexpr (answer == Answer::jointly) {
        const double drag = step.joint_drag(m, d, i);
        terms.impulse[d][k] = step.mass * drag;
        moved = before - step.force(m, d, i) + drag;
      } else {
        moved = step.tentative(m, d, i);
        terms.impulse[d][k] = step.mass * (moved - before + step.force(m, d, i));
      }
      if constexpr (answer == Answer::by_mass) moved += m.at.push[d][i] * per_rho;
      else moved += m.at.push[d][i];
      const double u = moved + m.at.damped[d][i] - a * old;
      m.way.step[d][i] = m.dt * moved;
      m.parcels.velocity[d][i] = u;
      slip2 += (gas - u) * (gas - u);
    }
    if constexpr (std::same_as<Fields, FieldsAtParcels>) m.way.slip[i] = slip2;
  }
};

/// Fields at one parcel, which stand for columns of theirs.
struct FieldsOfParcel {
  struct Value {
    double value;
    CORRAL_HOST_DEVICE double operator[](std::int64_t) const { return value; }
  };
  Value gas[3], force[3], push[3], damped[3], damping;

  CORRAL_HOST_DEVICE FieldsOfParcel(const FieldsOnGrid& grid, std::int64_t i) {
    const FieldsOnGrid::Place p = grid.place(i);
    for (int d = 0; d < 3; ++d) {
      gas[d].value = grid.on_faces(p, d, grid.gas[d]);
      force[d].value = grid.on_faces(p, d, grid.force[d]);
      push[d].value = grid.on_faces(p, d, grid.push[d]);
      damped[d].value = grid.in_cells(p, grid.damped[d]);
    }
    damping.value = grid.in_cells(p, grid.damping);
  }
};

/// AdvanceVelocity where parcels take what acts on them from the grid.
struct AdvanceVelocityOnGrid {
  MotionOnGrid m;

  CORRAL_HOST_DEVICE void operator()(std::int64_t i, MoveSums& sums) const {
    using Advance = AdvanceVelocity<PropertyOfAll, Answer::alike, FieldsOfParcel>;
    const Advance advance{{m.dt, {m.gravity[0], m.gravity[1], m.gravity[2]}, m.parcels, {m.at, i}, m.way},
                          PropertyOfAll{m.parcels.density}};
    Advance::Terms<1> terms;
    advance(i, 0, terms);
    advance.add(terms, 0, sums);
  }
};

/// D from the slip in the gas of the grid, where all parcels have one density.
template <DragLaw law> struct DragOnGrid {
  DragModel drag;
  MotionOnGrid m;

  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const {
    const FieldsOnGrid::Place p = m.at.place(i);
    double slip2 = 0;
    for (int d = 0; d < 3; ++d) {
      const double slip = m.at.on_faces(p, d, m.at.gas[d]) - m.parcels.velocity[d][i];
      slip2 += slip * slip;
    }
    const double diameter = m.parcels.diameter[i];
    m.parcels.drag[i] = drag_per_volume<law>(drag, m.at.in_cells(p, m.at.eps), std::sqrt(slip2), diameter, diameter) *
                        (1 / m.parcels.density.all);
  }
};

/// What drag on parcels is made of, columns of theirs.
struct DragColumns {
  const double *slip, *eps, *diameter, *sauter;
  const std::int32_t* solid;
  ParcelProperty density;
  double* drag;

  explicit DragColumns(const Motion& m)
      : slip(m.way.slip), eps(m.at.eps), diameter(m.parcels.diameter), sauter(m.at.sauter), solid(m.parcels.solid),
        density(m.parcels.density), drag(m.parcels.drag) {}
};

/// K of a parcel [kg/(m3 s)]; inlined, as loops that call it do not vectorise.
template <DragLaw law>
CORRAL_HOST_DEVICE __attribute__((always_inline)) inline double drag_at(const DragModel& drag, const DragColumns& c,
                                                                        std::int64_t i) {
  const double d = c.diameter[i];
  double mean = d;
  if constexpr (knows_mixture(law)) mean = c.sauter[i];
  return drag_per_volume<law>(drag, c.eps[i], std::sqrt(c.slip[i]), d, mean);
}

/// D from the square of the slip, where all parcels have one density.
template <DragLaw law> struct DragOfSlip {
  DragModel drag;
  DragColumns c;

  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const {
    c.drag[i] = drag_at<law>(drag, c, i) * (1 / c.density.all);
  }
};

/// The same where densities differ, and the laws do not.
template <DragLaw law> struct DragByMass {
  DragModel drag;
  DragColumns c;

  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const {
    c.drag[i] = drag_at<law>(drag, c, i) / c.density.of_its_solid(i);
  }
};

/// The same of one of several solids, by its number.
template <DragLaw law> struct DragOfSolid {
  DragModel drag;
  DragColumns c;
  std::int32_t solid;

  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const {
    if (c.solid[i] != solid) return;
    c.drag[i] = drag_at<law>(drag, c, i) / c.density[i];
  }
};

/// Either, where the density and viscosity of the gas around a parcel vary.
template <DragLaw law> struct DragInWarmGas {
  DragModel drag;
  DragColumns c;
  GasLaws laws;
  WarmGas gas;
  std::int32_t solid; ///< its number; below 0 all

  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const {
    if (solid >= 0 && c.solid[i] != solid) return;
    DragModel here = drag;
    const double T = gas.temperature[i];
    if (laws.ideal) here.rho = laws.density(gas.pressure, T);
    if (laws.sutherland) here.mu = laws.viscosity(T);
    c.drag[i] = drag_at<law>(here, c, i) / c.density[i];
  }
};

/// The square of the slip of parcels as they are, at the start or frozen.
struct SlipAsItIs {
  Motion m;
  bool frozen;

  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const {
    double slip2 = 0;
    for (int d = 0; d < 3; ++d) {
      const double slip = m.at.gas[d][i] - (frozen ? 0 : m.parcels.velocity[d][i]);
      slip2 += slip * slip;
    }
    m.way.slip[i] = slip2;
  }
};

/// Of the columns of a step.
struct ShiftOfColumns {
  const double* shift[3];
  CORRAL_HOST_DEVICE void at(std::int64_t i, double (&here)[3]) const {
    for (int d = 0; d < 3; ++d) here[d] = shift[d][i];
  }
};

/// x += step + shift, walls and outlets.
template <class Shift> struct MovePosition {
  BoxSides sides;
  ParcelsView parcels;
  WaysOfParcels way;
  Shift shift;

  CORRAL_HOST_DEVICE void operator()(std::int64_t i, MoveSums& sums) const {
    double u[3], x[3], shifted[3], speed2 = 0;
    bool inside = true;
    shift.at(i, shifted);
    for (int d = 0; d < 3; ++d) {
      u[d] = parcels.velocity[d][i];
      x[d] = parcels.position[d][i] + way.step[d][i] + shifted[d];
      speed2 += u[d] * u[d];
      inside = inside && x[d] >= sides.low[d] && x[d] <= sides.high[d];
    }
    way.gone[i] = 0;
    if (speed2 > sums.speed_squared) sums.speed_squared = speed2;
    if (!inside) {
      meet_sides(i, x, u, sums);
      for (int d = 0; d < 3; ++d) parcels.velocity[d][i] = u[d];
    }
    for (int d = 0; d < 3; ++d) parcels.position[d][i] = x[d];
  }

private:
  CORRAL_HOST_DEVICE void meet_sides(std::int64_t i, double (&x)[3], double (&u)[3], MoveSums& sums) const {
    for (int d = 0; d < 3; ++d) {
      // A step crosses a box at most a few times; what is left then is put onto the side.
      for (int hits = 0; hits < 4 && (x[d] < sides.low[d] || x[d] > sides.high[d]); ++hits)
        if (!meet_side(i, d, x[d] > sides.high[d], x[d], u, sums)) return;
      if (x[d] < sides.low[d]) x[d] = sides.low[d];
      if (x[d] > sides.high[d]) x[d] = sides.high[d];
    }
  }

  /// False where the parcel leaves.
  CORRAL_HOST_DEVICE bool meet_side(std::int64_t i, int d, bool high, double& x, double (&u)[3],
                                    MoveSums& sums) const {
    const int s = 2 * d + (high ? 1 : 0);
    const double wall = high ? sides.high[d] : sides.low[d];
    switch (sides.action[s]) {
    case SideAction::wrap: {
      const double length = sides.high[d] - sides.low[d];
      x -= length * std::floor((x - sides.low[d]) / length);
      return true;
    }
    case SideAction::leave:
      way.gone[i] = static_cast<std::uint8_t>(1 + s);
      ++sums.left[s];
      return false;
    case SideAction::reflect:
    case SideAction::bounce: break;
    }
    const bool bounces = sides.action[s] == SideAction::bounce;
    const double e_n = bounces ? sides.normal_restitution : 1, e_t = bounces ? sides.tangential_restitution : 1;
    const double mass = parcels.volume[i] * parcels.density[i];
    x = 2 * wall - x;
    if (high ? u[d] <= 0 : u[d] >= 0) return true; // contact has turned it, or displacement has carried it there
    for (int e = 0; e < 3; ++e) {
      const double after = e == d ? -e_n * u[e] : e_t * u[e];
      sums.wall_impulse[e] += mass * (after - u[e]);
      sums.wall_work += 0.5 * mass * (after * after - u[e] * u[e]);
      u[e] = after;
    }
    return true;
  }
};

template <Execution E> void set_slip(E execution, const Motion& motion, bool frozen) {
  for_each(execution, motion.parcels.count, SlipAsItIs{motion, frozen});
}

template <Execution E>
void set_drag(E execution, const DragOfParcels& drag, const Motion& motion, const std::optional<WarmGas>& warm_gas) {
  const std::int64_t n = motion.parcels.count;
  const DragColumns columns(motion);
  for (std::size_t s = 0; s < drag.by_solid.size(); ++s) {
    const DragModel& own = drag.by_solid[s].drag;
    with_law(own.law, [&](auto law) {
      const auto solid = static_cast<std::int32_t>(s);
      if (warm_gas)
        for_each(execution, n, DragInWarmGas<decltype(law)::value>{own, columns, drag.gas, *warm_gas, solid});
      else
        for_each(execution, n, DragOfSolid<decltype(law)::value>{own, columns, solid});
    });
  }
  if (!drag.by_solid.empty()) return;
  with_law(drag.all.law, [&](auto law) {
    if (warm_gas)
      for_each(execution, n, DragInWarmGas<decltype(law)::value>{drag.all, columns, drag.gas, *warm_gas, -1});
    else if (motion.parcels.density.solid)
      for_each_in_vectors(execution, n, DragByMass<decltype(law)::value>{drag.all, columns});
    else
      for_each_in_vectors(execution, n, DragOfSlip<decltype(law)::value>{drag.all, columns});
  });
}

template <Execution E> MoveSums advance_velocities(E execution, const Motion& motion) {
  const ParcelProperty& density = motion.parcels.density;
  const auto advance = [&](auto velocity) {
    return accumulate_in_vectors(execution, motion.parcels.count, MoveSums{}, velocity, AddInPlace{});
  };
  const PropertyOfAll one{density};
  const PropertyOfSolids several{density};
  switch (motion.at.answer) {
  case Answer::alike: return advance(AdvanceVelocity<PropertyOfAll, Answer::alike>{motion, one});
  case Answer::by_mass: return advance(AdvanceVelocity<PropertyOfSolids, Answer::by_mass>{motion, several});
  case Answer::jointly: break;
  }
  return density.solid ? advance(AdvanceVelocity<PropertyOfSolids, Answer::jointly>{motion, several})
                       : advance(AdvanceVelocity<PropertyOfAll, Answer::jointly>{motion, one});
}

template <Execution E> MoveSums move_parcels(E execution, const BoxSides& sides, const Motion& motion) {
  const ShiftOfColumns shift{{motion.way.shift[0], motion.way.shift[1], motion.way.shift[2]}};
  return accumulate(execution, motion.parcels.count, MoveSums{},
                    MovePosition<ShiftOfColumns>{sides, motion.parcels, motion.way, shift}, AddInPlace{});
}

} // namespace corral::mppic
