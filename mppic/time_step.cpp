#include "mppic/time_step.hpp"

#include "mppic/step.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <utility>

namespace corral::mppic {

namespace {

// Beyond these the step is not inaccurate but wrong: it moves matter past what it should have met.
constexpr double most_gas_cells = 20, most_parcel_cells = 100;

/// What blows up says little of the step that fits the flow; what moved before it says more.
double calmer(const auto& before, const auto& now) {
  return before.rate > 0 ? std::min(before.rate, now.rate) : now.rate;
}

} // namespace

double step_to_multiple(double time, double interval, double allowed) {
  const double multiples = time / interval;
  // A time that rounding left a hair before a multiple is that multiple.
  const double hair = std::max(1e-9, 8 * std::numeric_limits<double>::epsilon() * multiples);
  const double left = interval * (std::floor(multiples + hair) + 1) - time;
  const double parts = std::ceil(left / allowed * (1 - 1e-6));
  return parts == 1 && std::abs(left - interval) <= 2 * hair * interval ? interval : left / parts;
}

TimeStepper::TimeStepper(const Setup& setup, const fluid::Domain& domain, run::Registry& registry)
    : setup_(setup), domain_(domain),
      next_(registry.declare_scalar("next_dt", "s", "length of the next time step", run::Use::saved)),
      allowed_(registry.declare_scalar("allowed_dt", "s", "step that the Courant numbers allow", run::Use::saved)) {
  next_ = allowed_ = setup.time.dt;
}

void TimeStepper::start(const Step& step) {
  const Parcels& p = step.parcels();
  const double squared = maximum(Cpu{}, setup_.solids.frozen ? 0 : p.size(), 0, [&](std::int64_t i) {
    const double u = (*p.velocity[0])[i], v = (*p.velocity[1])[i], w = (*p.velocity[2])[i];
    return u * u + v * v + w * w;
  });
  adapt(step, std::sqrt(squared), 0);
}

void TimeStepper::adapt(const Step& step, double time) {
  adapt(step, std::sqrt(step.report().moved.speed_squared), time);
}

/// `speed` of the fastest parcel [m/s].
void TimeStepper::adapt(const Step& step, double speed, double time) {
  gas_before_ = std::exchange(gas_, fastest_gas(step));
  parcel_before_ = std::exchange(parcel_, fastest_parcel(speed));
  if (!setup_.time.adaptive) return;
  double dt = std::min(setup_.time.dt, 1.1 * allowed_);
  const double gas = setup_.gas.solved ? std::max(gas_.rate, inlet_rate(time + dt)) : 0;
  if (gas > 0) dt = std::min(dt, setup_.time.gas_courant / gas);
  // Only where the fastest parcel is too fast must all be counted.
  if (parcel_.rate * dt > setup_.time.parcel_courant) {
    const double rate = parcel_rate(step);
    if (rate > 0) dt = std::min(dt, setup_.time.parcel_courant / rate);
  }
  allowed_ = dt;
  next_ = step_to_multiple(time, setup_.time.dt, allowed_);
}

void TimeStepper::check(double dt) const {
  const double gas = dt * gas_.rate, parcel = dt * parcel_.rate;
  if (gas <= most_gas_cells && parcel <= most_parcel_cells) return;
  char problem[400], cure[100];
  const std::string adaptive = setup_.time.adaptive ? "" : "time.step = adaptive, or ";
  if (std::isfinite(gas) && std::isfinite(parcel)) {
    std::snprintf(problem, sizeof problem,
                  "the time step of %.3g s is far too long, or the flow has blown up (within it the gas crosses %.3g "
                  "cells, at %.3g m/s, and the fastest parcel %.3g, at %.3g m/s; more than %g and %g make no sense)",
                  dt, gas, gas_.speed, parcel, parcel_.speed, most_gas_cells, most_parcel_cells);
    std::snprintf(cure, sizeof cure, "time.dt to %.2g s",
                  std::min(setup_.time.gas_courant / calmer(gas_before_, gas_),
                           setup_.time.parcel_courant / calmer(parcel_before_, parcel_)));
  } else {
    std::snprintf(problem, sizeof problem,
                  "the flow has blown up in a step of %.3g s (the gas moves at %.3g m/s, the fastest parcel at %.3g "
                  "m/s)",
                  dt, gas_.speed, parcel_.speed);
    std::snprintf(cure, sizeof cure, "time.dt to %.2g s or less", 0.1 * dt);
  }
  throw Error(problem + (" set " + adaptive) + cure);
}

double TimeStepper::crossings(int d) const {
  const Axis& axis = domain_.grid().axis(d);
  return axis.cells > 1 ? 1 / axis.spacing : 0;
}

TimeStepper::Fastest TimeStepper::fastest_gas(const Step& step) const {
  Fastest fastest;
  for (int d = 0; d < 3 && setup_.gas.solved; ++d) {
    const Array<double>& u = *step.flow().gas_velocity[static_cast<std::size_t>(d)];
    const double speed = maximum(Cpu{}, u.size(), 0, [&](std::int64_t f) { return std::abs(u[f]); });
    const double rate = speed * crossings(d);
    if (!(rate <= fastest.rate)) fastest = {rate, speed}; // nan, too
    if (std::isnan(rate)) break;
  }
  return fastest;
}

/// As if it moved along the axis of the shortest cells.
TimeStepper::Fastest TimeStepper::fastest_parcel(double speed) const {
  return {speed * std::max({crossings(0), crossings(1), crossings(2)}), speed};
}

/// A jump of an inlet's schedule is met with a step that fits the velocity behind it.
double TimeStepper::inlet_rate(double time) const {
  double rate = 0;
  for (const fluid::Inlet& inlet : domain_.inlets()) {
    const int d = inlet.side / 2;
    std::array<double, 3> middle{};
    for (std::size_t e = 0; e < 3; ++e) middle[e] = 0.5 * (inlet.region.low[e] + inlet.region.high[e]);
    rate = std::max(rate, inlet.velocity(middle) * inlet.schedule.at(time) * crossings(d));
  }
  return rate;
}

/// From a histogram in powers of 2^(1/8): the answer is the upper edge of a bin, at most 9 % above the quantile.
double TimeStepper::parcel_rate(const Step& step) const {
  constexpr int bins = 512, per_octave = 8, lowest = -32; // rates from 2^-32/s to 2^32/s
  struct Histogram {
    std::int64_t count[bins];
  };
  const Parcels& p = step.parcels();
  const std::int64_t n = p.size();
  Histogram all{};
  for (std::int64_t i = 0; i < n; ++i) {
    double rate = 0;
    for (int d = 0; d < 3; ++d)
      rate = std::max(rate, std::abs((*p.velocity[static_cast<std::size_t>(d)])[i]) * crossings(d));
    if (rate <= 0) continue;
    const int bin = static_cast<int>(std::floor((std::log2(rate) - lowest) * per_octave));
    ++all.count[std::clamp(bin, 0, bins - 1)];
  }
  std::int64_t faster = 0;
  const auto allowed = static_cast<std::int64_t>(setup_.time.outliers * static_cast<double>(n));
  for (int b = bins - 1; b >= 0; --b) {
    faster += all.count[b];
    if (faster > allowed) return std::exp2(static_cast<double>(b + 1) / per_octave + lowest);
  }
  return 0;
}

} // namespace corral::mppic
