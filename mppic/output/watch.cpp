#include "mppic/output/watch.hpp"

#include "run/formatted.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>

namespace corral::mppic {

using run::formatted;

namespace {

constexpr std::int64_t window = 100;  ///< steps over which what leaves is added up
constexpr double bulk = 0.01;         ///< of all solids: what leaves in a window and is no handful of strays
constexpr double overfull = 0.1;      ///< solids fraction over close packing that no sampling of parcels explains [-]

} // namespace

void Watch::bind_state(run::Registry& registry) {
  fast_.bind_state(registry, "said_fast", "that parcels cross more than a cell a step");
  leaving_.bind_state(registry, "said_leaving", "that solids are thrown out");
  packed_.bind_state(registry, "said_packed", "that solids are packed beyond what there is room for");
  registry.bind("outlet_window_steps", "steps over which what leaves is added up", steps_);
  registry.bind("outlet_window_left", "m3", "solids that left in these steps", left_);
  registry.bind("outlet_window_carried", "m3", "what enters in these steps as solids, and half of the gas", carried_);
}

void Watch::look(const Step<Cpu>& step, const Fastest& parcel, double time, double dt) {
  time_ = time;
  if (setup_.solids.frozen) return;
  if (!fast_) look_at_speeds(step, parcel, dt);
  if (!leaving_) look_at_outlets(step, dt);
  if (!packed_ && setup_.solids.packing) look_at_packing(step);
}

void Watch::look_at_speeds(const Step<Cpu>& step, const Fastest& parcel, double dt) {
  if (!(dt * parcel.rate > 1)) return;
  const Parcels& p = step.parcels();
  const Grid& grid = domain_.grid();
  const double faster = sum(step.execution(), p.size(), [&](std::int64_t i) {
    bool crosses = false;
    for (int d = 0; d < 3; ++d)
      crosses |= grid.axis(d).cells > 1 && std::abs((*p.velocity[d])[i]) * dt > grid.axis(d).spacing;
    return crosses ? 1.0 : 0.0;
  });
  if (faster <= setup_.time.outliers * static_cast<double>(p.size())) return;
  notices_.add(fast_, formatted("at %.4g s %.0f parcels cross more than a cell in a step of %.3g s, the fastest %.2g: they may "
                                "pass what they should have met (set %stime.dt to %.2g s)",
                                time_, faster, dt, dt * parcel.rate, setup_.time.adaptive ? "" : "time.step = adaptive, or ",
                                setup_.time.parcel_courant / parcel.rate));
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
  for (const SolidsInlet& inlet : setup_.solids_inlets) carried_ += dt * inlet.rate / setup_.solids.density(inlet.solid);
  const Array<double>& v = step.parcels().volume;
  if (left_ > carried_ && left_ > 0) {
    const double inside = sum(step.execution(), v.size(), [&](std::int64_t i) { return v[i]; });
    if (left_ > bulk * (inside + left_))
      notices_.add(leaving_,
                   formatted("at %.4g s %.2g %% of the solids have left through outlets within %lld steps, more than is blown "
                             "in: they are thrown out (set a shorter time.dt; a bed that starts denser than it can be packed "
                             "does this, too)",
                             time_, 100 * left_ / (inside + left_), static_cast<long long>(steps_ + 1)));
  }
  if (++steps_ == window) steps_ = 0, left_ = carried_ = 0;
}

void Watch::look_at_packing(const Step<Cpu>& step) {
  const double cp = setup_.solids.stress.theta_cp;
  if (!(step.report().theta_max > cp + overfull)) return;
  notices_.add(packed_, formatted("at %.4g s solids fill %.3g of a cell, and close packing is %.3g: there is no room for them, "
                                  "and what they do there is wrong (shorter steps help, and parcels of fewer particles, or "
                                  "larger cells)",
                                  time_, step.report().theta_max, cp));
}

} // namespace corral::mppic
