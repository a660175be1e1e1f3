#include "membrane/case/memory.hpp"

#include "membrane/placing/placing.hpp"
#include "membrane/placing/shapes.hpp"

#include <numeric>

namespace corral::membrane {

namespace {

// Fitted to the peak resident memory of runs (tests/cases/memory.py looks at some).
constexpr double program = 16e6;
constexpr double per_cell = 380;   // velocity, forces, spectra and their scratch
constexpr double per_vertex = 420; // columns, orders, triangles and what their forces pass through
constexpr double per_site = 300;   // of radial surfaces, beside their operators

double operators(const SurfaceModel& kind) {
  const auto data = static_cast<double>(kind.vertices), samples = static_cast<double>(kind.sites);
  return 8 * (3 * data * data + 3.5 * data * samples);
}

} // namespace

double membranes_needed(const MembraneSetup& setup) {
  double total = 0;
  for (const MembraneGroup& group : setup.groups) total += membranes_wanted(setup, group);
  return total;
}

double markers_needed(const MembraneSetup& setup) {
  double total = 0;
  for (const MembraneGroup& group : setup.groups)
    total += membranes_wanted(setup, group) * static_cast<double>(marker_count(setup.surfaces[group.surface]));
  return total;
}

double MemoryNeeded::total() const {
  double total = program + fluid;
  for (const std::vector<double>* parts : {&groups, &surfaces}) total += std::accumulate(parts->begin(), parts->end(), 0.0);
  return total;
}

MemoryNeeded memory_needed(const MembraneSetup& setup) {
  MemoryNeeded m;
  m.program = program;
  m.fluid = per_cell * static_cast<double>(setup.cells[0]) * static_cast<double>(setup.cells[1]) *
            static_cast<double>(setup.cells[2]);
  for (const MembraneGroup& group : setup.groups) {
    const SurfaceModel& kind = setup.surfaces[group.surface];
    const auto markers = static_cast<double>(marker_count(kind));
    m.groups.push_back(membranes_wanted(setup, group) *
                       (kind.representation == Representation::radial ? per_site * (markers + static_cast<double>(kind.sites))
                                                                      : per_vertex * markers));
  }
  for (const SurfaceModel& kind : setup.surfaces)
    m.surfaces.push_back(kind.representation == Representation::radial ? operators(kind) : 0);
  return m;
}

} // namespace corral::membrane
