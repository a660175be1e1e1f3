#include "body/case/setup_checks.hpp"

#include "body/case/body_case.hpp"
#include "body/step/step.hpp"
#include "body/step/time_step.hpp"
#include "run/case/reader.hpp"
#include "run/case/values.hpp"
#include "run/limits.hpp"
#include "structure/bodies/body_repulsion.hpp"
#include "structure/bodies/given_motion.hpp"
#include "structure/bodies/placing_bodies.hpp"
#include "structure/bodies/point_volumes.hpp"
#include "structure/bodies/rigid_motion.hpp"
#include "structure/bodies/shape.hpp"
#include "structure/fluids/flow_case.hpp"
#include "structure/fluids/lattice_case.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace corral::body {

using namespace structure;
using geometry::length;
using run::brief, run::brief_below;

namespace {

double shortest_edge(const BodySetup& setup) {
  double shortest = std::numeric_limits<double>::infinity();
  for (std::size_t d = 0; d < 3; ++d)
    if (setup.cells[d] > 1) shortest = std::min(shortest, setup.size[d] / static_cast<double>(setup.cells[d]));
  return shortest;
}

std::vector<ImmersedGroup> placed_groups(const BodySetup& setup) {
  std::vector<ImmersedGroup> all;
  for (const BodyGroup& group : setup.groups) all.push_back(group.placed);
  return all;
}

} // namespace

double bodies_wanted(const BodySetup& setup, const ImmersedGroup& group) {
  return count_wanted(as_surfaces(setup, setup.kinds, std::span(&group, 1), setup.random_seed), group);
}

double strength_needed(const BodySetup& setup) {
  double strength = 0;
  each_free(setup, [&](const MotionModel& motion, const BodyModel& kind, double volume) {
    const double weight = std::abs(motion.density - setup.fluid.rho) * volume * length(setup.gravity);
    // As fast as it falls with a drag coefficient of .4, which hardly any has less, or as it starts.
    const bool flat = kind.kind == BodyKind::cylinder;
    const double front = body_area(Cpu{}, kind, setup.size[2]) / (flat ? std::numbers::pi : 4);
    const double falling = std::sqrt(2 * weight / (0.4 * setup.fluid.rho * front));
    strength = std::max(strength, repulsion_strength(swinging_mass(motion.density, setup.fluid.rho, volume), weight,
                                                     std::max(length(motion.velocity), falling), setup.contact.range));
  });
  if (strength > 0) return strength;
  // Neither weight nor speed of their own: the flow pushes them, with its stress on their surface.
  each_free(setup, [&](const MotionModel& motion, const BodyModel&, double volume) {
    const double speed = std::max(starting_rate(setup) * shortest_edge(setup), setup.fluid.mu / setup.fluid.rho / std::cbrt(volume));
    strength = std::max(strength, repulsion_strength(swinging_mass(motion.density, setup.fluid.rho, volume), 0, speed, setup.contact.range));
  });
  return strength;
}

double virtual_mass_needed(const BodySetup& setup, const BodyModel& kind, double density) {
  if (density >= setup.fluid.rho) return 0;
  // Points hold a layer as thick as their volumes, 1.5 cells at least: k dt = 2 rho times that, of two_pass half of it.
  const double layer = 1.5 * shortest_edge(setup) * body_area(Cpu{}, kind, setup.size[2]);
  const double hold = layer / setup.forcing.acts / body_volume(Cpu{}, kind, setup.size[2]);
  // Beside a wall points hold less: at a ceiling a ball of half the density blows up by that bound alone. No mass below 0 is left.
  const double ratio = density / setup.fluid.rho;
  return std::max(least_virtual_mass(ratio, hold, kind.kind == BodyKind::cylinder ? 1 : 0.5), 1 - ratio);
}

namespace {

class Checks : run::Reader {
public:
  Checks(BodySetup& setup, const run::Settings& settings, run::Problems& problems) : Reader(settings, problems), setup_(setup) {}

  void check() {
    if (!check_flow(setup_, setup_.time, s_, problems_)) return;
    if (!setup_.fluid.inertia && !setup_.groups.empty())
      return complain("fluid", "motion", "rigid bodies need a fluid with inertia (forces that hold them act on its momentum) set "
                                         "fluid.motion = navier_stokes");
    if (memory() && places() && sides() && steps() && passes() && placement()) warn();
  }

private:
  bool memory() {
    const std::string beyond = run::beyond_memory(memory_needed(setup_));
    if (beyond.empty()) return true;
    double cells = 1;
    for (const std::int64_t n : setup_.cells) cells *= static_cast<double>(n);
    return refuse("grid", "cells", brief(cells) + " cells and their bodies " + beyond + "take fewer cells");
  }

  bool places() {
    const std::vector<ImmersedGroup> groups = placed_groups(setup_);
    try {
      setup_.places = place_bodies(setup_, setup_.kinds, groups, setup_.random_seed);
    } catch (const NoRoom& e) {
      return refuse("bodies." + e.group, "arrangement", e.what());
    }
    Immersed seen = as_surfaces(setup_, setup_.kinds, groups, setup_.random_seed);
    seen.places = setup_.places;
    for (const Overlap& o : find_overlaps(seen)) {
      const std::string one = "[bodies." + groups[o.group].name + "]";
      return refuse("bodies." + groups[o.group].name, o.itself ? "shape" : "arrangement",
                    o.itself            ? "a body of " + one + " overlaps its own image across a periodic side (the box is too small for it) widen it"
                    : o.group == o.other ? "bodies " + std::to_string(o.member) + " and " + std::to_string(o.other_member) + " of " + one +
                                               " overlap (no two are in one place) place them farther apart"
                                         : "bodies of " + one + " and [bodies." + groups[o.other].name + "] overlap (no two are in one place) "
                                                   "place them farther apart");
    }
    return true;
  }

