#include "mppic/time_step.hpp"

#include "mppic/step.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>

namespace corral::mppic {

TimeStepper::TimeStepper(const Setup& setup, const fluid::Domain& domain, run::Registry& registry)
    : setup_(setup), domain_(domain),
      next_(registry.declare_scalar("next_dt", "s", "length of the next time step", run::Use::saved)) {
  next_ = setup.time.dt;
}

void TimeStepper::adapt(const Step& step) {
  if (!setup_.time.adaptive) return;
  const double gas = gas_rate(step), parcels = parcel_rate(step);
  double dt = std::min(setup_.time.dt, 1.1 * next_);
  if (gas > 0) dt = std::min(dt, setup_.time.gas_courant / gas);
  if (parcels > 0) dt = std::min(dt, setup_.time.parcel_courant / parcels);
  next_ = dt;
}

double TimeStepper::gas_rate(const Step& step) const {
  double rate = 0;
  for (int d = 0; d < 3 && setup_.gas.solved; ++d) {
    const Array<double>& u = *step.flow().gas_velocity[static_cast<std::size_t>(d)];
    rate = std::max(rate, maximum(Cpu{}, u.size(), 0, [&](std::int64_t f) { return std::abs(u[f]); }) /
                              domain_.grid().axis(d).spacing);
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
      rate = std::max(rate, std::abs((*p.velocity[static_cast<std::size_t>(d)])[i]) / domain_.grid().axis(d).spacing);
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
