#pragma once

#include "mppic/parcels/move.hpp"
#include "mppic/vector_loops.hpp"

#include <corral/for_each.hpp>
#include <corral/host_device.hpp>

#include <cmath>
#include <type_traits>

namespace corral::mppic {

/// How gravity, the gas's pressure and drag, implicit in the velocity, act on a parcel in a step.
struct ParcelStep {
  double phi, q;              ///< 1/(1 + dt D), dt D/(1 + dt D)
  double mass;                ///< [kg]
  double impulse_to_velocity; ///< dt/rho_p [m3 s/kg]

  CORRAL_HOST_DEVICE ParcelStep(const MoveModel& m, const MoveColumns& c, std::int64_t i, double rho)
      : phi(1 / (1 + m.dt * c.drag[i])), q(m.dt * c.drag[i] * phi), mass(c.volume[i] * rho),
        impulse_to_velocity(m.dt / rho) {}

  CORRAL_HOST_DEVICE double force(const MoveColumns& c, int d, std::int64_t i) const {
    return impulse_to_velocity * c.gradient[d][i];
  }
  /// phi (u + dt g - dt Ge/rho_p) + q u'.
  CORRAL_HOST_DEVICE double tentative(const MoveModel& m, const MoveColumns& c, int d, std::int64_t i) const {
    return phi * (c.velocity[d][i] + m.dt * m.gravity[d] - force(c, d, i)) + q * c.gas[d][i];
  }
  /// What drag changes of the velocity of a parcel that answers jointly with others, as far as they lie packed.
  CORRAL_HOST_DEVICE double joint_drag(const MoveColumns& c, int d, std::int64_t i) const {
    return q * (c.led_to[d][i] - c.velocity[d][i] + force(c, d, i)) + c.joint_drag[d][i];
  }
};

/// u = phi (u + dt g - dt Ge/rho_p) + q u' + c, in part `joint` with others where they lie packed, and what damping will
/// change of it, delta = a ubar - a u of the velocity before. Positions are moved without the damping,
/// or it would compress what contact has just stopped. The drag rate follows in a pass of its own: three short passes
/// vectorise where one long one does not.
template <class Density, bool joint> struct AdvanceVelocity {
  /// Contact pushes by a velocity, the same for all, or by an impulse per volume, the less the heavier.
  static constexpr bool by_impulse = std::is_same_v<Density, PropertyOfSolids> && !joint;
  MoveModel m;
  MoveColumns c;
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
    const ParcelStep step(m, c, i, rho);
    const double a = c.damping[i];
    double slip2 = 0;
    for (int d = 0; d < 3; ++d) {
      const double gas = c.gas[d][i], old = c.velocity[d][i], before = old + m.dt * m.gravity[d];
      double moved;
      if constexpr (joint) {
        const double drag = step.joint_drag(c, d, i);
        terms.impulse[d][k] = step.mass * drag;
        moved = before - step.force(c, d, i) + drag;
      } else {
        moved = step.tentative(m, c, d, i);
        terms.impulse[d][k] = step.mass * (moved - before + step.force(c, d, i));
      }
      if constexpr (by_impulse) moved += c.impulse[d][i] * per_rho;
      else moved += c.push[d][i];
      const double u = moved + c.damped[d][i] - a * old;
      c.step[d][i] = m.dt * moved;
      c.velocity[d][i] = u;
      slip2 += (gas - u) * (gas - u);
    }
    c.slip[i] = slip2;
  }
};

/// K of a parcel [kg/(m3 s)]; inlined, as loops that call it do not vectorise.
template <DragLaw law>
CORRAL_HOST_DEVICE __attribute__((always_inline)) inline double drag_at(const DragModel& drag, const MoveColumns& c, std::int64_t i) {
  const double d = c.diameter[i];
  double mean = d;
  if constexpr (knows_mixture(law)) mean = c.sauter ? c.sauter[i] : d;
  return drag_per_volume<law>(drag, c.eps[i], std::sqrt(c.slip[i]), d, mean);
}

/// The same of the gas around the parcel, whose density and viscosity vary.
template <DragLaw law>
CORRAL_HOST_DEVICE __attribute__((always_inline)) inline double warm_drag_at(const MoveModel& m, DragModel drag, const MoveColumns& c,
                                                                             std::int64_t i) {
  const double T = c.gas_temperature[i];
  if (m.gas.ideal) drag.rho = m.gas.density(m.gas_pressure, T);
  if (m.gas.sutherland) drag.mu = m.gas.viscosity(T);
  return drag_at<law>(drag, c, i);
}

/// D from the square of the slip.
template <DragLaw law> struct DragOfSlip {
  MoveModel m;
  MoveColumns c;

  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const {
    c.drag[i] = drag_at<law>(m.drag, c, i) * (1 / m.rho_p);
  }
};

/// The same where densities differ, and the laws do not.
template <DragLaw law> struct DragByMass {
  MoveModel m;
  MoveColumns c;

  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const {
    c.drag[i] = drag_at<law>(m.drag, c, i) / c.density.of_its_solid(i);
  }
};

/// The same of one of several solids, by its number.
template <DragLaw law> struct DragOfSolid {
  DragModel drag;
  MoveModel m;
  MoveColumns c;
  double solid;

  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const {
    if (c.solid[i] != solid) return;
    c.drag[i] = drag_at<law>(drag, c, i) / c.rho(m, i);
  }
};

/// Either, where the gas's density or viscosity varies.
template <DragLaw law> struct DragInWarmGas {
  DragModel drag;
  MoveModel m;
  MoveColumns c;
  double solid; ///< its number; below 0 all

  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const {
    if (solid >= 0 && c.solid[i] != solid) return;
    c.drag[i] = warm_drag_at<law>(m, drag, c, i) / c.rho(m, i);
  }
};

