#include "mppic/case/heat.hpp"
#include "mppic/case/setup.hpp"
#include "run/case/inlets.hpp"
#include "run/case/keys.hpp"
#include "run/time_step.hpp"

namespace corral::mppic {
namespace {

using namespace run; // a table of keys

constexpr double infinite = std::numeric_limits<double>::infinity();

/// What is far beyond any material is a unit that was forgotten, or leaves the range of arithmetic.
constexpr double lightest = 1e-9, heaviest = 1e5; // [kg/m3]

void declare_drive(KeyTable& t) {
  const auto solved = [&](Key key) { t.add(where("gas.motion", {"solved"}, std::move(key))); };
  solved(choice("forces", "weight", {"falls", "borne"}, "falls",
                "of gas and solids along periodic axes: falls, faster and faster; borne, by a uniform pressure gradient as "
                "strong as it is"));
  solved(within(vector("forces", "pressure_gradient", "Pa/m", "0, 0, 0",
                       "uniform, along periodic axes, that drives gas and solids beside all else"), -1e9, 1e9));
}

void declare_walls(KeyTable& t) {
  t.add(share("walls", "normal_restitution", "0.97", "share of its normal velocity that a parcel keeps at a wall"));
  t.add(share("walls", "tangential_restitution", "0.91",
              "share of its tangential velocity that a parcel keeps at a wall"));
}

void declare_materials(KeyTable& t) {
  t.add(where("density_law", {"constant"},
              within(positive("gas", "density", "kg/m3", "1.2", "density of the gas (or liquid)"), lightest, heaviest)));
  t.add(within(positive("gas", "viscosity", "Pa s", "1.8e-5", "dynamic viscosity"), 1e-18, 1e6));
  t.add(choice("gas", "motion", {"solved", "prescribed"}, "solved",
               "prescribed: the velocity stays as at the start and the pressure gradient is density times gravity"));
  const auto solved = [&](Key key) { t.add(where("motion", {"solved"}, std::move(key))); };
  solved(choice("gas", "start", {"uniform", "counterflow"}, "uniform",
                "uniform: at `velocity`; counterflow: as fast as makes up for the volume that the parcels carry"));
  t.add(where("start", {"uniform"},
              within(vector("gas", "velocity", "m/s", "0, 0, 0", "velocity of the gas at the start"), -fastest, fastest)));
  solved(choice("gas", "advection", {"upwind", "van_leer", "central"}, "upwind",
                "scheme for the advection of momentum: upwind, of first order; van_leer, of second where flow is smooth; "
                "central, of second (for gas alone in time, too), stable at any viscosity, but with waves from cell to cell "
                "where density times speed times cell over viscosity is above 2"));
  solved(choice("gas", "momentum", {"advective", "conservative"}, "advective",
                "form in which momentum is carried: advective, rho (u grad) u; conservative, by fluxes of mass, so that the "
                "momentum of gas and parcels closes"));
  solved(choice("gas", "viscous_force", {"laplacian", "stress"}, "laplacian",
                "laplacian: viscosity times eps lap u; stress: the divergence of eps viscosity (grad u + its transpose - 2/3 "
                "div u), which asks for momentum = conservative"));
  solved(choice("gas", "turbulence", {"none", "smagorinsky"}, "none",
                "smagorinsky: viscosity of eddies that the grid does not resolve, which asks for viscous_force = stress"));
  Key constant = positive("gas", "smagorinsky_constant", "", "0.168", "its constant");
  constant.maximum = 1;
  t.add(where("turbulence", {"smagorinsky"}, constant));
  Key tolerance = positive("gas", "tolerance", "", "1e-9", "largest error of a step's volume balance, per cell volume");
  tolerance.maximum = 1e-6;
  solved(tolerance);
  declare_heat_of_gas(t);

  t.add(within(optional_positive("solids", "density", "kg/m3",
                                 "density of the particles; where there are blocks [solid.NAME] these have it"),
               lightest, heaviest));
  Key packing = share("solids", "close_packing", "0.6", "solids fraction that contact forces keep from being exceeded");
  packing.minimum_excluded = packing.maximum_excluded = true;
  t.add(packing);
  t.add(choice("solids", "drag", drag_law_names(), "gidaspow_blended", "drag law (docs/models/drag.md), unless [solid.NAME] has its own"));
  t.add(positive("solids", "drag_coefficient", "", "0.44", "drag coefficient of the laws `constant`"));
  t.add(choice("solids", "coupling", {"two_way", "one_way"}, "two_way",
               "one_way: the gas doesn't feel the particles"));
  t.add({.section = "solids", .name = "frozen", .type = KeyType::boolean, .fallback = "false",
         .meaning = "parcels never move: a packed bed"});
  declare_heat_of_solids(t);
  t.add(choice("contact", "model", {"harris_crighton", "off"}, "harris_crighton",
               "contact pressure Ps theta^beta/(close_packing - theta); off: none, "
               "parcels pass through each other but for what collisions damp"));
  const auto pressed = [&](Key key) { t.add(where("model", {"harris_crighton"}, std::move(key))); };
  t.add(within(optional_positive("contact", "pressure", "Pa",
                                 "its constant Ps (10 Pa; where the lightest solid is heavier than the fluid by less than 800 "
                                 "kg/m3 in proportion to that, 0.01 Pa at least)"),
               1e-9, 1e12));
  Key exponent = positive("contact", "exponent", "", "2", "its exponent beta");
  exponent.minimum = 1;
  exponent.minimum_excluded = false;
  exponent.maximum = 10;
  pressed(exponent);
  pressed({.section = "contact", .name = "friction", .fallback = "0.1", .minimum = 0, .maximum = 10,
           .meaning = "coefficient of Coulomb's friction between parcels that contact presses together; it also holds "
                      "packed solids at rest, which 0.1 at least does"});
  t.add(choice("contact", "collisions", {"orourke_snider", "off"}, "orourke_snider",
               "damping of the parcels' fluctuations by inelastic collisions"));
  t.add(choice("contact", "collision_rate", {"equilibrium", "far_from_equilibrium"}, "equilibrium",
               "how often particles collide, by their fluctuations: as if these had the velocities of a gas at rest, or by "
               "each parcel's own, which jets that cross need; costs one more pass over the parcels"));
  t.add(choice("contact", "isotropy", {"off", "orourke_snider"}, "off",
               "collisions turn velocities about at random, so that fluctuations along one direction pass to the others "
               "(return to isotropy); keeps momentum and energy of the parcels between neighbouring cells' centres"));
  pressed(choice("contact", "acceleration", {"own", "blended"}, "own",
                 "how packed parcels answer gas and contact: each by its own mass and drag, or blended, together as one body, "
                 "so that packed mixtures do not sort themselves"));
  t.add(share("contact", "restitution", "0.97",
              "share of their relative velocity that colliding particles keep, unless [solid.NAME] has its own; at 1 collisions "
              "damp nothing"));
}

/// Of each of several solids.
void declare_solid(KeyTable& t) {
  t.add(within(positive("solid.*", "density", "kg/m3", std::nullopt, "density of the particles of one of several solids"),
               lightest, heaviest));
  t.add({.section = "solid.*", .name = "drag", .type = KeyType::choice, .choices = drag_law_names(),
         .meaning = "its drag law (that of [solids])"});
  t.add(optional_positive("solid.*", "drag_coefficient", "", "of the laws `constant` (that of [solids])"));
  t.add({.section = "solid.*", .name = "restitution", .type = KeyType::real, .minimum = 0, .maximum = 1,
         .meaning = "share of their relative velocity that its particles keep when they collide (that of [contact]); where "
                    "several solids meet the mean of theirs, by surface"});
  declare_heat_of_solid(t);
  t.add({.section = "solid.*", .name = "size", .type = KeyType::text,
         .meaning = "name of the [size.NAME] block of its particles, where seeds and inlets do not name another"});
}

void declare_sizes(KeyTable& t) {
  t.add(choice("size.*", "distribution", {"one", "normal", "log_normal", "table"}, "one",
               "how the particles' diameters are distributed"));
  const std::vector<std::string> spread{"normal", "log_normal"};
  const auto length = [&](const char* name, const std::vector<std::string>& distributions, const char* meaning) {
    t.add(where("distribution", distributions,
                within(optional_positive("size.*", name, "m", meaning), smallest_particle, largest_particle)));
  };
  length("diameter", {"one", "normal", "log_normal"}, "the diameter; the mean of normal, the median of log_normal");
  t.add(where("distribution", {"normal"}, optional_positive("size.*", "deviation", "m", "standard deviation of normal")));
  Key ratio = optional_positive("size.*", "ratio", "", "geometric standard deviation of log_normal");
  ratio.minimum = 1;
  ratio.maximum = 100;
  t.add(where("distribution", {"log_normal"}, ratio));
  length("minimum", spread, "smallest diameter (normal, log_normal: 3 deviations away)");
  length("maximum", spread, "largest diameter (normal, log_normal: 3 deviations away)");
  t.add(where("distribution", {"table"},
              {.section = "size.*", .name = "file", .type = KeyType::file,
               .meaning = "table: lines of `diameter, cumulative share`"}));
  t.add(where("distribution", {"normal", "log_normal", "table"},
              choice("size.*", "weighting", {"number", "mass"}, "number",
                     "what the shares count, and what parcels have in common: particles, or mass")));
}

void declare_parcels(KeyTable& t) {
  t.add(vector("seed.*", "low", "m", std::nullopt, "lower corner of the region that is filled (the box's)"));
  t.add(vector("seed.*", "high", "m", std::nullopt, "upper corner of the region that is filled (the box's)"));
  t.add(choice("seed.*", "arrangement", {"random", "stratified", "cells", "lattice", "cell_lattice"}, "cells",
               "random: anywhere; stratified: one in each of as many slices in height; cells: as many in each cell; "
               "lattice: regular across the region; cell_lattice: regular across each cell"));
  t.add({.section = "seed.*", .name = "solids_fraction", .minimum = 0, .maximum = 0.74, .minimum_excluded = true,
         .meaning = "solids fraction of the region; sets how many particles a parcel stands for"});
  t.add(optional_positive("seed.*", "particles_per_parcel", "", "instead: particles that a parcel stands for"));
  const auto counted = [&](Key key) { t.add(where("arrangement", {"random", "stratified", "cells"}, std::move(key))); };
  const auto regular = [&](Key key) { t.add(where("arrangement", {"lattice", "cell_lattice"}, std::move(key))); };
  counted({.section = "seed.*", .name = "parcels", .type = KeyType::integer, .minimum = 0, .maximum = 4e9,
           .meaning = "how many (random, stratified, cells)"});
  counted(optional_positive("seed.*", "parcels_per_cell", "", "instead: how many in each cell"));
  counted(optional_positive("seed.*", "parcels_at_packing", "", "instead: how many a cell holds once it is packed"));
  regular({.section = "seed.*", .name = "lattice", .type = KeyType::integers3, .minimum = 1, .maximum = 1e6,
           .meaning = "points along x, y, z across the region (lattice) or each cell (cell_lattice)"});
  regular({.section = "seed.*", .name = "jitter", .unit = "m", .fallback = "0", .minimum = 0,
           .meaning = "largest random displacement from the lattice, along each axis"});
  t.add(where("solids.frozen", {"false"},
              within(vector("seed.*", "velocity", "m/s", "0, 0, 0", "of the parcels, in the mean"), -fastest, fastest)));
  t.add(where("solids.frozen", {"false"},
              within(vector("seed.*", "granular_temperature", "m2/s2", "0, 0, 0",
                            "variance of the velocity along x, y, z, of the seed's solids to round-off; each parcel's is normal"),
                     0, fastest * fastest)));
  t.add({.section = "seed.*", .name = "solid", .type = KeyType::text,
         .meaning = "name of the [solid.NAME] block of the parcels (where there is more than one)"});
  t.add({.section = "seed.*", .name = "size", .type = KeyType::text,
         .meaning = "name of the [size.NAME] block (where there is more than one)"});
  declare_heat_of_seeds(t);
  t.add({.section = "random", .name = "seed", .type = KeyType::integer, .fallback = "1", .minimum = 0,
         .maximum = infinite, .meaning = "number that all random numbers of the run derive from"});
}

/// A run that goes on does not read them again.
void declare_start(KeyTable& t) {
  const auto add = [&](Key key) {
    key.section = "start";
    key.when_resumed = true;
    t.add(std::move(key));
  };
  add({.name = "from", .type = KeyType::directory,
       .meaning = "output directory of another gas-solid run, whose newest checkpoint has parcels to begin with, beside those "
                  "of [seed.NAME]; gas and contact begin as they were there, on other cells by volume"});
  add(where_given("from", {.name = "solid", .type = KeyType::text,
                           .meaning = "name of the [solid.NAME] block of these parcels (where they have no solid of that "
                                      "name, and there is more than one)"}));
  add(where_given("from", temperature_of_start()));
}

void declare_inlets(KeyTable& t) {
  run::declare_inlets(t, "gas");
  t.add(optional_positive("inlet.*", "solids_rate", "kg/s", "solids that enter"));
  const auto of_solids = [&](Key key) { t.add(where_given("solids_rate", std::move(key))); };
  Key velocity = optional_positive("inlet.*", "solids_velocity", "m/s", "velocity of the solids into the box");
  velocity.maximum = fastest;
  of_solids(velocity);
  of_solids(within(vector("inlet.*", "solids_tangential_velocity", "m/s", std::nullopt,
                          "velocity of the solids along the side, beside that into the box (0, 0, 0)"),
                   -fastest, fastest));
  of_solids({.section = "inlet.*", .name = "solids_times", .type = KeyType::list, .unit = "s",
             .meaning = "the solids' own, for a feed that starts, ramps and stops apart from the gas (times)"});
  of_solids({.section = "inlet.*", .name = "solids_factors", .type = KeyType::list, .minimum = 0,
             .meaning = "what solids_rate is multiplied by at these (factors)"});
  of_solids(optional_positive("inlet.*", "particles_per_parcel", "", "particles that an entering parcel stands for"));
  of_solids({.section = "inlet.*", .name = "solid", .type = KeyType::text,
             .meaning = "name of the [solid.NAME] block of the solids (where there is more than one)"});
  of_solids({.section = "inlet.*", .name = "size", .type = KeyType::text,
             .meaning = "name of the [size.NAME] block of the solids (where there is more than one)"});
  declare_heat_of_inlets(t);
}

void declare_time(KeyTable& t) {
  run::declare_step_lengths(t, {"adaptive", "adaptive: as long as the numbers below allow; every multiple of dt is met",
                                "dt where not given"});
  const auto adaptive = [&](Key key) { t.add(where("step", {"adaptive"}, std::move(key))); };
  adaptive(within(positive("time", "gas_courant", "", "2", "adaptive: cells that the gas crosses in a step"), 1e-6,
                  most_gas_cells));
  adaptive(within(positive("time", "parcel_courant", "", "0.1", "adaptive: cells that a parcel crosses in a step"), 1e-6,
                  most_parcel_cells));
  t.add(where("step", {"fixed"},
              {.section = "time", .name = "unsafe", .type = KeyType::boolean, .fallback = "false",
               .meaning = "fixed: go on though what is seeded would fall through more than half a cell in a step"}));
  adaptive(share("time", "outliers", "0.001", "adaptive: share of the parcels that may cross more"));
  adaptive(within(positive("time", "drag_number", "", "75", "adaptive: times that drag takes hold of packed solids in a step"),
                  1, 1e6));
}

} // namespace

void declare_keys(KeyTable& table) {
  table.add({.section = "output", .name = "audit", .type = KeyType::boolean, .fallback = "false",
             .meaning = "books of mass, momentum and energy of every step in log.csv", .when_resumed = true});
  declare_time(table);
  run::declare_grid(table);
  run::declare_sides(table);
  run::declare_gravity(table);
  declare_drive(table);
  declare_walls(table);
  declare_materials(table);
  declare_solid(table);
  declare_sizes(table);
  declare_parcels(table);
  declare_start(table);
  declare_inlets(table);
  declare_heat_keys(table);
}

} // namespace corral::mppic
