#include "structure/fluids/flow_case.hpp"

#include "fluid/spectral/symbols.hpp"
#include "run/case/inlets.hpp"
#include "run/case/keys.hpp"
#include "run/case/reader.hpp"
#include "run/case/values.hpp"
#include "structure/fluids/lattice_case.hpp"
#include "structure/fluids/starting_flow.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace corral::structure {

namespace {

using run::brief;
using run::choice;
using run::vector;
using run::where;
using run::within;

void declare_box(run::KeyTable& t, Box box) {
  run::declare_grid(t);
  for (std::size_t s = 0; s < 6; ++s) {
    const bool across = s == 2 || s == 3;
    std::vector<std::string> kinds = across ? std::vector<std::string>{"no_slip", "periodic"} : std::vector<std::string>{"periodic"};
    std::string meaning = across ? "along y the box ends at two walls, or is periodic" : "along x and z the box is periodic";
    if (box == Box::any) {
      kinds = {"no_slip", "periodic", "free_slip", "outlet"};
      meaning = across ? "the spectral fluid takes two walls or periodic sides along y, the lattice any"
                       : "the spectral fluid is periodic along x and z, the lattice takes any";
    }
    t.add(choice("sides", std::string(fluid::side_names[s]), kinds, across ? "no_slip" : "periodic", meaning));
  }
}

void declare_fluid(run::KeyTable& t) {
  t.add(within(run::positive("fluid", "density", "kg/m3", "1000", "density, inside membranes and outside"), 1e-9, 1e5));
  t.add(within(run::positive("fluid", "viscosity", "Pa s", "1e-3", "dynamic viscosity, outside membranes, and inside where surface.*.viscosity_ratio is "
                                            "not given"), 1e-18,
               1e6));
  t.add(choice("fluid", "method", {"spectral", "lattice"}, "spectral",
               "spectral: incompressible, in steps of second order; lattice: weakly compressible, by the lattice Boltzmann method, "
               "in fixed steps of time.dt (docs/lattice.md)"));
  const auto of_spectral = [](run::Key key) { return where("method", {"spectral"}, std::move(key)); };
  t.add(of_spectral(choice("fluid", "motion", {"navier_stokes", "stokes"}, "navier_stokes",
                           "navier_stokes: with inertia; stokes: without, forces and viscosity balance at any moment")));
  t.add(of_spectral(where("motion", {"navier_stokes"},
              choice("fluid", "projection", {"exact", "PmII", "PmIII"}, "exact",
                     "how pressure is found between walls: exact, with the velocity; PmII, PmIII: after it, of second order "
                     "(Brown, Cortez and Minion 2001). In periodic boxes all three are one"))));
}

void declare_drive(run::KeyTable& t, Box box) {
  t.add({.section = "drive", .name = "shear_rate", .unit = "1/s", .fallback = "0", .minimum = -1e9, .maximum = 1e9,
         .meaning = "of a shear flow whose velocity grows along y: between walls these slide; in a periodic box forces "
                    "on the rows beside the jump at its ends hold it"});
  t.add(choice("drive", "shear_along", {"x", "z"}, "z", "direction of the shear flow"));
  t.add(within(vector("drive", "body_force", "N/m3", "0, 0, 0",
                      "force on the fluid everywhere: of a pressure that falls by so much a metre"), -1e12, 1e12));
  for (const std::size_t s : {2, 3, 0, 1, 4, 5}) {
    if (s != 2 && s != 3 && box == Box::parallel) continue;
    const std::string wall(fluid::side_names[s]);
    t.add(where("sides." + wall, {"no_slip"},
                within(vector("drive", wall + "_velocity", "m/s", "0, 0, 0",
                              s == 2 || s == 3 ? "of that wall along itself, beside what shear_rate gives it"
                                               : "of that wall along itself"), -run::fastest, run::fastest)));
  }
  t.add(choice("drive", "start", {"developed", "rest"}, "developed",
               "the fluid at the start: as shear, walls and body force alone would have it move for good, or at rest"));
  t.add(within(vector("drive", "velocity", "m/s", "0, 0, 0", "of the fluid at the start, beside that"), -run::fastest,
               run::fastest));
  t.add(where("sides.x_low", {"periodic"}, where("sides.y_low", {"periodic"}, where("fluid.motion", {"navier_stokes"},
      {.section = "drive", .name = "vortices", .unit = "m/s", .fallback = "0", .minimum = -run::fastest, .maximum = run::fastest,
       .meaning = "speed along x of vortices that the fluid starts with, beside that: Taylor and Green's, one wave along x and y each"}))));
  t.add(where("sides.y_low", {"periodic"},
              choice("drive", "mean_flow", {"free", "kept"}, "free",
                     "kept: what force there is on a periodic box as a whole is taken out, and its mean velocity stays; "
                     "free: it moves the box. Stokes flow in a periodic box always keeps it")));
}

/// Reads [fluid] and [drive]; every complaint carries the place of the value that it is about.
class FlowReader : public run::Reader {
public:
  FlowReader(const run::Settings& settings, run::Problems& problems, FlowSetup& flow)
      : Reader(settings, problems), flow_(flow) {}

