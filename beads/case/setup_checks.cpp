#include "beads/case/setup_checks.hpp"

#include "beads/case/beads_case.hpp"
#include "beads/placing/placing.hpp"
#include "beads/step/step.hpp"
#include "run/case/reader.hpp"
#include "run/case/values.hpp"
#include "run/limits.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>

namespace corral::beads {

using geometry::operator-;
using run::brief, run::brief_below;

std::optional<stokes::Parameters> mobility_grid(const BeadsSetup& setup) {
  const stokes::Spheres spheres = spheres_of(setup);
  if (stokes::chosen_sum(spheres) == stokes::SphereSum::pairs) return std::nullopt;
  return stokes::choose(stokes::task_of(spheres));
}

namespace {

constexpr double most_beads = 2e9; ///< numbers of assemblies are 32-bit integers

class Checks : run::Reader {
public:
  Checks(BeadsSetup& setup, const run::Settings& settings, run::Problems& problems) : Reader(settings, problems), setup_(setup) {}

  void check() {
    if (enough_memory() && places() && mobility() && steps() && speeds()) warn();
  }

private:
  bool enough_memory() {
    double beads = 0;
    for (const BeadGroup& group : setup_.groups) {
      const double count = static_cast<double>(count_of(group, setup_.radius)) * static_cast<double>(group.beads());
      beads += count;
      const std::string beyond = run::beyond_memory(memory_of_beads(beads));
      if (beyond.empty() && beads <= most_beads) continue;
      const std::string block = "group." + group.placed.name;
      return refuse(block, to_blame(block, {"count", "volume_fraction", "lattice", "beads", "arrangement"}),
                    brief(beads) + " beads " + (beyond.empty() ? "are too many (2e9 are the most) " : beyond) + "take fewer");
    }
    return true;
  }

  bool places() {
    try {
      setup_.places = place(setup_);
    } catch (const structure::NoRoom& e) {
      return refuse("group." + e.group, "arrangement", e.what());
    }
    if (const auto o = find_overlap(setup_)) {
      const std::string one = "[group." + setup_.groups[o->group].placed.name + "]", other = "[group." + setup_.groups[o->other].placed.name + "]";
      return refuse("group." + setup_.groups[o->group].placed.name, "arrangement",
                    (o->group == o->other ? "numbers " + std::to_string(o->other_member) + " and " + std::to_string(o->member) + " of " + one
                                          : "beads of " + one + " and " + other) +
                        " stand in each other (spheres don't) place them farther apart");
    }
    // Cells as wide as pairs are looked at, and not many more than beads.
    const double most = std::cbrt(std::max(512.0, 8 * static_cast<double>(setup_.beads())));
    for (std::size_t d = 0; d < 3; ++d)
      setup_.cells[d] = static_cast<std::int64_t>(std::clamp(setup_.size[d] / setup_.pair_range(), 1.0, most));
    return true;
  }

  bool mobility() {
    try {
      mobility_grid(setup_);
    } catch (const Error& e) {
      const std::string what = e.what(); // it may go on about a cut-off, which no key sets
      return refuse("mobility", "tolerance", "the mobility has no grid for this box (" + what.substr(0, what.find(": a larger cut-off")) +
                                                 ") take a shorter box, or a larger mobility.tolerance");
    }
    const std::string beyond = run::beyond_memory(memory_needed(setup_)), beads = brief(static_cast<double>(setup_.beads())) + " beads " + beyond;
    if (beyond.empty()) return true;
    if (!mobility_grid(setup_)) return refuse("beads", "radius", beads + "take larger ones for shells, which then have fewer");
    return refuse("box", "size", "the mobility's grid and " + beads + "take a smaller box, or a larger mobility.tolerance");
  }

  /// Whether what pulls at beads lets them move in steps that there may be.
  bool speeds() {
    for (const BeadGroup& group : setup_.groups) {
      const double own = geometry::length(setup_.velocity_alone(group) - setup_.mean_velocity_alone()) +
                         group.swim.thrust / static_cast<double>(group.beads()) * setup_.mobility() + group.shell.speed;
      const double allowed = setup_.time.displacement * setup_.radius / own;
      if (setup_.time.adaptive ? allowed >= setup_.time.floor(setup_.time.dt) : 2 * allowed >= setup_.time.dt) continue;
      const std::string block = "group." + group.placed.name;
      return refuse(block, to_blame(block, {"force", "thrust", "speed"}), "beads of [" + block + "] alone would move by " +
                    brief(own) + " m/s beside the mean of all (time.displacement and the radius allow steps of " + brief(allowed) +
                    " s for that) give another force, or set time.dt to " + brief_below(setup_.time.adaptive ? 1e3 * allowed : allowed) + " s");
    }
    return true;
  }

  bool steps() {
    if (setup_.time.adaptive) {
      const double stiff = stiff_step(setup_), diffusive = diffusive_step(setup_), allowed = std::min(stiff, diffusive);
      if (allowed >= setup_.time.floor(setup_.time.dt)) return true;
      return refuse("time", "dt", std::string(stiff < diffusive ? "springs and repulsion allow" : "diffusion allows") + " steps of " + brief(allowed) +
                    " s, and the adaptive step may not fall below " + brief(setup_.time.floor(setup_.time.dt)) + " s (time.dt_least, or 1e-4 time.dt) "
                    "set time.dt to " + brief_below(10 * allowed) + " s");
    }
    const double stable = stable_step(setup_);
    if (setup_.time.dt <= 1.5 * stable) return true;
    return refuse("time", "dt", "time.dt = " + brief(setup_.time.dt) + " s is longer than springs and repulsion allow (the stiffest of what they "
                  "hold would swing ever wider) set time.dt to " + brief_below(stable) + " s, or time.step = adaptive");
  }

  void warn() {
    if (!setup_.time.adaptive && setup_.temperature > 0 && setup_.time.dt > 2 * stiff_step(setup_))
      setup_.warnings.push_back("stiff modes of springs and repulsion keep up to " + brief(1 / (1 - 0.5 * setup_.time.dt / stable_step(setup_))) +
                                " times their energy k_B T/2 in such steps (Euler's rule) take steps of " + brief_below(stiff_step(setup_)) + " s");
    if (setup_.groups.empty()) setup_.warnings.push_back("there are no beads (a [group.NAME] block has some)");
    if (!setup_.time.adaptive && setup_.time.dt > 2 * diffusive_step(setup_))
      setup_.warnings.push_back("beads diffuse " + brief(std::sqrt(setup_.time.dt / diffusive_step(setup_)) * setup_.time.displacement) +
                                " radii in a step (they may come to stand in each other: shorter steps keep them from it)");
    if (setup_.temperature > 0 && setup_.contact.range <= 0 && setup_.beads() > 1)
      setup_.warnings.push_back("beads diffuse and nothing keeps them apart (spheres that stand in each other are none) set repulsion.law");
  }

  BeadsSetup& setup_;
};

} // namespace

void check_setup(BeadsSetup& setup, const run::Settings& settings, run::Problems& problems) { Checks(setup, settings, problems).check(); }

} // namespace corral::beads
