#include "membrane/case/device_memory.hpp"

#include "fluid/lattice/placed_flow.hpp"
#include "membrane/case/membrane_case.hpp"
#include "membrane/case/memory.hpp"
#include "run/device/memory.hpp"
#include "structure/fluids/lattice_case.hpp"
#include "structure/placing/placing.hpp"
#include "structure/surfaces/shapes.hpp"

#include <corral/kernels/shipped.hpp>
#include <corral/method.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

namespace corral::membrane {

using namespace structure;

namespace {

// What arrays hold of a device at their peak beside populations, fitted to runs of 4,096 to 110,592 cells and 162 to 5,124
// vertices, as the emulation counts it: scratch of sorts and maps included.
constexpr double of_any_case = 70e3, of_sums_together = 492e3;
constexpr double of_cell = 107, of_slid_walls = 8;
// Likewise beside the fields of an incompressible fluid, which are counted.
constexpr double beside_fields = 13;
constexpr double of_vertex = 1220, of_vertex_between_faces = 60, of_viscous_vertex = 192, of_tied_vertex = 48;
// Of vertices whose membranes enclose another viscosity: two triangles each, in an order, and what passes through maps.
constexpr double of_enclosing_vertex = 500;
// Of a radial surface's sites: columns, orders, and what passes through maps.
constexpr double of_data_site = 250, of_sample_site = 80, radial_membranes_at_once = 64;
// Of maps: fields that go on by half a kernel beyond the box, and weights of vertices; three each, of two orders.
constexpr double of_map = 6 * sizeof(double);

/// Points of the coupling's kernel along an axis: the fields of a lattice stand in the middles of cells, and on faces a
/// component has an axis of its own.
struct PointsOfKernel {
  int own = 0, across = 0;
};
PointsOfKernel points_of_kernel(const MembraneSetup& setup) {
  PointsOfKernel points;
  kernels::with_kernel(setup.coupling.kernel, [&]<class K>(const K& kernel) {
    if constexpr (kernels::Kernel<K>) points = {K::support, K::support};
    else points = {kernel.along.support, kernel.across.support};
  });
  return points;
}

/// Of each cell: velocity, pressure, forces, those of a sheared box, the velocity midway, marks of faces and the share that membranes
/// enclose; three fields for transforms and the pressure's, what cuFFT works in, and pivots between walls. The latter have rows
/// with room for the modes, and so has what finds the share that is enclosed where viscosity varies. cuFFT is taken to want as much as one field: its manual says that it may be more.
double of_incompressible(const MembraneSetup& setup) {
  const double row = 2 * (static_cast<double>(setup.cells[0] / 2) + 1) / static_cast<double>(setup.cells[0]);
  double numbers = 3 + 1 + 3 + 5 * row;
  if (!setup.walls() && setup.drive.shear_rate != 0) numbers += 3;
  if (setup.fluid.inertia) numbers += 3;
  if (setup.walls()) numbers += 0.5 * row;
  if (!setup.groups.empty()) numbers += 1;
  if (setup.viscosity_varies()) // in cells and on edges, ten fields of the iterations, area vectors and their maps, a transform of its own
    numbers += 1 + 4 + 10 + 3 + 5 + (setup.walls() ? 2.5 : 2) * row;
  return 8 * numbers + 3 + beside_fields;
}

double count_of(const MembraneSetup& setup, std::size_t surface) {
  double count = 0;
  for (const ImmersedGroup& group : setup.groups)
    if (group.surface == surface) count += std::round(count_wanted(setup, group));
  return count;
}

/// Of a radial kind: numbers at sites of a group of its membranes, its shape at rest and the products of its functions; and of its
/// membranes markers and points.
double of_radial(const MembraneSetup& setup, const SurfaceModel& kind, double count) {
  const auto data = static_cast<double>(kind.vertices), sites = static_cast<double>(kind.sites);
  const bool variational = kind.forces == RadialForces::variational, bent = kind.material.bending_law == BendingLaw::helfrich;
  const double group = std::min(count, radial_membranes_at_once), columns = (bent && !variational ? 4 : 3) * group;
  double numbers = data * columns + (bent ? 6 : 3) * sites * columns + 13 * sites + 4 * data + 20 * group * sites / 64;
  if (variational) numbers += 0.5 * data * data + 6 * sites * 3 * group + 2 * data * 3 * group;
  const double tied = kind.material.tether_stiffness > 0 ? 3 * 8 : 0, maps = of_map * points_of_kernel(setup).own;
  return 8 * numbers + count * (data * (of_data_site + maps + tied) + sites * (of_sample_site + maps + tied));
}

/// Operators of radial surfaces, which those of the same numbers of sites share.
double of_operators(const SurfaceModel& kind) {
  const auto data = static_cast<double>(kind.vertices), sites = static_cast<double>(kind.sites);
  return 8 * (0.5 * data * (6 * sites + 5 * data) + sites);
}

double of_radial_surfaces(const MembraneSetup& setup) {
  double bytes = 0;
  std::set<std::pair<std::int64_t, std::int64_t>> made;
  for (std::size_t s = 0; s < setup.surfaces.size(); ++s) {
    const SurfaceModel& kind = setup.surfaces[s];
    const double count = count_of(setup, s);
    if (kind.representation != Representation::radial || count == 0) continue;
    if (made.insert({kind.vertices, kind.sites}).second) bytes += of_operators(kind);
    bytes += of_radial(setup, kind, count);
  }
  return bytes;
}

/// Vertices of triangles alone.
double vertices_needed(const MembraneSetup& setup) {
  double total = 0;
  for (std::size_t s = 0; s < setup.surfaces.size(); ++s)
    if (setup.surfaces[s].representation == Representation::triangles)
      total += count_of(setup, s) * static_cast<double>(marker_count(setup.surfaces[s]));
  return total;
}

double of_membranes(const MembraneSetup& setup, double cells) {
  const PointsOfKernel kernel = points_of_kernel(setup);
  const int points = setup.lattice() ? kernel.across : kernel.own, beyond = kernel.across / 2 * 2;
  double padded = 1, bytes_of_cell = 0, bytes_of_vertex = of_vertex + of_map * points + (setup.lattice() ? 0 : of_vertex_between_faces);
  for (const std::int64_t n : setup.cells) padded *= static_cast<double>(n + beyond);
  for (std::size_t d = 0; d < 3 && setup.walls(); ++d)
    if (setup.drive.wall_velocity[2][d] != 0 || setup.drive.wall_velocity[3][d] != 0) bytes_of_cell += of_slid_walls;
  if (setup.membrane_viscosity() > 0) bytes_of_vertex += of_viscous_vertex;
  if (setup.viscosity_varies()) bytes_of_vertex += of_enclosing_vertex;
  if (std::any_of(setup.surfaces.begin(), setup.surfaces.end(), [](const auto& s) { return s.material.tether_stiffness > 0; }))
    bytes_of_vertex += of_tied_vertex;
  return cells * bytes_of_cell + padded * of_map + vertices_needed(setup) * bytes_of_vertex + of_radial_surfaces(setup);
}

} // namespace

double device_memory_needed(const MembraneSetup& setup) {
  double cells = 1;
  for (const std::int64_t n : setup.cells) cells *= static_cast<double>(n);
  const double of_fluid = setup.lattice() ? of_cell + population_bytes(setup) : of_incompressible(setup);
  const double of_sums = setup.lattice() && setup.groups.empty() ? 0 : of_sums_together;
  return of_any_case + of_sums + cells * of_fluid + (setup.groups.empty() ? 0 : of_membranes(setup, cells));
}

std::vector<std::string> describe_on_device(const MembraneSetup& setup) {
  return run::with_device_memory(describe(setup), device_memory_needed(setup));
}

std::optional<MembraneSetup> read_setup_for_device(const run::Settings& settings, run::Problems& problems) {
  std::optional<MembraneSetup> setup = read_setup(settings, problems);
  if (!setup) return setup;
  bool has_code = true;
  if (!setup->lattice() && setup->walls() && setup->fluid.projection != "exact") {
    problems.add(settings.where("fluid", "projection"),
                 "--backend gpu with fluid.projection = " + setup->fluid.projection +
                     " (on a device velocity and pressure are found together) choose exact, or run it on the CPU");
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
