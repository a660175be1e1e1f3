/// What of a case ranks can share.

#include "body/case/body_case.hpp"

#include "run/case/values.hpp"
#include "structure/fluids/lattice_case.hpp"
#include "structure/fluids/shared_case.hpp"
#include "structure/markers/marker_maps.hpp"

#include <algorithm>

namespace corral::body {

using namespace structure;

namespace {

// Sent in a pass of forcing beside populations: of each ghost forces and the velocity, and of each point the velocity, by all ranks to all.
constexpr double sent_of_ghost = 6 * sizeof(double), sent_of_point = 3 * sizeof(double);

double memory_of_rank(const BodySetup& setup, const distributed::BoxCut& cut, std::int64_t ghosts) {
  BodySetup of_rank = setup; // its memory alone is asked for
  of_rank.cells = cut.with_ghosts;
  return memory_needed(of_rank) + memory_of_sharing(setup, cut, ghosts);
}

} // namespace

std::int64_t ghosts_needed(const BodySetup& setup) { return std::max(ghosts_of_fluid(setup), marker_maps::reach(setup.forcing.kernel)); }

std::optional<BodySetup> read_setup_for_ranks(const run::Settings& settings, run::Problems& problems) {
  std::optional<BodySetup> setup = read_setup(settings, problems);
  if (!setup) return setup;
  refuse_unshared_flow(*setup, settings, problems);
  if (setup->forcing.placement == PointsPlacement::at_once)
    refuse_to_share(settings, problems, "forcing", "placement", "points and fluid at once", "set forcing.placement = together");
  if (!problems.empty()) return std::nullopt;
  return setup;
}

std::optional<BodySetup> read_setup_for(const run::Settings& settings, run::Problems& problems, int ranks) {
  std::optional<BodySetup> setup = read_setup_for_ranks(settings, problems);
  if (setup && !cut_for(*setup, ghosts_needed(*setup), ranks, settings, problems)) return std::nullopt;
  return setup;
}

std::vector<std::string> describe_for(const BodySetup& setup, int ranks) {
  std::vector<std::string> lines = describe(setup);
  const std::int64_t ghosts = ghosts_needed(setup);
  const auto cut = distributed::best_cut(setup.make_grid(), ranks, ghosts, uncut_axes(setup));
  if (!cut) return lines;
  const bool bodies = !setup.groups.empty();
  const double of_populations = population_bytes(setup), of_ghosts = static_cast<double>(cut->ghosts());
  const double of_step = (setup.lattice() ? 0.5 * of_populations : sent_of_ghost) * of_ghosts + transposed_bytes(setup, *cut);
  lines.push_back("ranks     " + describe_cut(*cut, ranks) + (bodies ? ", and all bodies each" : ""));
  lines.push_back(run::formatted("          each has about %.0f MB, and sends %.3g MB a step", memory_of_rank(setup, *cut, ghosts) / 1e6, 1e-6 * of_step));
  if (bodies)
    lines.push_back(run::formatted("          and in each pass of forcing %.3g MB of cells and %.3g MB of points", 1e-6 * (sent_of_ghost * of_ghosts + foreseen_bytes(setup, *cut)),
                                   1e-6 * sent_of_point * points_needed(setup)));
  return lines;
}

} // namespace corral::body
