#include "body/case/body_case.hpp"
#include "run/case/keys.hpp"
#include "run/time_step.hpp"
#include "structure/fluids/flow_case.hpp"
#include "structure/placing/group_case.hpp"

#include <corral/kernels/shipped.hpp>

namespace corral::body {
namespace {

using namespace run; // a table of keys

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double longest = 1e6, fastest_turn = 1e9; // [m], [rad/s]

Key whole(std::string section, std::string name, std::optional<std::string> fallback, double least, double most,
          std::string meaning) {
  return {.section = std::move(section), .name = std::move(name), .type = KeyType::integer,
          .fallback = std::move(fallback), .minimum = least, .maximum = most, .meaning = std::move(meaning)};
}

/// Those that are a partition of unity and take no parameter.
std::vector<std::string> kernels_for_bodies() {
  std::vector<std::string> names;
  kernels::for_each_shipped([&]<class K>(const K& k) {
    if constexpr (kernels::sums_to_one<K> && !requires { k.beta(); }) names.emplace_back(K::name);
  });
  return names;
}

void declare_shapes(KeyTable& t) {
  t.add(choice("shape.*", "shape", {"cylinder", "sphere", "ellipsoid", "file"}, std::nullopt,
               "cylinder: a circle in a box with one cell along z; file: a closed surface"));
  t.add(where("shape", {"cylinder", "sphere"}, within(optional_positive("shape.*", "radius", "m", "of the circle or the sphere"),
                                                      1e-12, longest)));
  t.add(where("shape", {"ellipsoid"},
              within(vector("shape.*", "semi_axes", "m", std::nullopt, "of the ellipsoid along its x, y and z"), 1e-12, longest)));
  t.add(where("shape", {"file"}, {.section = "shape.*", .name = "file", .type = KeyType::file,
                                  .meaning = "surface of triangles: OFF, OBJ, STL or PLY; its centre of mass becomes the body's"}));
  t.add(where("shape", {"file"},
              within(positive("shape.*", "unit", "m", "1 m", "what the file's coordinates are in"), 1e-12, longest)));
  t.add(within(optional_positive("shape.*", "spacing", "m", "from a point of the surface to the next (the cells' shortest edge)"),
               1e-12, longest));
  t.add(where("shape", {"cylinder", "sphere"},
              whole("shape.*", "points", std::nullopt, 3, 1e7, "instead: how many points the surface has")));
}

void declare_motion(KeyTable& t) {
  t.add(choice("bodies.*", "motion", {"fixed", "given", "free"}, "fixed",
               "fixed; given: by velocity, oscillation, turning and path, which add up; free: as fluid, weight and contact have it"));
  const auto moving = [&](Key key) { t.add(where("motion", {"given", "free"}, std::move(key))); };
  const auto given = [&](Key key) { t.add(where("motion", {"given"}, std::move(key))); };
  moving(within(vector("bodies.*", "velocity", "m/s", "0, 0, 0", "given: of the centre; free: at the start"), -fastest, fastest));
  moving(within(vector("bodies.*", "angular_velocity", "rad/s", "0, 0, 0", "given: about the centre; free: at the start"),
                -fastest_turn, fastest_turn));
  given(within(vector("bodies.*", "amplitude", "m", "0, 0, 0", "A of an oscillation A sin(2 pi frequency t + phase) of the centre"),
               -longest, longest));
  given({.section = "bodies.*", .name = "frequency", .unit = "1/s", .fallback = "0", .minimum = 0, .maximum = 1e9,
         .meaning = "of that oscillation"});
  given({.section = "bodies.*", .name = "phase", .unit = "rad", .fallback = "0", .minimum = -1e3, .maximum = 1e3,
         .meaning = "of that oscillation"});
  given({.section = "bodies.*", .name = "path", .type = KeyType::file,
         .meaning = "lines of `time [s], x, y, z [m]`: how far the centre moves beside that, linear in between"});
  const auto free = [&](Key key) { t.add(where("motion", {"free"}, std::move(key))); };
  free(within(optional_positive("bodies.*", "density", "kg/m3", "of a free body"), 1e-9, 1e6));
  free(choice("bodies.*", "held", {"none", "turning", "place"}, "none",
              "what does not move of a free body: turning: its orientation; place: its centre"));
  free({.section = "bodies.*", .name = "virtual_mass", .minimum = 0, .maximum = 1e3,
        .meaning = "C_v of bodies lighter than the fluid, which keeps their steps stable (as much as they need, docs/bodies.md)"});
}

void declare_coupling(KeyTable& t) {
  t.add(within(vector("forces", "gravity", "m/s2", "0, 0, 0",
                      "acceleration of free bodies; the fluid's own weight is in its pressure"), -strongest_pull, strongest_pull));
  t.add(choice("forcing", "kernel", kernels_for_bodies(), "roma3", "kernel of all maps (docs/kernels.md)"));
  t.add(choice("forcing", "method", {"automatic", "serial"}, "automatic",
               "how forces are spread (docs/methods.md); serial: in one order, and velocities are found so, too: any number of ranks has the same bits"));
  t.add({.section = "forcing", .name = "retraction", .minimum = 0, .maximum = 2,
         .meaning = "cells by which points stand inside the surface, so that the fluid feels bodies of their size (as many as the "
                    "kernel makes them larger, docs/bodies.md)"});
  t.add(choice("forcing", "scheme", {"one_pass", "two_pass", "multi_direct"}, "one_pass",
               "forces at points: found once a step; two_pass: half as strong, as in a lattice fluid that makes each step twice (docs/bodies.md); "
               "multi_direct: again and again, until the fluid slips by no more than `slip`"));
  t.add(where("scheme", {"multi_direct"},
              within(positive("forcing", "slip", "", "1e-3", "what the fluid may slip at points, over the largest speed that there is"),
                     1e-12, 1)));
  t.add(where("scheme", {"multi_direct"}, whole("forcing", "passes", "100", 1, 1000, "of a step at most")));
  t.add(choice("forcing", "placement", {"together", "at_once"}, "together",
               "of points and fluid on threads: together: points, then fluid, each on all; at_once: points on their own, while the fluid moves "
               "where they do not reach (docs/placements.md)"));
  t.add(where("placement", {"at_once"}, whole("forcing", "point_threads", "1", 1, 1024, "threads for points; the fluid has the others; without others they go by turns")));
  t.add(choice("contact", "law", {"quadratic", "soft_sphere", "none"}, "quadratic",
               "how bodies push each other and walls away: quadratic (Glowinski et al. 2001), or springs with dashpots"));
  const std::vector<std::string> laws{"quadratic", "soft_sphere"};
  t.add(where("law", laws, within(optional_positive("contact", "range", "m", "distance of surfaces below which they push (two cells)"),
                                  1e-12, longest)));
  t.add(where("law", laws, within(optional_positive("contact", "strength", "N", "force where surfaces touch (so much that free bodies "
                                                    "don't by their weight and speed, docs/bodies.md)"), 1e-30, 1e12)));
  t.add(where("law", {"soft_sphere"}, within(positive("contact", "restitution", "", "1", "speed after a collision over that before it"),
                                             1e-3, 1)));
}

} // namespace

structure::GroupWords group_words() {
  return {.section = "bodies", .kinds = "shape", .fill = "fill", .gap = "the cells' largest spacing"};
}

void declare_keys(KeyTable& t) {
  declare_step_lengths(t, {"fixed", "fixed: the step that the lattice has; adaptive: of the spectral fluid, as long as courant allows",
                           "of dt"});
  t.add(within(positive("time", "courant", "", "0.5", "cells that fluid and bodies may cross in a step"), 1e-6, 2));
  t.add(whole("random", "seed", "1", 0, infinite, "number that all random numbers of the run derive from"));
  structure::declare_flow(t);
  declare_coupling(t);
  declare_shapes(t);
  structure::declare_groups(t, group_words());
  declare_motion(t);
}

} // namespace corral::body