  void fluid() {
    FluidModel& fluid = flow_.fluid;
    fluid.method = s_.choice("fluid", "method") == "lattice" ? FluidMethod::lattice : FluidMethod::spectral;
    fluid.rho = s_.real("fluid", "density");
    fluid.mu = s_.real("fluid", "viscosity");
    fluid.inertia = s_.choice("fluid", "motion") == "navier_stokes";
    fluid.projection = s_.choice("fluid", "projection");
    fluid.lattice = read_lattice(s_);
  }

  /// False where the fluid has no place for them.
  bool sides() {
    if (flow_.lattice()) return true;
    for (std::size_t s = 0; s < 6; ++s) {
      const bool across = s == 2 || s == 3;
      const fluid::SideKind kind = flow_.sides[s];
      if (kind == fluid::SideKind::periodic || (across && kind == fluid::SideKind::no_slip)) continue;
      const std::string side(fluid::side_names[s]);
      return refuse("sides", side, "sides." + side + " is " + std::string(name(kind)) +
                                       " (the spectral fluid is periodic along x and z, and along y periodic or between no-slip "
                                       "walls) choose one of these, or fluid.method = lattice");
    }
    const std::vector<std::string> inlets = s_.blocks("inlet");
    return inlets.empty() || refuse(inlets.front(), "side", "[" + inlets.front() + "] lets fluid in (the spectral fluid's walls "
                                                            "are closed) choose fluid.method = lattice");
  }

  void drive() {
    DriveModel& drive = flow_.drive;
    drive.shear_rate = s_.real("drive", "shear_rate");
    drive.along = s_.choice("drive", "shear_along") == "x" ? 0 : 2;
    drive.body_force = s_.reals3("drive", "body_force");
    drive.developed = s_.choice("drive", "start") == "developed";
    drive.velocity = s_.reals3("drive", "velocity");
    drive.vortices = s_.real("drive", "vortices");
    drive.keeps_mean = s_.choice("drive", "mean_flow") == "kept";
    walls();
    for (const std::string& block : s_.blocks("inlet")) {
      run::InletReader reader(s_, problems_, flow_);
      auto inlet = reader.inlet(block);
      complained_ = complained_ || reader.complained();
      if (inlet && in_wall(block, inlet->side)) flow_.inlets.push_back(std::move(*inlet));
    }
    if (flow_.walls() && flow_.inlets.empty() && drive.velocity[1] != 0)
      complain("drive", "velocity", "the fluid starts with a velocity through the walls of y (" +
                                        brief(drive.velocity[1]) + " m/s) set its y component to 0");
    if (flow_.lattice()) of_lattice();
  }

private:
  bool in_wall(const std::string& block, int side) {
    const fluid::SideKind kind = flow_.sides[side];
    if (kind == fluid::SideKind::no_slip || kind == fluid::SideKind::free_slip) return true;
    return refuse(block, "side", "[" + block + "] lies on " + std::string(fluid::side_names[side]) + ", which is " +
                                     std::string(name(kind)) + " (a lattice fluid enters through walls that are no_slip or free_slip) make "
                                     "that side one");
  }

  void walls() {
    for (std::size_t s = 0; s < 6; ++s) {
      if (flow_.sides[s] != fluid::SideKind::no_slip) continue;
      const std::string key = std::string(fluid::side_names[s]) + "_velocity";
      std::array<double, 3>& wall = flow_.drive.wall_velocity[s];
      wall = s_.reals3("drive", key);
      const char normal = "xyz"[s / 2];
      if (wall[s / 2] != 0)
        complain("drive", key, key + " has a part along " + normal + " (a wall slides along itself) set it to 0");
    }
    if (!flow_.walls()) return;
    const double half = 0.5 * flow_.drive.shear_rate * flow_.size[1];
    const auto along = static_cast<std::size_t>(flow_.drive.along);
    flow_.drive.wall_velocity[2][along] -= half;
    flow_.drive.wall_velocity[3][along] += half;
  }

