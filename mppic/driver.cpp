#include "mppic/driver.hpp"

#include "mppic/device/driver.hpp"
#include "mppic/driver.t.hpp"
#include "run/case/make_driver.hpp"

namespace corral::mppic {

namespace {

std::unique_ptr<run::Driver> make_for_ranks(const run::Settings& settings, run::Problems& problems, const distributed::Team& team) {
  return run::make_from<GasSolidDriver<Cpu>, read_setup_for>(settings, problems, team);
}

} // namespace

run::DriverKind driver_kind() {
  return {.name = "mppic",
          .meaning = "dense gas-solid flow by multiphase particle-in-cell, Model A",
          .sets = {parcel_kind},
          .declare_keys = declare_keys,
          .make = run::make_from<GasSolidDriver<Cpu>, read_setup>,
          .describe = run::describe_from<read_setup, describe>,
          .on_device = {.make = make_on_device, .describe = run::describe_from<read_setup_for_device, describe_on_device>},
          .over_ranks = {.make = make_for_ranks, .describe = run::describe_from<read_setup_for, describe_for>}};
}

} // namespace corral::mppic
