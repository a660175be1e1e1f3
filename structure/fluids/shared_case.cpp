#include "structure/fluids/shared_case.hpp"

#include <array>
#include <cstddef>
#include <string>

namespace corral::structure {

void refuse_to_share(const run::Settings& settings, run::Problems& problems, const std::string& section, const std::string& key,
                     const std::string& what, const std::string& instead) {
  problems.add(settings.where(section, key), what + " in a case that ranks share (not done yet) " + instead + ", or start it without mpirun");
}

void refuse_unshared_flow(const FlowSetup& flow, const run::Settings& settings, run::Problems& problems) {
  const auto refuse = [&](const char* section, const std::string& key, const char* what, const char* instead) {
    refuse_to_share(settings, problems, section, key, what, instead);
  };
  if (!flow.lattice()) refuse("fluid", "method", "the spectral fluid", "set fluid.method = lattice");
  else if (flow.fluid.lattice.on_device()) refuse("lattice", "processor", "a device", "set lattice.processor = host");
}

distributed::Uncut uncut_axes(const FlowSetup& flow) { return {false, flow.periodic(1) && flow.drive.shear_rate != 0, false}; }

std::optional<distributed::BoxCut> cut_for(const FlowSetup& flow, std::int64_t ghosts, int ranks, const run::Settings& settings,
                                           run::Problems& problems) {
  const Grid grid = flow.make_grid();
  auto cut = distributed::best_cut(grid, ranks, ghosts, uncut_axes(flow));
  if (!cut) problems.add(settings.where("grid", "cells"), distributed::too_many_ranks(grid, ranks, ghosts, uncut_axes(flow)));
  return cut;
}

double memory_of_sharing(const distributed::BoxCut& cut, std::int64_t ghosts) {
  // Fitted to the peak resident memory of two runs [bytes]: MPI and PETSc, of each cell of a box what says whose it is, and of its own
  // cells and some around them what forces are added up in.
  constexpr double libraries = 45e6, per_cell_of_box = 42, per_cell_of_sums = 24;
  std::array<std::int64_t, 3> of_sums = cut.own;
  for (std::size_t d = 0; d < 3; ++d)
    if (cut.ranks[d] > 1) of_sums[d] += 4 * ghosts;
  const auto volume = [](const std::array<std::int64_t, 3>& cells) { return static_cast<double>(distributed::BoxCut::volume(cells)); };
  return libraries + per_cell_of_box * volume(cut.with_ghosts) + per_cell_of_sums * volume(of_sums);
}

std::string describe_cut(const distributed::BoxCut& cut, int ranks) {
  const auto text = [](const auto& n) { return std::to_string(n[0]) + " x " + std::to_string(n[1]) + " x " + std::to_string(n[2]); };
  return std::to_string(ranks) + " as " + text(cut.ranks) + ", of up to " + text(cut.own) + " cells, " + text(cut.with_ghosts) + " with ghosts";
}

} // namespace corral::structure
