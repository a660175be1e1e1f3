/// What of a case ranks can share.

#include "body/case/body_case.hpp"

#include "distributed/cut.hpp"
#include "fluid/lattice/shared_flow.hpp"
#include "run/case/values.hpp"
#include "structure/fluids/lattice_case.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

namespace corral::body {

std::optional<BodySetup> read_setup_for_ranks(const run::Settings& settings, run::Problems& problems) {
  std::optional<BodySetup> setup = read_setup(settings, problems);
  if (!setup) return setup;
  const auto refuse = [&](const char* section, const char* key, const std::string& what, const std::string& instead) {
    problems.add(settings.where(section, key), what + " in a case that ranks share (not done yet) " + instead + ", or start it without mpirun");
  };
  if (!setup->groups.empty()) refuse("case", "driver", "bodies", "leave them out");
  if (!setup->lattice()) refuse("fluid", "method", "the spectral fluid", "set fluid.method = lattice");
  else if (setup->fluid.lattice.on_device()) refuse("lattice", "processor", "a device", "set lattice.processor = host");
  if (setup->periodic(1) && setup->drive.shear_rate != 0) refuse("drive", "shear_rate", "a box that is sheared across its ends", "take walls across y");
  for (std::size_t s = 0; s < 6; ++s)
    if (setup->sides[s] == fluid::SideKind::outlet)
      refuse("sides", std::string(fluid::side_names[s]).c_str(), "an outlet", "take periodic sides or walls");
  if (!problems.empty()) return std::nullopt;
  return setup;
}

std::optional<BodySetup> read_setup_for(const run::Settings& settings, run::Problems& problems, int ranks) {
  std::optional<BodySetup> setup = read_setup_for_ranks(settings, problems);
  if (!setup || distributed::best_cut(setup->make_grid(), ranks, fluid::lattice_ghosts)) return setup;
  problems.add(settings.where("grid", "cells"), distributed::too_many_ranks(setup->make_grid(), ranks, fluid::lattice_ghosts));
  return std::nullopt;
}

std::vector<std::string> describe_for(const BodySetup& setup, int ranks) {
  std::vector<std::string> lines = describe(setup);
  const auto cut = distributed::best_cut(setup.make_grid(), ranks, fluid::lattice_ghosts);
  if (!cut) return lines;
  const auto text = [](const auto& n) { return std::to_string(n[0]) + " x " + std::to_string(n[1]) + " x " + std::to_string(n[2]); };
  BodySetup of_rank = setup; // its memory alone is asked for
  of_rank.cells = cut->with_ghosts;
  const double state = structure::population_bytes(setup) * static_cast<double>(setup.make_grid().cells());
  lines.push_back("ranks     " + std::to_string(ranks) + " as " + text(cut->ranks) + ", of up to " + text(cut->own) + " cells, " + text(cut->with_ghosts) +
                  " with ghosts");
  lines.push_back(run::formatted("          each has about %.0f MB, and sends %.3g MB a step; rank 0 has %.0f MB more for checkpoints", memory_needed(of_rank) / 1e6,
                                 0.5e-6 * structure::population_bytes(setup) * static_cast<double>(cut->ghosts()), state / 1e6));
  return lines;
}

} // namespace corral::body
