/// What of a case ranks share: its parcels, and the solvers' work on planes of cells. Each has all of the grid.

#include "fluid/pressure/pressure.hpp"
#include "mppic/case/estimates.hpp"
#include "run/case/values.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

namespace corral::mppic {

namespace {

constexpr double libraries = 25e6; // MPI and PETSc, in a run of two ranks [bytes]

/// Fields that the parcels of a step are spread to: on faces of each axis, those of the plain step, and in cells; bytes [a cell].
double bytes_added(const Setup& setup) {
  const double on_faces = 3 * (setup.solids.frozen ? 2 : setup.solids.densities_differ() ? 12 : 7);
  const double in_cells = (setup.solids.frozen ? 1 : 6) + (setup.heat.on() ? 2 : 0) + (setup.collisions.far ? 2 : 0);
  return 8 * (on_faces + in_cells);
}

std::string describe_solvers(const Grid& grid, int ranks) {
  const fluid::PlaneCut cut = fluid::PressureMemory::cut_for({grid.axis(0).cells, grid.axis(1).cells, grid.axis(2).cells}, ranks);
  if (cut.first.empty())
    return "          each solves for pressure, contact and displacement in all cells (ranks share larger grids, by planes across z)";
  std::int64_t most = 0;
  for (std::size_t r = 0; r + 1 < cut.first.size(); ++r) most = std::max(most, cut.first[r + 1] - cut.first[r]);
  return run::formatted("          they share the solvers' work for pressure, contact and displacement: each has %lld of %lld planes at most",
                        static_cast<long long>(most), static_cast<long long>(cut.first.back()));
}

} // namespace

std::vector<std::string> describe_for(const Setup& setup, int ranks) {
  Setup alone = setup;
  alone.ranks = 1;
  std::vector<std::string> lines = describe(alone);
  const double cells = static_cast<double>(setup.make_grid().cells());
  lines.push_back(run::formatted("ranks     %d, each with all %.0f cells, for which it gets %.3g MB of sums over parcels a step", ranks, cells,
                                 bytes_added(setup) * cells / 1e6));
  lines.push_back(describe_solvers(setup.make_grid(), ranks));
  if (setup.start && !setup.start->bed) return lines; // parcels are not known
  lines.push_back(run::formatted("          and with %.0f of the parcels: about %.0f MB", parcels_at_start(setup) / ranks,
                                 (memory_needed(setup).total() + libraries) / 1e6));
  return lines;
}

} // namespace corral::mppic
