#include "membrane/case/device_memory.hpp"

#include "fluid/lattice/placed_flow.hpp"
#include "membrane/case/membrane_case.hpp"
#include "membrane/case/memory.hpp"
#include "run/device/memory.hpp"
#include "structure/fluids/lattice_case.hpp"

#include <corral/method.hpp>

#include <algorithm>
#include <string>

namespace corral::membrane {

using namespace structure;

namespace {

// What arrays hold of a device at their peak beside populations, fitted to runs of 4,096 to 110,592 cells and 162 to 5,124
// vertices, as the emulation counts it: scratch of sorts and maps included.
constexpr double of_any_case = 605e3;
constexpr double of_cell = 216, of_vertex = 1365, of_viscous_vertex = 192;

bool radial(const SurfaceModel& surface) { return surface.representation == Representation::radial; }

} // namespace

double device_memory_needed(const MembraneSetup& setup) {
  double cells = 1;
  for (const std::int64_t n : setup.cells) cells *= static_cast<double>(n);
  return cells * (of_cell + population_bytes(setup)) + of_any_case +
         markers_needed(setup) * (of_vertex + (setup.membrane_viscosity() > 0 ? of_viscous_vertex : 0));
}

std::vector<std::string> describe_on_device(const MembraneSetup& setup) {
  return run::with_device_memory(describe(setup), device_memory_needed(setup));
}

std::optional<MembraneSetup> read_setup_for_device(const run::Settings& settings, run::Problems& problems) {
  std::optional<MembraneSetup> setup = read_setup(settings, problems);
  if (!setup) return setup;
  bool has_code = true;
  if (!setup->lattice()) {
    problems.add(settings.where("fluid", "method"),
                 "--backend gpu with fluid.method = spectral (membranes are on a device in a lattice fluid alone) set fluid.method "
                 "= lattice, or run it on the CPU");
    has_code = false;
  }
  if (const auto found = std::find_if(setup->surfaces.begin(), setup->surfaces.end(), radial); found != setup->surfaces.end()) {
    problems.add(settings.where("surface." + found->name, "representation"),
                 "--backend gpu with surfaces of radial functions (on a device membranes are of triangles) set their representation = "
                 "triangles, or run it on the CPU");
    has_code = false;
  }
  if (const Method method = setup->coupling.method; !runs_on(method, Gpu{})) {
    problems.add(settings.where("coupling", "method"),
                 "--backend gpu with coupling.method = " + std::string(name(method)) +
                     " (it is one of the CPU alone) take another, or automatic");
    has_code = false;
  }
  if (!has_code || !run::suffices(device_memory_needed(*setup), "cells and membranes", settings, problems)) return std::nullopt;
  return setup;
}

} // namespace corral::membrane
