#include "mppic/case/setup.hpp"

namespace corral::mppic {

TimeStep read_time_step(const run::Settings& settings, run::Problems& problems) {
  TimeStep time;
  time.adaptive = settings.choice("time", "step") == "adaptive";
  time.dt = settings.real("time", "dt");
  time.gas_courant = settings.real("time", "gas_courant");
  time.parcel_courant = settings.real("time", "parcel_courant");
  time.outliers = settings.real("time", "outliers");
  time.drag_number = settings.real("time", "drag_number");
  if (settings.given("time", "end")) time.end = settings.real("time", "end");
  if (!settings.given("time", "dt_least")) return time;
  time.least = settings.real("time", "dt_least");
  if (time.least >= time.dt)
    problems.add(settings.where("time", "dt_least"),
                 "time.dt_least is not below time.dt (steps are as long as time.dt at most) give a shorter one");
  return time;
}

} // namespace corral::mppic
