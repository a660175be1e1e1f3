#include "mppic/time_step.t.hpp"

#include "mppic/step_state.hpp"
#include "run/case/values.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace corral::mppic {

using run::formatted;

namespace {

/// Where a speed is no number, what is none either.
bool as_fast(double speed, double fastest) {
  return std::isfinite(fastest) ? speed >= fastest : !std::isfinite(speed);
}

/// Of ranks that add theirs up, the first that has one.
struct FirstPlace {
  bool found = false;
  std::array<double, 3> x{};
  FirstPlace& operator+=(const FirstPlace& next) { return found ? *this : *this = next; }
};

std::string text(const FirstPlace& place) {
  return place.found ? formatted(" near (%.3g, %.3g, %.3g) m", place.x[0], place.x[1], place.x[2]) : "";
}

/// What blows up says little of the step that fits the flow; what moved before it says more.
double calmer(const auto& before, const auto& now) {
  return before.rate > 0 ? std::min(before.rate, now.rate) : now.rate;
}

} // namespace

TimeStepper::TimeStepper(const Setup& setup, const fluid::Domain& domain, run::Registry& registry)
    : setup_(setup), domain_(domain), length_(setup.time, {.factor = 1.1, .of_allowed = true},
              {{"gas", "time.gas_courant"}, {"parcels", "time.parcel_courant"}, {"drag", "time.drag_number"}}, registry) {
  const auto bind = [&](const std::string& name, const std::string& what, Fastest& fastest) {
    registry.bind(name + "_rate", "1/s", "cells per time that " + what + " crosses", fastest.rate);
    registry.bind(name + "_speed", "m/s", "of " + what, fastest.speed);
  };
  bind("fastest_gas", "the fastest gas after the last step", gas_);
  bind("fastest_gas_before", "the fastest gas before the last step", gas_before_);
  bind("fastest_parcel", "the fastest parcel of the last step", parcel_);
  bind("fastest_parcel_before", "the fastest parcel of the step before the last", parcel_before_);
}

std::string TimeStepper::bound() const {
  switch (length_.bound()) {
    case run::AdaptiveStep::growth: return "steps grow by a tenth at a time";
    case gas_speed:
      return formatted("the gas moves at %.3g m/s and may cross time.gas_courant = %.3g cells", gas_.speed, setup_.time.gas_courant);
    case parcel_speed:
      return formatted("parcels move at up to %.3g m/s and may cross time.parcel_courant = %.3g cells", parcel_.speed,
                       setup_.time.parcel_courant);
    case drag_rate:
      return formatted("drag takes hold of packed solids at most time.drag_number = %.3g times in a step", setup_.time.drag_number);
    default: return "";
  }
}

void TimeStepper::check(const StepState& state, double dt) const {
  const double gas = dt * gas_.rate, parcel = dt * parcel_.rate;
  if (gas <= most_gas_cells && parcel <= most_parcel_cells)
    return length_.check_floor([&] {
      return fastest_gas_text(state) + ", " + fastest_parcel_text(state) +
             formatted(", and drag takes hold %.3g times a second where solids touch", state.report.packed_drag);
    });
  const std::string adaptive = setup_.time.adaptive ? "" : "time.step = adaptive, or ";
  const std::string fastest = fastest_gas_text(state) + ", and " + fastest_parcel_text(state);
  if (std::isfinite(gas) && std::isfinite(parcel))
    throw Error(formatted("the time step of %.3g s is far too long, or the flow has blown up (within it the gas crosses %.3g "
                          "cells and the fastest parcel %.3g, more than %g and %g make no sense: ",
                          dt, gas, parcel, most_gas_cells, most_parcel_cells) +
                fastest + ") set " + adaptive +
                "time.dt to " + run::brief_below(std::min(setup_.time.gas_courant / calmer(gas_before_, gas_),
                                                          setup_.time.parcel_courant / calmer(parcel_before_, parcel_))) + " s");
  throw Error(formatted("the flow has blown up in a step of %.3g s (", dt) + fastest + ") set " + adaptive +
              "time.dt to " + run::brief_below(0.1 * dt) + " s or less");
}

/// "the gas moves at 3 m/s near (.1, .2, .3) m".
std::string TimeStepper::fastest_gas_text(const StepState& state) const {
  const Grid& grid = domain_.grid();
  FirstPlace place;
  for (int d = 0; d < 3 && setup_.gas.solved; ++d) {
    const std::vector<double> u = state.flow.gas_velocity[d]->values();
    const std::int64_t nx = grid.points(face(d), 0), ny = grid.points(face(d), 1);
    const fluid::OwnRange own = state.own(face(d));
    for (std::int64_t f = own.first; f < own.first + own.count && !place.found && crossings(d) > 0; ++f) {
      if (!as_fast(std::abs(u[f]), gas_.speed)) continue;
      const std::array<std::int64_t, 3> at{f % nx, f / nx % ny, f / (nx * ny)};
      place.found = true;
      for (int e = 0; e < 3; ++e)
        place.x[e] = grid.axis(e).origin + (static_cast<double>(at[e]) + (e == d ? 0 : 0.5)) * grid.axis(e).spacing;
    }
  }
  return formatted("the gas moves at %.3g m/s", gas_.speed) + text(state.parcels.ranks.total(place));
}

/// Without a place where the fastest has left the box.
std::string TimeStepper::fastest_parcel_text(const StepState& state) const {
  const auto on_host = [](const run::Components& columns) {
    return std::array{columns[0]->values(), columns[1]->values(), columns[2]->values()};
  };
  const auto u = on_host(state.parcels.velocity), x = on_host(state.parcels.position);
  FirstPlace place;
  for (std::size_t i = 0; i < u[0].size() && !place.found; ++i) {
    const double square = u[0][i] * u[0][i] + u[1][i] * u[1][i] + u[2][i] * u[2][i];
    if (as_fast(std::sqrt(square), 0.999 * parcel_.speed)) place = {true, {x[0][i], x[1][i], x[2][i]}};
  }
  return formatted("the fastest parcel moves at %.3g m/s", parcel_.speed) + text(state.parcels.ranks.total(place));
}

double TimeStepper::crossings(int d) const {
  const Axis& axis = domain_.grid().axis(d);
  return axis.cells > 1 ? 1 / axis.spacing : 0;
}

Fastest TimeStepper::fastest_parcel(double speed) const {
  return {speed * std::max({crossings(0), crossings(1), crossings(2)}), speed};
}

/// A jump of an inlet's schedule is met with a step that fits the velocity behind it.
double TimeStepper::inlet_rate(double time) const {
  double rate = 0;
  for (const fluid::Inlet& inlet : domain_.inlets()) {
    rate = std::max(rate, fluid::middle_velocity(inlet) * inlet.schedule.at(time) * crossings(inlet.side / 2));
  }
  return rate;
}

template void TimeStepper::start(const Step<Cpu>&);
template void TimeStepper::adapt(const Step<Cpu>&, double);
template void TimeStepper::check(const Step<Cpu>&, double) const;

} // namespace corral::mppic
