#include "membrane/case/membrane_case.hpp"
#include "run/case/keys.hpp"
#include "run/time_step.hpp"
#include "structure/fluids/flow_case.hpp"

#include <corral/kernels/shipped.hpp>

namespace corral::membrane {
namespace {

using namespace run; // a table of keys

constexpr double infinite = std::numeric_limits<double>::infinity();

Key whole(std::string section, std::string name, std::optional<std::string> fallback, double least, double most,
          std::string meaning) {
  return {.section = std::move(section), .name = std::move(name), .type = KeyType::integer,
          .fallback = std::move(fallback), .minimum = least, .maximum = most, .meaning = std::move(meaning)};
}

/// From 0 up to what arithmetic and any material bear.
Key up_to(double most, std::string section, std::string name, std::string unit, std::string fallback, std::string meaning) {
  return {.section = std::move(section), .name = std::move(name), .unit = std::move(unit),
          .fallback = std::move(fallback), .minimum = 0, .maximum = most, .meaning = std::move(meaning)};
}

constexpr double longest = 1e6, stiffest = 1e6; // [m], [N/m]

/// Those that are a partition of unity and take no parameter: membranes are neither windowed nor deconvolved.
std::vector<std::string> kernels_for_membranes() {
  std::vector<std::string> names;
  kernels::for_each_shipped([&]<class K>(const K&) {
    if constexpr (!requires(const K& k) { k.beta(); }) names.emplace_back(K::name);
  });
  return names;
}

std::vector<std::string> spread_methods() {
  std::vector<std::string> names;
  for (const Method m : all_methods(Cpu{}))
    if (serves_any_kernel(m)) names.emplace_back(name(m));
  return names;
}

void declare_coupling(KeyTable& t) {
  t.add(choice("coupling", "scheme", {"midpoint", "predictor"}, "midpoint",
               "midpoint: of second order in time; predictor: of first order (Kassen, Shankar and Fogelson)"));
  t.add(choice("coupling", "kernel", kernels_for_membranes(), "composite43",
               "kernel of all maps (docs/kernels.md); composite kernels keep what membranes enclose"));
  t.add(choice("coupling", "method", spread_methods(), "automatic",
               "how forces are spread (docs/methods.md); serial: velocities are found so, too, and any number of ranks has the same bits"));
  t.add(up_to(longest, "repulsion", "range", "m", "0", "distance below which points of different membranes, or of a "
                                                      "membrane and a wall, push each other away; 0: they don't"));
  t.add(up_to(stiffest, "repulsion", "stiffness", "N/m", "0",
                      "k of the energy k (range - r)^2/2 of two points at the distance r"));
}

void declare_surfaces(KeyTable& t) {
  const std::vector<std::string> made{"sphere", "ellipsoid", "red_cell"};
  t.add(choice("surface.*", "shape", {"sphere", "ellipsoid", "red_cell", "file"}, std::nullopt,
               "shape without stress: red_cell is Evans and Fung's biconcave disc about z; file: a closed surface"));
  t.add(where("shape", {"sphere", "red_cell"},
              within(optional_positive("surface.*", "radius", "m", "of the sphere, or the largest of the red cell"), 1e-12,
                     longest)));
  t.add(where("shape", {"ellipsoid"},
              within(vector("surface.*", "semi_axes", "m", std::nullopt, "of the ellipsoid along x, y and z"), 1e-12, longest)));
  t.add(where("shape", {"file"},
              {.section = "surface.*", .name = "file", .type = KeyType::file,
               .meaning = "surface of triangles: OFF, OBJ, STL or PLY, moved so that its centroid is the centre"}));
  t.add(where("shape", {"file"},
              within(positive("surface.*", "unit", "m", "1 m", "what the file's coordinates are in"), 1e-12, longest)));
  t.add(choice("surface.*", "representation", {"triangles", "radial"}, "triangles",
               "triangles, or radial basis functions on the sphere with data sites and sample sites"));
  t.add(where("shape", made,
              choice("surface.*", "nodes", {"icosphere", "spiral"}, "icosphere",
                     "how points are spaced: a divided icosahedron, or Bauer's spiral")));
  t.add(where("shape", made,
              whole("surface.*", "vertices", std::nullopt, 12, 1e8,
                    "points that move with the fluid: vertices (icospheres take the next larger number that there is), or "
                    "data sites")));
  t.add(where("representation", {"triangles"},
              where("shape", made,
                    optional_positive("surface.*", "edge", "m", "instead: mean length of edges of the triangles"))));
  t.add(where("representation", {"radial"},
              whole("surface.*", "sites", std::nullopt, 12, 1e6, "radial: sample sites, where forces act")));
  t.add(where("representation", {"radial"},
              choice("surface.*", "forces", {"collocated", "variational"}, "collocated",
                     "radial: collocated: the continuous force's formula at the sample sites (Kassen, Shankar and "
                     "Fogelson); variational: minus the gradient of the discrete energy, without net force or torque")));
  t.add(choice_or_file("surface.*", "stress_free", {"shape", "sphere", "spheroid"}, "shape",
                       "what is without stress: this shape; a sphere, or an oblate spheroid, of its area, of shapes about z; "
                       "or a file of a surface with the same mesh: OFF, OBJ, STL or PLY"));
  t.add(where("stress_free", {ReadWhere::any_file},
              within(positive("surface.*", "stress_free_unit", "m", "1 m", "what the coordinates of that file are in"), 1e-12,
                     longest)));
  t.add(where("stress_free", {"spheroid"},
              within(positive("surface.*", "reduced_volume", "", "0.95",
                              "of the spheroid: its volume over that of the sphere of its area"), 0.1, 1)));
  t.add(within(vector("surface.*", "stretch", "", "1, 1, 1", "of the starting shape along x, y and z"), 0.01, 100));
  t.add(within(positive("surface.*", "inflation", "", "1", "size of the starting shape over that without stress"), 0.1,
               10));
}

void declare_materials(KeyTable& t) {
  t.add(choice("surface.*", "law", {"skalak", "neo_hookean", "none"}, "skalak", "elastic energy in the surface"));
  t.add(where("law", {"skalak", "neo_hookean"},
              up_to(stiffest, "surface.*", "shear_modulus", "N/m", "0", "G_s of the elastic law")));
  t.add(where("law", {"skalak"},
              up_to(1e9, "surface.*", "area_ratio", "", "1", "C of Skalak's law: the area modulus is G_s (1 + 2 C)")));
  const std::vector<std::string> bent{"dihedral", "helfrich"};
  t.add(choice("surface.*", "bending", {"dihedral", "helfrich", "none"}, "none", "energy of bending"));
  t.add(where("bending", bent, up_to(1, "surface.*", "bending_modulus", "J", "0", "kappa of the bending energy")));
  t.add(where("bending", bent,
              choice("surface.*", "rest_curvature", {"reference", "flat"}, "reference",
                     "where bending is at rest: in the shape without stress, or where the surface is flat")));
  t.add(up_to(1e12, "surface.*", "volume_stiffness", "Pa", "0", "k of the energy k (V - V0)^2/(2 V0)"));
  t.add(up_to(stiffest, "surface.*", "area_stiffness", "N/m", "0", "k of the energy k (A - A0)^2/(2 A0), A the whole area"));
  t.add(up_to(stiffest, "surface.*", "tension", "N/m", "0", "of the surface, the same everywhere: of a drop's"));
  t.add(up_to(1e20, "surface.*", "tether_stiffness", "N/m3", "0",
                      "k of the energy k |x - anchor|^2/2 per area that ties points to where they started"));
}

/// What triangles alone have.
void declare_membrane_viscosity(KeyTable& t) {
  constexpr double most = 1; // [N s/m], a million times a red cell's
  t.add(where("representation", {"triangles"},
              up_to(most, "surface.*", "membrane_viscosity", "N s/m", "0",
                    "mu_s of the membrane itself, in its plane: it resists shear there, as a fluid does, beside what is elastic")));
  t.add(where("representation", {"triangles"},
              up_to(most, "surface.*", "membrane_dilatation_viscosity", "N s/m", "0",
                    "mu_d of the same: it resists that its area changes")));
}

void declare_inside(KeyTable& t) {
  t.add(within(optional_positive("surface.*", "viscosity_ratio", "",
                                 "viscosity of the fluid that it encloses over fluid.viscosity, which is that outside; "
                                 "without it there is one fluid"), 1e-3, 1e3));
}

void declare_paths_and_pulls(KeyTable& t) {
  t.add({.section = "membranes.*", .name = "path", .type = KeyType::file,
         .meaning = "lines of `time [s], x, y, z [m]`: how far the anchors of tethers move"});
  t.add({.section = "pull.*", .name = "membranes", .type = KeyType::text,
         .meaning = "name of the [membranes.NAME] block that is pulled (where there is more than one)"});
  t.add(choice("pull.*", "axis", {"x", "y", "z"}, "x", "along which two opposite forces pull each membrane apart"));
  t.add(within(positive("pull.*", "force", "N", std::nullopt, "at each end"), 1e-18, 1e6));
  Key share_of_ends = share("pull.*", "share", "0.05", "of the vertices that each end holds");
  share_of_ends.minimum_excluded = true;
  share_of_ends.maximum = 0.5;
  t.add(share_of_ends);
  t.add(up_to(1e9, "pull.*", "ramp", "s", "0", "time in which the force grows from 0"));
}

void declare_time(KeyTable& t) {
  declare_step_lengths(t, {"fixed", "fixed: a step that stiffness or speed forbid is refused; adaptive: as long as they allow, "
                                    "and every multiple of dt is met", "of what dt and stiffness allow"});
  t.add(within(positive("time", "courant", "", "0.5", "cells that the fluid may cross in a step"), 1e-6, 2));
  t.add(whole("random", "seed", "1", 0, infinite, "number that all random numbers of the run derive from"));
}

} // namespace

structure::GroupWords group_words() {
  return {.section = "membranes", .kinds = "surface", .fill = "enclose", .gap = "the cells' largest spacing"};
}

void declare_keys(KeyTable& table) {
  declare_time(table);
  structure::declare_flow(table, structure::Box::parallel); // repulsion and profiles know walls of y alone
  declare_coupling(table);
  declare_surfaces(table);
  declare_materials(table);
  declare_membrane_viscosity(table);
  declare_inside(table);
  structure::declare_groups(table, group_words());
  declare_paths_and_pulls(table);
}

} // namespace corral::membrane