/// The square of the slip of parcels as they are, at the start or frozen.
struct SlipAsItIs {
  MoveModel m;
  MoveColumns c;

  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const {
    double slip2 = 0;
    for (int d = 0; d < 3; ++d) {
      const double slip = c.gas[d][i] - (m.frozen ? 0 : c.velocity[d][i]);
      slip2 += slip * slip;
    }
    c.slip[i] = slip2;
  }
};

/// x += step + shift, walls and outlets.
struct MovePosition {
  MoveModel m;
  MoveColumns c;

  CORRAL_HOST_DEVICE void operator()(std::int64_t i, MoveSums& sums) const {
    double u[3], x[3], speed2 = 0;
    bool inside = true;
    for (int d = 0; d < 3; ++d) {
      u[d] = c.velocity[d][i];
      x[d] = c.position[d][i] + c.step[d][i] + c.shift[d][i];
      speed2 += u[d] * u[d];
      inside = inside && x[d] >= m.low[d] && x[d] <= m.high[d];
    }
    c.gone[i] = 0;
    if (speed2 > sums.speed_squared) sums.speed_squared = speed2;
    if (!inside) {
      meet_sides(i, x, u, sums);
      for (int d = 0; d < 3; ++d) c.velocity[d][i] = u[d];
    }
    for (int d = 0; d < 3; ++d) c.position[d][i] = x[d];
  }

private:
  CORRAL_HOST_DEVICE void meet_sides(std::int64_t i, double (&x)[3], double (&u)[3], MoveSums& sums) const {
    for (int d = 0; d < 3; ++d) {
      // A step crosses a box at most a few times; what is left then is put onto the side.
      for (int hits = 0; hits < 4 && (x[d] < m.low[d] || x[d] > m.high[d]); ++hits)
        if (!meet_side(i, d, x[d] > m.high[d], x[d], u, sums)) return;
      if (x[d] < m.low[d]) x[d] = m.low[d];
      if (x[d] > m.high[d]) x[d] = m.high[d];
    }
  }

  /// False where the parcel leaves.
  CORRAL_HOST_DEVICE bool meet_side(std::int64_t i, int d, bool high, double& x, double (&u)[3],
                                    MoveSums& sums) const {
    const int s = 2 * d + (high ? 1 : 0);
    const double wall = high ? m.high[d] : m.low[d];
    switch (m.side[s]) {
    case SideAction::wrap: {
      const double length = m.high[d] - m.low[d];
      x -= length * std::floor((x - m.low[d]) / length);
      return true;
    }
    case SideAction::leave:
      c.gone[i] = static_cast<std::uint8_t>(1 + s);
      ++sums.left[s];
      return false;
    case SideAction::reflect:
    case SideAction::bounce: break;
    }
    const bool bounces = m.side[s] == SideAction::bounce;
    const double e_n = bounces ? m.normal_restitution : 1, e_t = bounces ? m.tangential_restitution : 1;
    const double mass = c.volume[i] * c.rho(m, i);
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

template <class Execution>
void drag_of_slip(Execution execution, const MoveModel& model, const MoveColumns& columns, std::int64_t n) {
  for (std::size_t s = 0; s < model.several.size(); ++s) {
    const DragModel& drag = model.several[s].drag;
    with_law(drag.law, [&](auto law) {
      const double solid = static_cast<double>(s);
      if (columns.gas_temperature)
        for_each(execution, n, DragInWarmGas<decltype(law)::value>{drag, model, columns, solid});
      else
        for_each(execution, n, DragOfSolid<decltype(law)::value>{drag, model, columns, solid});
    });
  }
  if (!model.several.empty()) return;
  with_law(model.drag.law, [&](auto law) {
    if (columns.gas_temperature)
      for_each(execution, n, DragInWarmGas<decltype(law)::value>{model.drag, model, columns, -1});
    else if (columns.density.solid)
      for_each_in_vectors(execution, n, DragByMass<decltype(law)::value>{model, columns});
    else
      for_each_in_vectors(execution, n, DragOfSlip<decltype(law)::value>{model, columns});
  });
}

template <class Execution>
void set_drag(Execution execution, const MoveModel& model, const MoveColumns& columns, std::int64_t n) {
  for_each(execution, n, SlipAsItIs{model, columns});
  drag_of_slip(execution, model, columns, n);
}

template <class Execution>
MoveSums advance_velocities(Execution execution, const MoveModel& model, const MoveColumns& columns, std::int64_t n) {
  if (model.frozen) {
    set_drag(execution, model, columns, n);
    return {};
  }
  const auto advance = [&](auto velocity) {
    const MoveSums sums = accumulate_in_vectors(execution, n, MoveSums{}, velocity, AddInPlace{});
    if (!model.drag_later) drag_of_slip(execution, model, columns, n);
    return sums;
  };
  const auto advance_of = [&](auto density) {
    using Density = decltype(density);
    return columns.led_to[0] ? advance(AdvanceVelocity<Density, true>{model, columns, density})
                             : advance(AdvanceVelocity<Density, false>{model, columns, density});
  };
  return columns.density.solid ? advance_of(PropertyOfSolids{columns.density}) : advance_of(PropertyOfAll{model.rho_p});
}

template <class Execution>
MoveSums move_parcels(Execution execution, const MoveModel& model, const MoveColumns& columns, std::int64_t n) {
  return accumulate(execution, n, MoveSums{}, MovePosition{model, columns}, AddInPlace{});
}

} // namespace corral::mppic
