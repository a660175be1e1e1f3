#include "mppic/case/description.hpp"

#include "mppic/case/heat.hpp"
#include "mppic/case/memory.hpp"
#include "run/formatted.hpp"


namespace corral::mppic {

using run::formatted;

namespace {

long long whole(std::int64_t n) { return n; }

std::string describe_start(const Start& start) {
  if (start.place.empty()) return "start     was read when the run began";
  return formatted("start     %lld parcels from ", whole(start.parcels())) + start.place + " (step " + std::to_string(start.step) +
         ", " + start.time + " s); gas begins as " +
         (!start.takes_gas ? "the case says" : start.same_cells ? "it was there" : "it was there, on other cells");
}

} // namespace

std::vector<std::string> describe(const Setup& setup) {
  std::vector<std::string> lines;
  const Grid g = setup.make_grid();
  lines.push_back(formatted("box       %g x %g x %g m, %lld x %lld x %lld cells of %g x %g x %g m", setup.size[0],
                            setup.size[1], setup.size[2], whole(setup.cells[0]), whole(setup.cells[1]),
                            whole(setup.cells[2]), g.axis(0).spacing, g.axis(1).spacing, g.axis(2).spacing));
  for (const SolidMaterial& solid : setup.solids.several)
    lines.push_back(formatted("solid     %.100s: %g kg/m3, drag %s", solid.name.c_str(), solid.rho,
                              std::string(name(solid.drag.law)).c_str()));
  for (const Seed& seed : setup.seeds)
    lines.push_back(formatted("seed      %.100s: %lld parcels of particles of %g m (Sauter mean)", seed.name.c_str(),
                              whole(seed_count(g, seed.seeding)), seed.sizes.sauter_mean()));
  if (setup.start) lines.push_back(describe_start(*setup.start));
  for (const SolidsInlet& inlet : setup.solids_inlets)
    lines.push_back(formatted("inlet     %.100s: %.3g parcels a second of particles of %g m (Sauter mean)",
                              inlet.inlet.name.c_str(), inlet.rate / setup.solids.density(inlet.solid) / inlet.parcel_volume(),
                              inlet.sizes.sauter_mean()));
  if (!setup.start || setup.start->bed) { // else they are not known
    const double parcels = parcels_at_start(setup);
    const auto cells = static_cast<double>(g.cells());
    lines.push_back(formatted("parcels   %.0f at the start, %.1f per cell", parcels, parcels / cells));
    lines.push_back(formatted("memory    about %.0f MB", memory_needed(setup).total() / 1e6));
  }
  lines.push_back(formatted("time step %g s%s", setup.time.dt, setup.time.adaptive ? " at most, adaptive" : ""));
  if (setup.heat.on()) lines.push_back(describe_heat(setup));
  for (const std::string& warning : setup.warnings) lines.push_back("warning   " + warning);
  return lines;
}

} // namespace corral::mppic
