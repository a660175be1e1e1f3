#include "beads/case/beads_case.hpp"
#include "run/case/keys.hpp"
#include "run/time_step.hpp"
#include "structure/placing/group_case.hpp"

#include <limits>

namespace corral::beads {
namespace {

using namespace run; // a table of keys

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double longest = 1e6, strongest = 1e6; // [m], [N]

void declare_fluid(KeyTable& t) {
  Key size = within(vector("box", "size", "m", std::nullopt, "lengths of the box along x, y and z"), 1e-9, longest);
  size.required = true;
  t.add(size);
  t.add(within(vector("box", "origin", "m", "0, 0, 0", "lower corner of the box"), -1e9, 1e9));
  t.add(choice("box", "free", {"none", "x", "y", "z", "xy", "xz", "yz", "xyz"}, "none",
               "axes without images, along which the fluid has no end: beads go anywhere, and spread over less than size"));
  t.add(within(positive("fluid", "viscosity", "Pa s", std::nullopt, "dynamic viscosity"), 1e-9, 1e9));
  t.add({.section = "fluid", .name = "density", .unit = "kg/m3", .fallback = "0", .minimum = 0, .maximum = 1e6,
         .meaning = "of the fluid, which bears beads up"});
  t.add({.section = "fluid", .name = "temperature", .unit = "K", .fallback = "0", .minimum = 0, .maximum = 1e6,
         .meaning = "of Brownian motion; 0: none"});
  t.add(within(positive("mobility", "tolerance", "", "1e-4", "what velocities may err by, over their size"), 1e-12, 0.1));
  t.add(choice("mobility", "lubrication", {"none", "pairs"}, "none",
               "drag of spheres that are near each other: pairs: what two alone have more of along their line of centres"));
  t.add(where("lubrication", {"pairs"}, within(positive("mobility", "lubrication_range", "", "4", "gap of surfaces where it ends, over the radius"), 0.01, 100)));
  t.add(where("lubrication", {"pairs"}, within(positive("mobility", "least_gap", "", "1e-3", "gap below which drag grows no more, over the radius"), 1e-9, 1)));
}

void declare_beads(KeyTable& t) {
  t.add(within(positive("beads", "radius", "m", std::nullopt, "of all beads"), 1e-12, longest));
  t.add(within(optional_positive("beads", "density", "kg/m3", "of all beads, where gravity acts"), 1e-9, 1e6));
  t.add(within(vector("forces", "gravity", "m/s2", "0, 0, 0", "acceleration of what beads have more mass than the fluid in their place"),
               -strongest_pull, strongest_pull));
  t.add(choice("group.*", "shape", {"sphere", "fibre", "shell"}, "sphere", "sphere: one bead; fibre: a chain of beads; shell: a rigid sphere covered by beads"));
  t.add(within(vector("group.*", "force", "N", "0, 0, 0", "on each bead, or on a shell, beside its weight"), -strongest, strongest));
}

void declare_fibres(KeyTable& t) {
  const auto fibre = [&](Key key) { t.add(where("shape", {"fibre"}, std::move(key))); };
  fibre({.section = "group.*", .name = "beads", .type = KeyType::integer, .minimum = 2, .maximum = 1e6,
         .meaning = "of a fibre"});
  fibre(within(optional_positive("group.*", "spacing", "m", "of neighbours at rest (two radii)"), 1e-12, longest));
  fibre(within(optional_positive("group.*", "stretching", "N/m", "stiffness of the spring between neighbours"), 1e-30, 1e12));
  fibre({.section = "group.*", .name = "bending", .unit = "N m2", .fallback = "0", .minimum = 0, .maximum = 1e12,
         .meaning = "stiffness against bending, EI of a rod: its persistence length is bending over k_B T"});
  t.add(where("shape", {"shell"}, within(optional_positive("group.*", "shell_radius", "m", "of the sphere, 2.2 to 15 radii of its beads"), 1e-12, longest)));
  t.add(where("shape", {"fibre", "shell"}, choice("group.*", "swims", {"no", "pusher", "puller", "squirmer"}, "no",
               "pusher: a fibre pushes the fluid behind its last bead, and itself along its axis as much; puller: ahead of its first one; "
               "squirmer: a shell slips along its surface")));
  const auto squirmer = [&](Key key) { t.add(where("swims", {"squirmer"}, std::move(key))); };
  squirmer(within(optional_positive("group.*", "speed", "m/s", "with which it swims alone, 2/3 of B1, along its axis"), 1e-30, fastest));
  squirmer({.section = "group.*", .name = "dipole", .fallback = "0", .minimum = -100, .maximum = 100,
            .meaning = "B2/B1 of its slip: above 0 a puller, below 0 a pusher"});
  const auto swimmer = [&](Key key) { t.add(where("shape", {"fibre"}, where("swims", {"pusher", "puller"}, std::move(key)))); };
  swimmer(within(optional_positive("group.*", "thrust", "N", "that it pushes itself with, shared by its beads"), 1e-30, strongest));
  swimmer(within(optional_positive("group.*", "reach", "m", "from its end to where it pushes the fluid (two radii)"), 1e-12, longest));
}

} // namespace

structure::GroupWords group_words() { return {.section = "group", .kinds = "", .fill = "fill", .gap = "0"}; }

void declare_keys(KeyTable& t) {
  declare_step_lengths(t, {"adaptive", "adaptive: as long as displacement and stiffness allow", "of dt"});
  t.add(choice("time", "scheme", {"euler", "midpoint", "ab2"}, "midpoint",
               "how beads move: Euler's (of first order, and right for Brownian motion), or of second order: midpoint (two "
               "evaluations of the mobility a step), ab2 (one; Adams and Bashforth's)"));
  t.add(within(positive("time", "displacement", "", "0.1", "what a bead may move in a step beside the mean of all, over the radius"), 1e-6, 10));
  t.add({.section = "random", .name = "seed", .type = KeyType::integer, .fallback = "1", .minimum = 0, .maximum = infinite,
         .meaning = "number that all random numbers of the run derive from"});
  declare_fluid(t);
  declare_beads(t);
  declare_fibres(t);
  structure::declare_groups(t, group_words());
  t.add(where("arrangement", {"random"}, within(vector("group.*", "ball_centre", "m", std::nullopt, "random: of a ball that their "
                                                       "centres stand in, instead of low and high (the box's)"), -1e9, 1e9)));
  t.add(where("arrangement", {"random"}, within(optional_positive("group.*", "ball_radius", "m", "random: of that ball"), 1e-12, longest)));
  t.add(choice("repulsion", "law", {"none", "harmonic"}, "none",
               "how beads push each other that come near: harmonic: by strength (1 - gap/range)"));
  t.add(where("law", {"harmonic"}, within(optional_positive("repulsion", "range", "m", "gap of surfaces where it begins (a tenth of the radius)"),
                                          1e-12, longest)));
  t.add(where("law", {"harmonic"}, within(optional_positive("repulsion", "strength", "N", "force where surfaces touch"), 1e-30, strongest)));
}

} // namespace corral::beads
