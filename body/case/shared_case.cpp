/// What of a case ranks can share.

#include "body/case/body_case.hpp"

#include "fluid/lattice/shared_flow.hpp"
#include "run/case/values.hpp"
#include "structure/fluids/lattice_case.hpp"
#include "structure/fluids/shared_case.hpp"

namespace corral::body {

std::optional<BodySetup> read_setup_for_ranks(const run::Settings& settings, run::Problems& problems) {
  std::optional<BodySetup> setup = read_setup(settings, problems);
  if (!setup) return setup;
  if (!setup->groups.empty()) structure::refuse_to_share(settings, problems, "case", "driver", "bodies", "leave them out");
  structure::refuse_unshared_flow(*setup, settings, problems);
  if (!problems.empty()) return std::nullopt;
  return setup;
}

std::optional<BodySetup> read_setup_for(const run::Settings& settings, run::Problems& problems, int ranks) {
  std::optional<BodySetup> setup = read_setup_for_ranks(settings, problems);
  if (setup && !structure::cut_for(*setup, fluid::lattice_ghosts, ranks, settings, problems)) return std::nullopt;
  return setup;
}

std::vector<std::string> describe_for(const BodySetup& setup, int ranks) {
  std::vector<std::string> lines = describe(setup);
  const auto cut = distributed::best_cut(setup.make_grid(), ranks, fluid::lattice_ghosts, structure::uncut_axes(setup));
  if (!cut) return lines;
  BodySetup of_rank = setup; // its memory alone is asked for
  of_rank.cells = cut->with_ghosts;
  const double state = structure::population_bytes(setup) * static_cast<double>(setup.make_grid().cells());
  lines.push_back("ranks     " + structure::describe_cut(*cut, ranks));
  lines.push_back(run::formatted("          each has about %.0f MB, and sends %.3g MB a step; rank 0 has %.0f MB more for checkpoints", memory_needed(of_rank) / 1e6,
                                 0.5e-6 * structure::population_bytes(setup) * static_cast<double>(cut->ghosts()), state / 1e6));
  return lines;
}

} // namespace corral::body
