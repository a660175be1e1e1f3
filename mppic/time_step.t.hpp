#pragma once

/// The loops of time_step.hpp, for either processor.

#include "mppic/parcels/sums.t.hpp"
#include "mppic/step.hpp"
#include "mppic/time_step.hpp"

#include <corral/for_each.hpp>
#include <corral/together.hpp>
#include <corral/host_device.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace corral::mppic {

/// Bins of rates in powers of 2^(1/8), from 2^-32/s to 2^32/s; what lies beyond is in the first or the last.
struct RateBins {
  static constexpr int count = 512, per_octave = 8, lowest = -32;

  /// -1 for 0, which is in none.
  CORRAL_HOST_DEVICE static int of(double rate) {
    if (rate <= 0) return -1;
    const double bin = std::floor((std::log2(rate) - lowest) * per_octave);
    return static_cast<int>(std::clamp(bin, 0.0, count - 1.0));
  }
  static double upper_edge(int bin) { return std::exp2(static_cast<double>(bin + 1) / per_octave + lowest); }
};

/// How many of n parcels cross cells at the rates of each bin, along the axis on which they are fastest.
template <Execution E>
std::vector<std::int64_t> count_rates(E execution, std::int64_t n, std::array<double*, 3> velocity,
                                      std::array<double, 3> cells_per_length) {
  return histogram(execution, n, RateBins::count, [=] CORRAL_BODY(std::int64_t i) {
    double rate = 0;
    for (std::size_t d = 0; d < 3; ++d) rate = std::max(rate, std::abs(velocity[d][i]) * cells_per_length[d]);
    return RateBins::of(rate);
  });
}

/// Of the parcels [m2/s2].
template <Execution E>
double largest_speed_squared(E execution, std::int64_t n, std::array<double*, 3> velocity) {
  return maximum(execution, n, 0, [=] CORRAL_BODY(std::int64_t i) {
    double square = 0;
    for (const double* u : velocity) square += u[i] * u[i];
    return square;
  });
}

template <Execution E> void TimeStepper::start(const Step<E>& step) {
  const Parcels& p = step.parcels();
  const std::int64_t moving = setup_.solids.frozen ? 0 : p.size();
  adapt(step, std::sqrt(p.ranks.largest(largest_speed_squared(step.execution(), moving, run::pointers(p.velocity)))), 0);
}

template <Execution E> void TimeStepper::adapt(const Step<E>& step, double time) {
  adapt(step, std::sqrt(step.report().moved.speed_squared), time);
}

/// `speed` of the fastest parcel [m/s].
template <Execution E> void TimeStepper::adapt(const Step<E>& step, double speed, double time) {
  gas_before_ = std::exchange(gas_, fastest_gas(step));
  parcel_before_ = std::exchange(parcel_, fastest_parcel(speed));
  if (!setup_.time.adaptive) return;
  length_.begin(setup_.time.dt);
  const double gas = setup_.gas.solved ? std::max(gas_.rate, inlet_rate(time + length_.allowed())) : 0;
  if (gas > 0) length_.bound_by(gas_speed, setup_.time.gas_courant / gas);
  // Only where the fastest parcel is too fast must all be counted.
  if (parcel_.rate * length_.allowed() > setup_.time.parcel_courant) {
    const double rate = parcel_rate(step);
    if (rate > 0) length_.bound_by(parcel_speed, setup_.time.parcel_courant / rate);
  }
  if (const double drag = setup_.solids.two_way ? step.report().packed_drag : 0; drag > 0)
    length_.bound_by(drag_rate, setup_.time.drag_number / drag);
  length_.end(time);
}

template <Execution E> Fastest TimeStepper::fastest_gas(const Step<E>& step) const {
  Fastest fastest;
  if (!setup_.gas.solved) return fastest;
  Together<E> all(step.execution());
  for (int d = 0; d < 3; ++d) {
    const fluid::OwnRange own = step.state().own(face(d));
    add_largest_magnitude(all, own.count, step.flow().gas_velocity[d]->data() + own.first);
  }
  const auto found = step.state().over_planes(all.values(), {}, {0, 1, 2});
  for (int d = 0; d < 3; ++d) {
    const double speed = found[d];
    const double rate = speed * crossings(d);
    if (!(rate <= fastest.rate)) fastest = {rate, speed}; // nan, too
    if (std::isnan(rate)) break;
  }
  return fastest;
}

/// The answer is the upper edge of a bin, at most 9 % above the quantile.
template <Execution E> double TimeStepper::parcel_rate(const Step<E>& step) const {
  const Parcels& p = step.parcels();
  std::vector<std::int64_t> count =
      count_rates(step.execution(), p.size(), run::pointers(p.velocity), {crossings(0), crossings(1), crossings(2)});
  p.ranks.add(std::span<std::int64_t>(count));
  std::int64_t faster = 0;
  const auto allowed = static_cast<std::int64_t>(setup_.time.outliers * static_cast<double>(p.total()));
  for (int b = RateBins::count - 1; b >= 0; --b) {
    faster += count[b];
    if (faster > allowed) return RateBins::upper_edge(b);
  }
  return 0;
}

template <Execution E> void TimeStepper::check(const Step<E>& step, double dt) const { check(step.state(), dt); }

} // namespace corral::mppic
