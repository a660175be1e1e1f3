#include "membrane/driver.hpp"

#include "membrane/device/driver.hpp"
#include "membrane/driver.t.hpp"
#include "run/case/make_driver.hpp"
#include "structure/fluids/lattice_case.hpp"

namespace corral::membrane {

namespace {

// Functions: whoever asks for the kind of driver may do so before main.
run::TableKind cells() {
  return {.name = std::string(cells_table), .one = "cell (closed membrane)", .columns = MembraneFigures::cell_columns()};
}
run::TableKind profile() {
  return {.name = "profile", .one = "layer of the grid's cells along y", .columns = profile_columns()};
}

} // namespace

run::DriverKind driver_kind() {
  return {.name = "membrane",
          .meaning = "elastic membranes in a fluid by the immersed boundary method",
          .sets = {structure::vertex_kind, structure::site_kind},
          .declare_keys = declare_keys,
          .make = run::make_from<MembraneDriver<Cpu>, read_setup>,
          .describe = run::describe_from<read_setup, describe>,
          .tables = {cells(), profile()},
          .on_device = {.make = make_on_device,
                        .describe = run::describe_from<read_setup_for_device, describe_on_device>,
                        .part = structure::lattice_on_device},
          .over_ranks = {.make = run::make_from<MembraneDriver<Cpu>, read_setup_for_ranks>, .describe = run::describe_from<read_setup_for, describe_for>}};
}

} // namespace corral::membrane
