/// What of a case ranks share: its parcels, and the work on planes of cells. Memory of fields is taken where they are touched.

#include "fluid/pressure/pressure.hpp"
#include "mppic/case/estimates.hpp"
#include "mppic/seeds/seeding.hpp"
#include "mppic/step_scratch.hpp"
#include "run/case/values.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

namespace corral::mppic {

namespace {

// Fitted to peaks of runs of 40,000 to 1.3 million cells on two to eight ranks, within 15 % [bytes]:
double libraries(int ranks) { return 25e6 + 5e6 * std::min(ranks, 8); } // MPI and PETSc
constexpr double of_every_cell = 14; // where groups begin, kinds of cells and faces: of all cells, on each rank

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

/// What stands where ranks share no planes.
std::string describe_uncut(const Grid& grid, int ranks) {
  int most = ranks;
  while (most > 1 && cut_of(grid, most).first.empty()) --most;
  if (most == 1) return "          each works on all cells (ranks share larger grids, by planes across z)";
  return run::formatted("          each works on all cells, for %lld planes across z are too few (%d ranks share them, and no more) take fewer ranks",
                        static_cast<long long>(grid.axis(2).cells), most);
}

std::string describe_planes(const Setup& setup, const fluid::PlaneCut& cut) {
  if (cut.first.empty()) return describe_uncut(setup.make_grid(), setup.ranks);
  const char* what = setup.own_sums_suffice() ? "work on gas, contact and displacement" : "solvers' work, contact and displacement";
  return run::formatted("          they share the %s: each has %lld of %lld planes at most", what, static_cast<long long>(most_planes(cut)),
                        static_cast<long long>(cut.first.back()));
}

/// Share of all planes that are a rank's own or beside these, where it knows its own part alone; else 1.
double share_known(const Setup& setup, const fluid::PlaneCut& cut) {
  if (cut.first.empty() || !setup.own_sums_suffice()) return 1;
  return std::min(1.0, (static_cast<double>(most_planes(cut)) + 2. * StepScratch::beside) / static_cast<double>(cut.first.back()));
}

/// Planes that seeds reach over; all where the case begins with something else.
double planes_of_seeds(const Setup& setup, const Grid& grid) {
  const Axis& axis = grid.axis(2);
  if (setup.start || setup.seeds.empty()) return static_cast<double>(axis.cells);
  double low = axis.origin + axis.length(), high = axis.origin;
  for (const Seed& seed : setup.seeds) {
    const Box region = clipped(seed.seeding.region, grid);
    low = std::min(low, region.low[2]), high = std::max(high, region.high[2]);
  }
  return std::ceil((high - low) / axis.spacing);
}

/// Memory of a rank with the most planes [bytes]: of these, and of those in which its parcels lie; these may be others. But coarse grids of
/// its solvers it may have whole, of two equations that coarsen otherwise.
double cell_bytes_of_rank(const Setup& setup, double share) {
  const double all = memory_needed(setup).cells;
  if (share == 1) return all;
  Extents half = extents(setup);
  const double cells = product(half), of_sums = solver_points(half).of_sums, planes = half[2];
  for (double& extent : half) extent = std::ceil(extent / 2);
  const double coarse = 40 * solver_points(half).stored + 12 * of_sums;
  const double touched = std::min(1.0, share + (planes_of_seeds(setup, setup.make_grid()) / setup.ranks + 2) / planes);
  return std::min(all, touched * (all - coarse) + 2 * coarse + of_every_cell * cells);
}

} // namespace

std::vector<std::string> describe_for(const Setup& setup, int ranks) {
  Setup alone = setup;
  alone.ranks = 1;
  std::vector<std::string> lines = describe(alone);
  const auto cells = static_cast<double>(setup.make_grid().cells());
  const fluid::PlaneCut cut = cut_of(setup.make_grid(), ranks);
  const double share = share_known(setup, cut);
  lines.push_back(run::formatted("ranks     %d, each with fields of %.0f cells; in a step it gets %.3g MB of sums over parcels at most", ranks,
                                 std::ceil(share * cells), share * cells * bytes_added(setup) / 1e6));
  lines.push_back(describe_planes(setup, cut));
  if (setup.start && !setup.start->bed) return lines; // parcels are not known
  MemoryNeed need = memory_needed(setup);
  need.cells = cell_bytes_of_rank(setup, share);
  lines.push_back(run::formatted("          and with %.0f of the parcels: about %.0f MB", parcels_at_start(setup) / ranks, (need.total() + libraries(ranks)) / 1e6));
  return lines;
}

} // namespace corral::mppic
