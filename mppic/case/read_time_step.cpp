#include "mppic/case/setup.hpp"
#include "run/case/step_keys.hpp"

namespace corral::mppic {

TimeStep read_time_step(const run::Settings& settings, run::Problems& problems) {
  TimeStep time(run::read_step_lengths(settings, problems));
  time.gas_courant = settings.real("time", "gas_courant");
  time.parcel_courant = settings.real("time", "parcel_courant");
  time.outliers = settings.real("time", "outliers");
  time.unsafe = settings.flag("time", "unsafe");
  time.drag_number = settings.real("time", "drag_number");
  return time;
}

} // namespace corral::mppic
