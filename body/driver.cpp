#include "body/driver.hpp"

#include "body/device/driver.hpp"
#include "body/driver.t.hpp"
#include "run/case/make_driver.hpp"
#include "structure/fluids/lattice_case.hpp"

namespace corral::body {

namespace {

// A function: whoever asks for the kind of driver may do so before main.
run::TableKind bodies() {
  return {.name = "bodies", .one = "body", .columns = BodyFigures::body_columns()};
}

} // namespace

run::DriverKind driver_kind() {
  return {.name = "body",
          .meaning = "rigid bodies in a fluid by direct forcing",
          .sets = {point_kind},
          .declare_keys = declare_keys,
          .make = run::make_from<BodyDriver<Cpu>, read_setup>,
          .describe = run::describe_from<read_setup, describe>,
          .tables = {bodies()},
          .on_device = {.make = make_on_device,
                         .describe = run::describe_from<read_setup_for_device, describe_on_device>,
                         .part = structure::lattice_on_device},
          .over_ranks = {.make = run::make_from<BodyDriver<Cpu>, read_setup_for_ranks>, .describe = run::describe_from<read_setup_for, describe_for>}};
}

} // namespace corral::body
