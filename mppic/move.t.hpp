#pragma once

#include "mppic/move.hpp"

#include <corral/for_each.hpp>
#include <corral/host_device.hpp>

#include <cmath>

namespace corral::mppic {

struct AddSums {
  CORRAL_HOST_DEVICE MoveSums operator()(MoveSums a, const MoveSums& b) const {
    for (int d = 0; d < 3; ++d) {
      a.wall_impulse[d] += b.wall_impulse[d];
      a.from_gas[d] += b.from_gas[d];
      a.exchanged[d] += b.exchanged[d];
    }
    if (b.speed_squared > a.speed_squared) a.speed_squared = b.speed_squared;
    for (int s = 0; s < 6; ++s) a.left[s] += b.left[s];
    return a;
  }
};

/// The step of one parcel, for one drag law.
template <DragLaw law> struct MoveParcel {
  MoveModel m;
  MoveColumns c;

  CORRAL_HOST_DEVICE void operator()(std::int64_t i, MoveSums& sums) const {
    double u[3], x[3], slip2 = 0;
    if (m.frozen) {
      for (int d = 0; d < 3; ++d) slip2 += c.gas[d][i] * c.gas[d][i];
    } else {
      advance_velocity(i, u, slip2, sums);
    }
    c.drag[i] = drag_per_volume<law>(m.drag, c.eps[i], std::sqrt(slip2), c.diameter[i]) / m.rho_p;
    c.gone[i] = 0;
    if (m.frozen) return;

    const double speed2 = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    if (speed2 > sums.speed_squared) sums.speed_squared = speed2;
    for (int d = 0; d < 3; ++d) x[d] = c.position[d][i] + m.dt * u[d];
    meet_sides(i, x, u, sums);
    for (int d = 0; d < 3; ++d) {
      c.position[d][i] = x[d];
      c.velocity[d][i] = u[d];
    }
  }

private:
  /// u~ = phi (u + dt g - dt Ge/rho_p) + q u', u = u~ + c
  CORRAL_HOST_DEVICE void advance_velocity(std::int64_t i, double (&u)[3], double& slip2, MoveSums& sums) const {
    const double x = m.dt * c.drag[i], phi = 1 / (1 + x), q = x * phi, mass = c.volume[i] * m.rho_p;
    for (int d = 0; d < 3; ++d) {
      const double force = m.dt * c.gradient[d][i] / m.rho_p;
      const double before = c.velocity[d][i] + m.dt * m.gravity[d], gas = c.gas[d][i];
      const double tentative = phi * (before - force) + q * gas;
      const double impulse = mass * (tentative - before + force);
      sums.from_gas[d] += impulse;
      sums.exchanged[d] += impulse < 0 ? -impulse : impulse;
      u[d] = tentative + c.push[d][i];
      slip2 += (gas - u[d]) * (gas - u[d]);
    }
  }

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
    const double mass = c.volume[i] * m.rho_p;
    x = 2 * wall - x;
    for (int e = 0; e < 3; ++e) {
      const double after = e == d ? -e_n * u[e] : e_t * u[e];
      sums.wall_impulse[e] += mass * (after - u[e]);
      u[e] = after;
    }
    return true;
  }
};

template <DragLaw law> struct SetDrag {
  MoveModel m;
  MoveColumns c;

  CORRAL_HOST_DEVICE void operator()(std::int64_t i) const {
    double slip2 = 0;
    for (int d = 0; d < 3; ++d) {
      const double slip = c.gas[d][i] - (m.frozen ? 0 : c.velocity[d][i]);
      slip2 += slip * slip;
    }
    c.drag[i] = drag_per_volume<law>(m.drag, c.eps[i], std::sqrt(slip2), c.diameter[i]) / m.rho_p;
  }
};

template <class Execution>
MoveSums move_parcels(Execution execution, const MoveModel& model, const MoveColumns& columns, std::int64_t n) {
  return with_law(model.drag.law, [&](auto law) {
    return accumulate(execution, n, MoveSums{}, MoveParcel<decltype(law)::value>{model, columns}, AddSums{});
  });
}

template <class Execution>
void set_drag(Execution execution, const MoveModel& model, const MoveColumns& columns, std::int64_t n) {
  with_law(model.drag.law, [&](auto law) { for_each(execution, n, SetDrag<decltype(law)::value>{model, columns}); });
}

} // namespace corral::mppic
