#include "mppic/output/watch.t.hpp"

#include "run/case/values.hpp"

#include <corral/error.hpp>

namespace corral::mppic {

using run::formatted;

namespace {

/// Of ranks that add theirs up, the fullest.
struct FullCell {
  double theta = 0;
  std::int64_t cell = 0;
  FullCell& operator+=(const FullCell& next) { return next.theta > theta ? *this = next : *this; }
};

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

void Watch::warn_of_speeds(double faster, double crossed, double rate, double dt) {
  notices_.warn(fast_, crossed, time_, [&] {
    return formatted("at %.4g s %.0f parcels cross more than a cell in a step of %.3g s, the fastest %.2g: they may pass what "
                     "they should have met (set %stime.dt to %.2g s)",
                     time_, faster, dt, crossed, setup_.time.adaptive ? "" : "time.step = adaptive, or ",
                     setup_.time.parcel_courant / rate);
  });
}

/// False where solids may fall out.
bool Watch::add_to_window(const StepReport& report, double dt) {
  const Grid& grid = domain_.grid();
  for (int side = 0; side < 6; ++side) {
    const double outward = side % 2 == 0 ? -1 : 1;
    if (domain_.side_kind(side) != fluid::SideKind::outlet) continue;
    if (setup_.gravity[side / 2] * outward > 0) return false;
    left_ += report.left_volume[side];
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
  ++steps_;
  return true;
}

void Watch::warn_of_outlets(double inside) {
  const double share = left_ / (inside + left_);
  if (share <= Doubtful::bulk) return;
  notices_.warn(leaving_, share, time_, [&] {
    return formatted("at %.4g s %.2g %% of the solids have left through outlets within %lld steps, more than is blown in: "
                     "they are thrown out (set a shorter time.dt; a bed that starts denser than it can be packed does "
                     "this, too)",
                     time_, 100 * share, static_cast<long long>(steps_));
  });
}

/// `share` of the solids is packed beyond what there is room for.
void Watch::count_overfull(bool overfull, const StepState& state, double share, double dt) {
  overfull_steps_ = overfull ? overfull_steps_ + 1 : 0;
  if (overfull_steps_ < Doubtful::most_overfull_steps) return;
  throw Error(formatted("at %.4g s solids have been packed beyond %g of close packing for %lld steps of now %.3g s (", time_,
                        Doubtful::overfull, static_cast<long long>(overfull_steps_), dt) +
              fullest(state, share) + ") set " + (setup_.time.adaptive ? "" : "time.step = adaptive, or ") +
              "a shorter time.dt, parcels of fewer particles, or larger cells");
}

void Watch::warn_of_packing(double theta) {
  const double cp = setup_.solids.stress.theta_cp;
  notices_.warn(packed_, theta / cp, time_, [&] {
    return formatted("at %.4g s solids fill %.3g of a cell, and close packing is %.3g: there is no room for them, and what they "
                     "do there is wrong (shorter steps help, and parcels of fewer particles, or larger cells)",
                     time_, theta, cp);
  });
}

/// "1 % of them are; they fill .8 of the cell at (.1, .2, .3) m, and close packing is .6".
std::string Watch::fullest(const StepState& state, double share) const {
  const Grid& grid = domain_.grid();
  const std::vector<double> theta = state.flow.solids_fraction.values();
  const fluid::OwnRange own = state.own(Staggering::centre);
  const auto first = theta.begin() + own.first, most = std::max_element(first, first + own.count);
  const FullCell full = state.parcels.ranks.total(FullCell{*most, most - theta.begin()});
  const std::int64_t c = full.cell;
  const std::int64_t nx = grid.axis(0).cells, ny = grid.axis(1).cells, at[3] = {c % nx, c / nx % ny, c / (nx * ny)};
  double x[3];
  for (int d = 0; d < 3; ++d) x[d] = grid.axis(d).origin + (static_cast<double>(at[d]) + 0.5) * grid.axis(d).spacing;
  return formatted("%.2g %% of them are; they fill %.3g of the cell at (%.3g, %.3g, %.3g) m, and close packing is %.3g",
                   100 * share, full.theta, x[0], x[1], x[2], setup_.solids.stress.theta_cp);
}

template void Watch::look(const Step<Cpu>&, const Fastest&, double, double);

} // namespace corral::mppic