  /// Whether all bodies stand inside, and how near to sides.
  bool sides() {
    for (std::size_t g = 0; g < setup_.groups.size(); ++g) {
      const ImmersedGroup& group = setup_.groups[g].placed;
      const BodyShape shape = make_body(Cpu{}, setup_.kinds[group.surface], setup_.size[2]);
      for (std::size_t member = 0; member < setup_.places[g].size(); ++member)
        for (const geometry::Vector& corner : shape.points) {
          const geometry::Vector x = setup_.places[g][member](corner);
          for (std::size_t d = 0; d < (shape.planar ? 2u : 3u); ++d) {
            if (setup_.periodic(d)) continue;
            const double off = std::min(x[d] - setup_.origin[d], setup_.origin[d] + setup_.size[d] - x[d]);
            if (!(off > 0))
              return refuse("bodies." + group.name, "arrangement", "body " + std::to_string(member) + " of [bodies." + group.name +
                            "] reaches through a side of " + "xyz"[d] + " (by " + brief(-off) + " m) place it inside");
            nearest_ = std::min(nearest_, off * static_cast<double>(setup_.cells[d]) / setup_.size[d]);
          }
        }
    }
    return true;
  }

  bool steps() {
    double fastest = 0;
    for (const BodyGroup& group : setup_.groups) {
      const MotionModel& motion = group.motion;
      const double radius = equivalent_radius(Cpu{}, setup_.kinds[group.placed.surface]);
      if (motion.mode == BodyMode::given) {
        const GivenPath path(motion.given);
        fastest = std::max(fastest, path.fastest() + radius * length(path.angular_velocity()));
      }
      if (motion.mode == BodyMode::free) fastest = std::max(fastest, length(motion.velocity) + radius * length(motion.angular_velocity));
    }
    const double cell = shortest_edge(setup_), mach = std::sqrt(3.) * fastest * setup_.time.dt / cell;
    if (setup_.lattice() && mach > LatticeNumbers::largest_mach)
      return refuse("time", "dt", "bodies move at up to " + brief(fastest) + " m/s, a Mach number of " + brief(mach) + " on the lattice (up to " +
                    brief(LatticeNumbers::largest_mach) + " it follows) set time.dt to " +
                    brief_below(0.5 * setup_.time.dt * LatticeNumbers::largest_mach / mach) + " s, or take coarser cells");
    if (setup_.lattice() && mach > 0.1)
      setup_.warnings.push_back("bodies move at up to " + brief(fastest) + " m/s, a Mach number of " + brief(mach) + " on the lattice (velocities "
                                "may be wrong by its square: a shorter time.dt makes it less)");
    const double allowed = contact_step(setup_);
    if (setup_.time.adaptive || setup_.time.dt <= allowed) return true;
    return refuse("time", "dt", "time.dt = " + brief(setup_.time.dt) + " s is longer than contact allows (a tenth of the period in which "
                  "bodies swing where they touch) set time.dt to " + brief_below(allowed) + " s, or a smaller contact.strength");
  }

  bool passes() {
    if (setup_.forcing.acts < 1 || setup_.lattice()) return true;
    return refuse("forcing", "scheme", "forcing.scheme = two_pass with the spectral fluid (it meets forces halfway through a step, and makes none "
                                       "twice) set forcing.scheme = one_pass, or fluid.method = lattice");
  }

  bool placement() {
    if (setup_.forcing.placement == PointsPlacement::together) return true;
    const auto why_not = [&](const char* reason) {
      return refuse("forcing", "placement", std::string("forcing.placement = at_once with ") + reason + " set forcing.placement = together");
    };
    if (setup_.lattice() && setup_.fluid.lattice.on_device())
      return why_not("lattice.processor = device (which moves the fluid meanwhile by itself, while points have all threads)");
    if (!setup_.lattice()) return why_not("the spectral fluid (its step is of the whole box at once)");
    if (setup_.drive.keeps_mean) return why_not("drive.mean_flow = kept (the mean of all forces acts in all cells)");
    if (setup_.periodic(1) && setup_.drive.shear_rate != 0)
      return why_not("drive.shear_rate between periodic sides (a force acts all along them)");
    return true;
  }

  void warn() {
    if (nearest_ < 0.5 * widest_support(setup_.forcing.kernel))
      setup_.warnings.push_back("a body stands " + brief(nearest_) + " cells from a side: the kernel reaches through it, and forces are mirrored");
    const bool moves = std::any_of(setup_.groups.begin(), setup_.groups.end(), [](const BodyGroup& g) { return g.motion.mode != BodyMode::fixed; });
    if (!setup_.lattice() && setup_.forcing.slip > 0 && moves)
      setup_.warnings.push_back("forcing.scheme = multi_direct holds moving bodies in the spectral fluid by forces that grow until the run ends "
                                "(it hardly answers some of them): forcing.scheme = one_pass, or fluid.method = lattice");
    for (std::string& warning : flow_warnings(setup_, setup_.time.dt)) setup_.warnings.push_back(std::move(warning));
    for (const BodyModel& kind : setup_.kinds)
      if (std::none_of(setup_.groups.begin(), setup_.groups.end(), [&](const BodyGroup& g) { return &setup_.kinds[g.placed.surface] == &kind; }))
        setup_.warnings.push_back("no bodies are of [shape." + kind.name + "] (a [bodies.NAME] block may name it)");
  }

  BodySetup& setup_;
  double nearest_ = std::numeric_limits<double>::infinity(); ///< of a point to a side [cells]
};

} // namespace

void check_setup(BodySetup& setup, const run::Settings& settings, run::Problems& problems) { Checks(setup, settings, problems).check(); }

} // namespace corral::body
