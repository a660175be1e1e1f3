#include "membrane/case/memory.hpp"

#include "structure/fluids/lattice_case.hpp"
#include "structure/placing/placing.hpp"
#include "structure/radial/sphere/sphere_sites.hpp"
#include "structure/surfaces/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace corral::membrane {

using namespace structure;

namespace {

// Fitted to the peak resident memory of runs [bytes] (tests/cases/memory.py looks at some).
constexpr double program = 21e6;
// Of each cell: velocity, pressure, forces, spectra; further where inertia counts, a box is sheared, PmIII keeps a
// potential, a wall slides; what a developed flow between walls takes while it is found; what finds the field `inside`,
// once it is written; the orders of each set; where viscosity varies, what finds it, and what solves the equations with it.
constexpr double of_inside = 45, per_cell = 100, of_inertia = 24, of_shear = 25, of_potential = 10, of_sliding = 8, of_start = 57;
constexpr double of_viscosity = 28, of_iterations = 120;
// Of a lattice fluid: all but its populations, which are counted.
constexpr double beside_populations = 102;
constexpr double orders_of_vertices = 33, orders_of_sites = 39;
// Of each marker: columns, orders, triangles, what forces pass through, and what files show of it; of each vertex of a surface what its
// membranes share: 499 bytes, and 110 while files are written.
constexpr double per_vertex = 660, per_data_site = 205, per_sample_site = 112, of_viscosity_at_marker = 237;
constexpr double of_viscous_membrane = 192; // eight vectors of each marker
constexpr double tether_of_vertex = 72, tether_of_data_site = 48, tether_of_sample_site = 24;
constexpr double shared = 400, shared_by_helfrich = 180, shared_by_dihedral = 208, of_file = 240;

bool any(const MembraneSetup& setup, Representation r) {
  return std::any_of(setup.groups.begin(), setup.groups.end(), [&](const ImmersedGroup& group) {
    return setup.surfaces[group.surface].representation == r;
  });
}

double of_spectral(const MembraneSetup& setup) {
  double bytes = per_cell;
  if (setup.fluid.inertia) bytes += of_inertia;
  if (setup.fluid.projection == "PmIII") bytes += of_potential;
  if (!setup.walls() && setup.drive.shear_rate != 0) bytes += of_shear;
  return bytes;
}

double of_a_cell(const MembraneSetup& setup) {
  const DriveModel& drive = setup.drive;
  double bytes = setup.lattice() ? beside_populations + population_bytes(setup) : of_spectral(setup);
  // One goes before the other comes.
  const double before = setup.walls() && drive.developed && !setup.lattice() ? of_start : 0;
  const double then = (setup.groups.empty() ? 0 : of_inside) + (setup.viscosity_varies() ? of_iterations : 0);
  bytes += std::max(before, then) + (setup.viscosity_varies() ? of_viscosity : 0);
  for (std::size_t d = 0; d < 3 && setup.walls() && !setup.groups.empty(); ++d)
    if (drive.wall_velocity[2][d] != 0 || drive.wall_velocity[3][d] != 0) bytes += of_sliding;
  if (any(setup, Representation::triangles)) bytes += orders_of_vertices;
  if (any(setup, Representation::radial)) bytes += orders_of_sites;
  return bytes;
}

double of_a_membrane(const SurfaceModel& kind, const MembraneSetup& setup) {
  const bool triangles = kind.representation == Representation::triangles;
  const double marker = (setup.viscosity_varies() ? of_viscosity_at_marker : 0) +
                        (triangles && setup.membrane_viscosity() > 0 ? of_viscous_membrane : 0);
  const auto markers = static_cast<double>(marker_count(kind)), sites = static_cast<double>(kind.sites);
  const bool tied = kind.material.tether_stiffness > 0;
  if (triangles) return markers * (per_vertex + marker + (tied ? tether_of_vertex : 0));
  return markers * (per_data_site + marker + (tied ? tether_of_data_site : 0)) +
         sites * (per_sample_site + (tied ? tether_of_sample_site : 0));
}

double of_a_surface(const SurfaceModel& kind) {
  if (kind.representation == Representation::radial)
    return static_cast<double>(radial::SphereSites::bytes_to_make(kind.vertices, kind.sites));
  double bytes = shared;
  if (kind.shape == ShapeKind::file) bytes += of_file;
  if (kind.material.bending_law == BendingLaw::helfrich) bytes += shared_by_helfrich;
  if (kind.material.bending_law == BendingLaw::dihedral) bytes += shared_by_dihedral;
  return bytes * static_cast<double>(marker_count(kind));
}

} // namespace

double membranes_needed(const MembraneSetup& setup) {
  double total = 0;
  for (const ImmersedGroup& group : setup.groups) total += std::round(count_wanted(setup, group));
  return total;
}

double markers_needed(const MembraneSetup& setup) {
  double total = 0;
  for (const ImmersedGroup& group : setup.groups)
    total += std::round(count_wanted(setup, group)) * static_cast<double>(marker_count(setup.surfaces[group.surface]));
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
  m.fluid = of_a_cell(setup);
  for (const std::int64_t n : setup.cells) m.fluid *= static_cast<double>(n);
  for (const ImmersedGroup& group : setup.groups)
    m.groups.push_back(count_wanted(setup, group) * of_a_membrane(setup.surfaces[group.surface], setup));
  for (std::size_t i = 0; i < setup.surfaces.size(); ++i) {
    const SurfaceModel& kind = setup.surfaces[i];
    const auto shares = [&](const SurfaceModel& other) { // radial ones of the same numbers share what they need
      return other.representation == Representation::radial && kind.representation == Representation::radial &&
             other.vertices == kind.vertices && other.sites == kind.sites;
    };
    const bool used = std::any_of(setup.groups.begin(), setup.groups.end(), [i](const ImmersedGroup& g) { return g.surface == i; });
    const bool made = std::any_of(setup.surfaces.begin(), setup.surfaces.begin() + static_cast<std::ptrdiff_t>(i), shares);
    m.surfaces.push_back(used && !made ? of_a_surface(kind) : 0);
  }
  return m;
}

} // namespace corral::membrane
