#include "membrane/case/shared_case.hpp"

#include "membrane/case/memory.hpp"
#include "membrane/case/membrane_case.hpp"
#include "run/case/values.hpp"
#include "structure/fluids/lattice_case.hpp"
#include "structure/fluids/shared_case.hpp"
#include "structure/markers/marker_maps.hpp"

#include <algorithm>

namespace corral::membrane {

using namespace structure;

namespace {

// Of all cells, on rank 0: what finds the share that membranes enclose [bytes].
constexpr double per_cell_of_enclosed = 41;
// Sent of each ghost in a step beside populations: forces, and the velocity at its beginning and in its middle; in Stokes flow they are one.
constexpr double sent_of_ghost = 9 * sizeof(double), sent_of_ghost_in_stokes = 6 * sizeof(double);
// Of each marker forces and twice the velocity, by all ranks to all.
constexpr double sent_of_marker = 9 * sizeof(double);

double volume(const std::array<std::int64_t, 3>& cells) { return static_cast<double>(distributed::BoxCut::volume(cells)); }

double memory_of_rank(const MembraneSetup& setup, const distributed::BoxCut& cut, std::int64_t ghosts) {
  MembraneSetup of_rank = setup; // its memory alone is asked for
  of_rank.cells = cut.with_ghosts;
  return memory_needed(of_rank).total() + memory_of_sharing(setup, cut, ghosts);
}

} // namespace

std::int64_t ghosts_needed(const MembraneSetup& setup) { return std::max(ghosts_of_fluid(setup), marker_maps::reach(setup.coupling.kernel)); }

std::optional<MembraneSetup> read_setup_for_ranks(const run::Settings& settings, run::Problems& problems) {
  std::optional<MembraneSetup> setup = read_setup(settings, problems);
  if (!setup) return setup;
  refuse_unshared_flow(*setup, settings, problems);
  if (!problems.empty()) return std::nullopt;
  return setup;
}

std::optional<MembraneSetup> read_setup_for(const run::Settings& settings, run::Problems& problems, int ranks) {
  std::optional<MembraneSetup> setup = read_setup_for_ranks(settings, problems);
  if (setup && !cut_for(*setup, ghosts_needed(*setup), ranks, settings, problems)) return std::nullopt;
  return setup;
}

std::vector<std::string> describe_for(const MembraneSetup& setup, int ranks) {
  std::vector<std::string> lines = describe(setup);
  const std::int64_t ghosts = ghosts_needed(setup);
  const auto cut = distributed::best_cut(setup.make_grid(), ranks, ghosts, uncut_axes(setup));
  if (!cut) return lines;
  const double cells = volume(setup.cells);
  const double of_ghost = setup.lattice() ? 0.5 * population_bytes(setup) + sent_of_ghost : setup.fluid.inertia ? sent_of_ghost : sent_of_ghost_in_stokes;
  lines.push_back("ranks     " + describe_cut(*cut, ranks) + ", and all membranes each");
  lines.push_back(run::formatted("          each has about %.0f MB, and sends %.3g MB of cells and %.3g MB of markers a step; rank 0 has %.0f MB more "
                                 "for what they enclose", memory_of_rank(setup, *cut, ghosts) / 1e6, of_ghost * static_cast<double>(cut->ghosts()) / 1e6,
                                 1e-6 * sent_of_marker * markers_needed(setup), per_cell_of_enclosed * cells / 1e6));
  if (const double transposed = transposed_bytes(setup, *cut); transposed > 0)
    lines.push_back(run::formatted("          and %.3g MB of spectra in each %s", 1e-6 * transposed, setup.viscosity_varies() ? "iteration" : "step"));
  return lines;
}

} // namespace corral::membrane
