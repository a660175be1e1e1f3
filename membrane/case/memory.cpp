#include "membrane/case/memory.hpp"

#include "membrane/placing/placing.hpp"
#include "membrane/placing/shapes.hpp"

namespace corral::membrane {

namespace {

// Fitted to the peak resident memory of runs (tests/cases/memory.py looks at some).
constexpr double program = 16e6;
constexpr double per_cell = 380;   // velocity, forces, spectra and their scratch
constexpr double per_vertex = 420; // columns, orders, triangles and what their forces pass through
constexpr double per_site = 300;   // of radial surfaces, beside their operators

double group_size(const MembraneSetup& setup, const MembraneGroup& group) { return static_cast<double>(membrane_count(setup, group)); }

double operators(const SurfaceModel& kind) {
  const auto data = static_cast<double>(kind.vertices), samples = static_cast<double>(kind.sites);
  return 8 * (3 * data * data + 3.5 * data * samples);
}

} // namespace

double membranes_needed(const MembraneSetup& setup) {
  double total = 0;
  for (const MembraneGroup& group : setup.groups) total += group_size(setup, group);
  return total;
}

double markers_needed(const MembraneSetup& setup) {
  double total = 0;
  for (const MembraneGroup& group : setup.groups)
    total += group_size(setup, group) * static_cast<double>(marker_count(setup.surfaces[group.surface]));
  return total;
}

double bytes_needed(const MembraneSetup& setup) {
  double bytes = program + per_cell * static_cast<double>(setup.cells[0]) * static_cast<double>(setup.cells[1]) *
                               static_cast<double>(setup.cells[2]);
  for (const MembraneGroup& group : setup.groups) {
    const SurfaceModel& kind = setup.surfaces[group.surface];
    const bool radial = kind.representation == Representation::radial;
    const auto markers = static_cast<double>(marker_count(kind));
    bytes += group_size(setup, group) *
             (radial ? per_site * (markers + static_cast<double>(kind.sites)) : per_vertex * markers);
  }
  for (const SurfaceModel& kind : setup.surfaces)
    if (kind.representation == Representation::radial) bytes += operators(kind);
  return bytes;
}

} // namespace corral::membrane
