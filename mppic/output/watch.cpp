#include "mppic/output/watch.hpp"

#include "run/case/values.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>

namespace corral::mppic {

using run::formatted;

namespace {

constexpr std::int64_t window = 100, within = 20; ///< steps over which what leaves is added up, after which it is looked at
constexpr double bulk = 0.01;         ///< of all solids: more than a handful of strays
constexpr double thrown = 1.5;        ///< times what is blown in: what leaves is thrown out
constexpr double doubtful = 0.1;      ///< solids fraction over close packing that no sampling of parcels explains [-]
constexpr double overfull = 1.05;     ///< of close packing: what displacement does not let stand
constexpr std::int64_t most_overfull_steps = 100; ///< in a row: it cannot help

/// Of all solids, those in cells that hold more than `theta`.
double share_packed_beyond(double theta, const Array<double>& fractions) {
  double all = 0, packed = 0;
  for (const double t : fractions) all += t, packed += t > theta ? t : 0;
  return all > 0 ? packed / all : 0;
}

} // namespace

void Watch::bind_state(run::Registry& registry) {
  notices_.bind(fast_, registry, "crossed", "parcels crossed more than a cell in a step", "cells");
  notices_.bind(leaving_, registry, "thrown", "solids were thrown out of the box", "of them within 100 steps");
  notices_.bind(packed_, registry, "packed", "solids were packed beyond what there is room for", "of close packing");
  registry.bind("overfull_steps", "steps in a row in which a cell was packed beyond what there is room for", overfull_steps_);
  registry.bind("outlet_window_steps", "steps over which what leaves is added up", steps_);
  registry.bind("outlet_window_left", "m3", "solids that left in these steps", left_);
  registry.bind("outlet_window_carried", "m3", "what enters in these steps as solids, and half of the gas", carried_);
}

void Watch::look(const Step<Cpu>& step, const Fastest& parcel, double time, double dt) {
  time_ = time;
  if (setup_.solids.frozen) return;
  look_at_speeds(step, parcel, dt);
  look_at_outlets(step, dt);
  if (setup_.solids.packing) look_at_packing(step, dt);
}

void Watch::look_at_speeds(const Step<Cpu>& step, const Fastest& parcel, double dt) {
  const double crossed = dt * parcel.rate;
  if (!(crossed > std::max(1.0, fast_.worst()))) return;
  const Parcels& p = step.parcels();
  const Grid& grid = domain_.grid();
  const double faster = sum(step.execution(), p.size(), [&](std::int64_t i) {
    bool crosses = false;
    for (int d = 0; d < 3; ++d)
      crosses |= grid.axis(d).cells > 1 && std::abs((*p.velocity[d])[i]) * dt > grid.axis(d).spacing;
    return crosses ? 1.0 : 0.0;
  });
  if (faster <= setup_.time.outliers * static_cast<double>(p.size())) return;
  notices_.warn(fast_, crossed, time_, [&] {
    return formatted("at %.4g s %.0f parcels cross more than a cell in a step of %.3g s, the fastest %.2g: they may pass what "
                     "they should have met (set %stime.dt to %.2g s)",
                     time_, faster, dt, crossed, setup_.time.adaptive ? "" : "time.step = adaptive, or ",
                     setup_.time.parcel_courant / parcel.rate);
  });
}

/// What is carried out leaves in no larger volume than what is blown in; what is thrown out does. Where gravity leads
/// out, solids may fall out.
void Watch::look_at_outlets(const Step<Cpu>& step, double dt) {
  const Grid& grid = domain_.grid();
  for (int side = 0; side < 6; ++side) {
    const double outward = side % 2 == 0 ? -1 : 1;
    if (domain_.side_kind(side) != fluid::SideKind::outlet) continue;
    if (setup_.gravity[side / 2] * outward > 0) return;
    left_ += step.report().left_volume[side];
  }
  for (const fluid::Inlet& inlet : domain_.inlets()) {
    double area = 1;
    for (int e = 0; e < 3; ++e)
      if (const auto i = static_cast<std::size_t>(e); e != inlet.side / 2)
        area *= std::clamp(inlet.region.high[i] - inlet.region.low[i], 0.0, grid.axis(e).length());
    carried_ += 0.5 * dt * area * fluid::middle_velocity(inlet) * inlet.schedule.at(time_);
  }
  for (const SolidsInlet& inlet : setup_.solids_inlets)
    carried_ += dt * inlet.rate * inlet.schedule.at(time_) / setup_.solids.density(inlet.solid);
  const Array<double>& v = step.parcels().volume;
  ++steps_;
  if (steps_ % within == 0 && left_ > thrown * carried_ && left_ > 0) {
    const double inside = sum(step.execution(), v.size(), [&](std::int64_t i) { return v[i]; });
    const double share = left_ / (inside + left_);
    if (share > bulk)
      notices_.warn(leaving_, share, time_, [&] {
        return formatted("at %.4g s %.2g %% of the solids have left through outlets within %lld steps, more than is blown in: "
                         "they are thrown out (set a shorter time.dt; a bed that starts denser than it can be packed does "
                         "this, too)",
                         time_, 100 * share, static_cast<long long>(steps_));
      });
  }
  if (steps_ == window) steps_ = 0, left_ = carried_ = 0;
}

void Watch::look_at_packing(const Step<Cpu>& step, double dt) {
  const double cp = setup_.solids.stress.theta_cp, theta = step.report().theta_max;
  const bool many = theta > overfull * cp && share_packed_beyond(overfull * cp, step.flow().solids_fraction) > bulk;
  overfull_steps_ = many ? overfull_steps_ + 1 : 0;
  if (overfull_steps_ >= most_overfull_steps)
    throw Error(formatted("at %.4g s solids have been packed beyond %g of close packing for %lld steps of now %.3g s (", time_,
                          overfull, static_cast<long long>(overfull_steps_), dt) +
                fullest(step) + ") set " + (setup_.time.adaptive ? "" : "time.step = adaptive, or ") +
                "a shorter time.dt, parcels of fewer particles, or larger cells");
  if (!(theta > cp + doubtful)) return;
  notices_.warn(packed_, theta / cp, time_, [&] {
    return formatted("at %.4g s solids fill %.3g of a cell, and close packing is %.3g: there is no room for them, and what they "
                     "do there is wrong (shorter steps help, and parcels of fewer particles, or larger cells)",
                     time_, theta, cp);
  });
}

/// "solids fill .8 of the cell at (.1, .2, .3) m, and close packing is .6".
std::string Watch::fullest(const Step<Cpu>& step) const {
  const Grid& grid = domain_.grid();
  const Array<double>& theta = step.flow().solids_fraction;
  const std::int64_t c = std::max_element(theta.begin(), theta.end()) - theta.begin();
  const std::int64_t nx = grid.axis(0).cells, ny = grid.axis(1).cells, at[3] = {c % nx, c / nx % ny, c / (nx * ny)};
  double x[3];
  for (int d = 0; d < 3; ++d) x[d] = grid.axis(d).origin + (static_cast<double>(at[d]) + 0.5) * grid.axis(d).spacing;
  const double cp = setup_.solids.stress.theta_cp;
  return formatted("%.2g %% of them are; they fill %.3g of the cell at (%.3g, %.3g, %.3g) m, and close packing is %.3g",
                   100 * share_packed_beyond(overfull * cp, theta), theta[c], x[0], x[1], x[2], cp);
}

} // namespace corral::mppic
