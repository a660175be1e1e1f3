/// What of a case ranks share: its parcels. Each has all of the grid.

#include "mppic/case/estimates.hpp"
#include "run/case/values.hpp"

namespace corral::mppic {

namespace {

constexpr double libraries = 25e6; // MPI and PETSc, in a run of two ranks [bytes]

/// Fields that the parcels of a step are spread to: on faces of each axis, those of the plain step, and in cells; bytes [a cell].
double bytes_added(const Setup& setup) {
  const double on_faces = 3 * (setup.solids.frozen ? 2 : setup.solids.densities_differ() ? 12 : 7);
  const double in_cells = (setup.solids.frozen ? 1 : 6) + (setup.heat.on() ? 2 : 0) + (setup.collisions.far ? 2 : 0);
  return 8 * (on_faces + in_cells);
}

} // namespace

std::vector<std::string> describe_for(const Setup& setup, int ranks) {
  Setup alone = setup;
  alone.ranks = 1;
  std::vector<std::string> lines = describe(alone);
  const double cells = static_cast<double>(setup.make_grid().cells());
  lines.push_back(run::formatted("ranks     %d, each with all %.0f cells, for which it gets %.3g MB of sums over parcels a step", ranks, cells,
                                 bytes_added(setup) * cells / 1e6));
  if (setup.start && !setup.start->bed) return lines; // parcels are not known
  lines.push_back(run::formatted("          and with %.0f of the parcels: about %.0f MB", parcels_at_start(setup) / ranks,
                                 (memory_needed(setup).total() + libraries) / 1e6));
  return lines;
}

} // namespace corral::mppic
