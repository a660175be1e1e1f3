/// What of a case ranks share: its parcels, and the work on planes of cells. Each has memory for all of the grid.

#include "fluid/pressure/pressure.hpp"
#include "mppic/case/estimates.hpp"
#include "mppic/step_scratch.hpp"
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

fluid::PlaneCut cut_of(const Grid& grid, int ranks) {
  return fluid::PressureMemory::cut_for({grid.axis(0).cells, grid.axis(1).cells, grid.axis(2).cells}, ranks);
}

std::int64_t most_planes(const fluid::PlaneCut& cut) {
  std::int64_t most = 0;
  for (std::size_t r = 0; r + 1 < cut.first.size(); ++r) most = std::max(most, cut.first[r + 1] - cut.first[r]);
  return most;
}

std::string describe_planes(const Setup& setup, const fluid::PlaneCut& cut) {
  if (cut.first.empty()) return "          each works on all cells (ranks share larger grids, by planes across z)";
  const char* what = setup.own_sums_suffice() ? "work on gas, contact and displacement" : "solvers' work, contact and displacement";
  return run::formatted("          they share the %s: each has %lld of %lld planes at most", what, static_cast<long long>(most_planes(cut)),
                        static_cast<long long>(cut.first.back()));
}

/// Sums over parcels that a rank gets in a step, at most: of all cells, or of its own planes and those beside them.
double bytes_got(const Setup& setup, const fluid::PlaneCut& cut) {
  const double all = bytes_added(setup) * static_cast<double>(setup.make_grid().cells());
  if (cut.first.empty() || !setup.own_sums_suffice()) return all;
  const auto planes = static_cast<double>(cut.first.back());
  return all * std::min(1.0, (static_cast<double>(most_planes(cut)) + 2. * StepScratch::beside) / planes);
}

} // namespace

std::vector<std::string> describe_for(const Setup& setup, int ranks) {
  Setup alone = setup;
  alone.ranks = 1;
  std::vector<std::string> lines = describe(alone);
  const double cells = static_cast<double>(setup.make_grid().cells());
  const fluid::PlaneCut cut = cut_of(setup.make_grid(), ranks);
  lines.push_back(run::formatted("ranks     %d, each with memory for all %.0f cells; in a step it gets %.3g MB of sums over parcels at most", ranks,
                                 cells, bytes_got(setup, cut) / 1e6));
  lines.push_back(describe_planes(setup, cut));
  if (setup.start && !setup.start->bed) return lines; // parcels are not known
  lines.push_back(run::formatted("          and with %.0f of the parcels: about %.0f MB", parcels_at_start(setup) / ranks,
                                 (memory_needed(setup).total() + libraries) / 1e6));
  return lines;
}

} // namespace corral::mppic