  void of_lattice() {
    const DriveModel& drive = flow_.drive;
    if (drive.shear_rate != 0 && !flow_.walls() && !flow_.periodic(1))
      complain("drive", "shear_rate", "drive.shear_rate between sides of y that are " + std::string(name(flow_.sides[2])) + " and " +
                                          std::string(name(flow_.sides[3])) +
                                          " (walls that slide hold a shear, or a box that is periodic) make both no_slip or periodic");
    const bool leaves = std::any_of(flow_.sides.begin(), flow_.sides.end(), [](auto kind) { return kind == fluid::SideKind::outlet; });
    if (!flow_.inlets.empty() && !leaves)
      complain("inlet." + flow_.inlets.front().name, "side", "fluid enters but cannot leave (no side is an outlet) make one, for instance "
                                                             "`x_high = outlet` in [sides]");
    if (drive.keeps_mean && !(flow_.periodic(0) && flow_.periodic(1) && flow_.periodic(2)))
      complain("drive", "mean_flow", "drive.mean_flow = kept in a box that is not periodic all around (its sides take what force "
                                     "there is) choose free");
  }

  FlowSetup& flow_;
};

} // namespace

void declare_flow(run::KeyTable& table, Box box) {
  declare_box(table, box);
  declare_fluid(table);
  declare_lattice(table);
  declare_drive(table, box);
  if (box == Box::any) run::declare_inlets(table, "fluid");
}

run::BoxState read_flow(const run::Settings& settings, run::Problems& problems, FlowSetup& flow) {
  const run::BoxState box = run::read_flow_box(settings, problems, flow);
  FlowReader reader(settings, problems, flow);
  reader.fluid();
  if (box == run::BoxState::none) return box;
  if (reader.sides()) reader.drive();
  return reader.complained() ? run::BoxState::flawed : box;
}

bool check_transforms(const FlowSetup& flow, const run::Settings& settings, run::Problems& problems) {
  for (std::size_t d = 0; d < 3; ++d) {
    if (d == 1 && flow.walls()) continue;
    try {
      fluid::spectral::require_length(flow.cells[d]);
    } catch (const Error& e) {
      problems.add(settings.where("grid", "cells"), std::string(e.what()) + " along " + "xyz"[d]);
      return false;
    }
  }
  return true;
}

bool check_flow(const FlowSetup& flow, const run::StepLengths& time, const run::Settings& settings, run::Problems& problems) {
  return flow.lattice() ? check_lattice(flow, time, settings, problems) : check_transforms(flow, settings, problems);
}

std::vector<std::string> describe_flow(const FlowSetup& flow, double dt) {
  return flow.lattice() ? describe_lattice(flow, dt) : std::vector<std::string>{};
}

std::vector<std::string> flow_warnings(const FlowSetup& flow, double dt) {
  return flow.lattice() ? lattice_warnings(flow, dt) : std::vector<std::string>{};
}

double starting_rate(const FlowSetup& flow) {
  const DriveModel& drive = flow.drive;
  const StartingFlow start(flow);
  double rate = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    double most = 0;
    if (flow.lattice()) {
      most = start.fastest(d);
    } else if (drive.developed && flow.walls()) {
      // Between walls of velocities a and b: a parabola above their line.
      const double peak = drive.body_force[d] * flow.size[1] * flow.size[1] / (8 * flow.fluid.mu);
      const std::array<double, 3>&low = drive.wall_velocity[2], &high = drive.wall_velocity[3];
      for (const auto& wall : {low, high}) most = std::max(most, std::abs(wall[d] + drive.velocity[d]));
      if (d != 1) most = std::max(most, std::abs(0.5 * (low[d] + high[d]) + peak + drive.velocity[d]));
    } else {
      const bool sheared = drive.developed && static_cast<int>(d) == drive.along;
      most = std::abs(drive.velocity[d]) + start.fastest_vortex(d) + (sheared ? 0.5 * std::abs(drive.shear_rate) * flow.size[1] : 0);
    }
    if (flow.cells[d] > 1) rate += most * static_cast<double>(flow.cells[d]) / flow.size[d];
  }
  return rate;
}

} // namespace corral::structure
