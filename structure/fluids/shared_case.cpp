#include "structure/fluids/shared_case.hpp"

#include "fluid/lattice/shared_flow.hpp"
#include "fluid/spectral/box_layout.hpp"

#include <array>
#include <cstddef>
#include <string>

namespace corral::structure {

void refuse_to_share(const run::Settings& settings, run::Problems& problems, const std::string& section, const std::string& key,
                     const std::string& what, const std::string& instead) {
  problems.add(settings.where(section, key), what + " in a case that ranks share (not done yet) " + instead + ", or start it without mpirun");
}

void refuse_unshared_flow(const FlowSetup& flow, const run::Settings& settings, run::Problems& problems) {
  if (flow.lattice() && flow.fluid.lattice.on_device())
    refuse_to_share(settings, problems, "lattice", "processor", "a device", "set lattice.processor = host");
}

distributed::Uncut uncut_axes(const FlowSetup& flow) {
  if (flow.lattice()) return {false, flow.periodic(1) && flow.drive.shear_rate != 0, false};
  return {true, !flow.walls(), flow.walls()};
}

std::int64_t ghosts_of_fluid(const FlowSetup& flow) { return flow.lattice() ? fluid::lattice_ghosts : 1; }

std::optional<distributed::BoxCut> cut_for(const FlowSetup& flow, std::int64_t ghosts, int ranks, const run::Settings& settings,
                                           run::Problems& problems) {
  const Grid grid = flow.make_grid();
  auto cut = distributed::best_cut(grid, ranks, ghosts, uncut_axes(flow));
  if (!cut) problems.add(settings.where("grid", "cells"), distributed::too_many_ranks(grid, ranks, ghosts, uncut_axes(flow)));
  return cut;
}

namespace {

/// Of a step, one way each: velocities there and back, and pressure back at its end.
double transposed_fields(const FluidModel& fluid) {
  if (!fluid.inertia) return 7;
  return fluid.projection == "PmIII" ? 15 : fluid.projection == "PmII" ? 14 : 13;
}

/// Of a field [bytes].
double spectrum_bytes(const FlowSetup& flow, const std::array<std::int64_t, 3>& cells) {
  const std::int64_t rows = flow.walls() ? cells[2] : cells[1], planes = flow.walls() ? cells[1] : cells[2];
  const fluid::spectral::SpectrumShape shape{.nx = cells[0], .rows = rows, .planes = planes};
  return static_cast<double>(shape.columns() * shape.place_size * planes) * sizeof(double);
}

/// Of a field that is brought one way.
double bytes_to_others(const FlowSetup& flow, const distributed::BoxCut& cut) {
  if (flow.lattice()) return 0;
  return spectrum_bytes(flow, cut.own) * (1 - 1.0 / (cut.ranks[0] * cut.ranks[1] * cut.ranks[2]));
}

} // namespace

double transposed_bytes(const FlowSetup& flow, const distributed::BoxCut& cut) {
  return transposed_fields(flow.fluid) * bytes_to_others(flow, cut);
}

double foreseen_bytes(const FlowSetup& flow, const distributed::BoxCut& cut) { return (flow.fluid.inertia ? 6 : 7) * bytes_to_others(flow, cut); }

double memory_of_sharing(const FlowSetup& flow, const distributed::BoxCut& cut, std::int64_t ghosts) {
  // Fitted to the peak resident memory of two runs [bytes]: MPI and PETSc, of each cell of a box what says whose it is, and of its own
  // cells and some around them what forces are added up in.
  constexpr double libraries = 45e6, per_cell_of_box = 42, per_cell_of_sums = 24;
  std::array<std::int64_t, 3> of_sums = cut.own;
  for (std::size_t d = 0; d < 3; ++d)
    if (cut.ranks[d] > 1) of_sums[d] += 4 * ghosts;
  const auto volume = [](const std::array<std::int64_t, 3>& cells) { return static_cast<double>(distributed::BoxCut::volume(cells)); };
  // Velocities and pressure by columns beside those by planes.
  const double by_columns = flow.lattice() ? 0 : 4 * spectrum_bytes(flow, cut.own);
  return libraries + by_columns + per_cell_of_box * volume(cut.with_ghosts) + per_cell_of_sums * volume(of_sums);
}

std::string describe_cut(const distributed::BoxCut& cut, int ranks) {
  const auto text = [](const auto& n) { return std::to_string(n[0]) + " x " + std::to_string(n[1]) + " x " + std::to_string(n[2]); };
  return std::to_string(ranks) + " as " + text(cut.ranks) + ", of up to " + text(cut.own) + " cells, " + text(cut.with_ghosts) + " with ghosts";
}

} // namespace corral::structure
