#include "structure/fluids/flow_case.hpp"

#include "fluid/spectral/symbols.hpp"
#include "run/case/keys.hpp"
#include "run/case/reader.hpp"
#include "run/case/values.hpp"

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

void declare_box(run::KeyTable& t) {
  run::declare_grid(t);
  for (std::size_t s = 0; s < 6; ++s) {
    const bool across = s == 2 || s == 3;
    t.add(choice("sides", std::string(fluid::side_names[s]),
                 across ? std::vector<std::string>{"no_slip", "periodic"} : std::vector<std::string>{"periodic"},
                 across ? "no_slip" : "periodic",
                 across ? "along y the box ends at two walls, or is periodic" : "along x and z the box is periodic"));
  }
}

void declare_fluid(run::KeyTable& t) {
  t.add(within(run::positive("fluid", "density", "kg/m3", "1000", "density, inside membranes and outside"), 1e-9, 1e5));
  t.add(within(run::positive("fluid", "viscosity", "Pa s", "1e-3", "dynamic viscosity, outside membranes, and inside where surface.*.viscosity_ratio is "
                                            "not given"), 1e-18,
               1e6));
  t.add(choice("fluid", "motion", {"navier_stokes", "stokes"}, "navier_stokes",
               "navier_stokes: with inertia; stokes: without, forces and viscosity balance at any moment"));
  t.add(where("motion", {"navier_stokes"},
              choice("fluid", "projection", {"exact", "PmII", "PmIII"}, "exact",
                     "how pressure is found between walls: exact, with the velocity; PmII, PmIII: after it, of second order "
                     "(Brown, Cortez and Minion 2001). In periodic boxes all three are one")));
}

void declare_drive(run::KeyTable& t) {
  t.add({.section = "drive", .name = "shear_rate", .unit = "1/s", .fallback = "0", .minimum = -1e9, .maximum = 1e9,
         .meaning = "of a shear flow whose velocity grows along y: between walls these slide; in a periodic box forces "
                    "on the rows beside the jump at its ends hold it"});
  t.add(choice("drive", "shear_along", {"x", "z"}, "z", "direction of the shear flow"));
  t.add(within(vector("drive", "body_force", "N/m3", "0, 0, 0",
                      "force on the fluid everywhere: of a pressure that falls by so much a metre"), -1e12, 1e12));
  for (const std::string wall : {"y_low", "y_high"})
    t.add(where("sides." + wall, {"no_slip"},
                within(vector("drive", wall + "_velocity", "m/s", "0, 0, 0",
                              "of that wall along itself, beside what shear_rate gives it"), -run::fastest, run::fastest)));
  t.add(choice("drive", "start", {"developed", "rest"}, "developed",
               "the fluid at the start: as shear, walls and body force alone would have it move for good, or at rest"));
  t.add(within(vector("drive", "velocity", "m/s", "0, 0, 0", "of the fluid at the start, beside that"), -run::fastest,
               run::fastest));
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
    flow_.fluid.rho = s_.real("fluid", "density");
    flow_.fluid.mu = s_.real("fluid", "viscosity");
    flow_.fluid.inertia = s_.choice("fluid", "motion") == "navier_stokes";
    flow_.fluid.projection = s_.choice("fluid", "projection");
  }

  void drive() {
    DriveModel& drive = flow_.drive;
    drive.shear_rate = s_.real("drive", "shear_rate");
    drive.along = s_.choice("drive", "shear_along") == "x" ? 0 : 2;
    drive.body_force = s_.reals3("drive", "body_force");
    drive.developed = s_.choice("drive", "start") == "developed";
    drive.velocity = s_.reals3("drive", "velocity");
    drive.keeps_mean = s_.choice("drive", "mean_flow") == "kept";
    const double half = 0.5 * drive.shear_rate * flow_.size[1];
    for (const bool high : {false, true}) {
      const char* key = high ? "y_high_velocity" : "y_low_velocity";
      std::array<double, 3>& wall = drive.wall_velocity[high ? 1 : 0];
      wall = s_.reals3("drive", key);
      if (wall[1] != 0)
        complain("drive", key, std::string(key) + " has a part along y (a wall slides along itself) set it to 0");
      if (flow_.walls()) wall[drive.along] += high ? half : -half;
    }
    if (flow_.walls() && drive.velocity[1] != 0)
      complain("drive", "velocity", "the fluid starts with a velocity through the walls of y (" +
                                        brief(drive.velocity[1]) + " m/s) set its y component to 0");
  }

private:
  FlowSetup& flow_;
};

} // namespace

void declare_flow(run::KeyTable& table) {
  declare_box(table);
  declare_fluid(table);
  declare_drive(table);
}

run::BoxState read_flow(const run::Settings& settings, run::Problems& problems, FlowSetup& flow) {
  const run::BoxState box = run::read_flow_box(settings, problems, flow);
  FlowReader reader(settings, problems, flow);
  reader.fluid();
  if (box == run::BoxState::none) return box;
  reader.drive();
  return reader.complained() ? run::BoxState::flawed : box;
}

bool check_flow(const FlowSetup& flow, const run::Settings& settings, run::Problems& problems) {
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

double starting_rate(const FlowSetup& flow) {
  const DriveModel& drive = flow.drive;
  double rate = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    double most = 0;
    if (drive.developed && flow.walls()) {
      // Between walls of velocities a and b: a parabola above their line.
      const double peak = drive.body_force[d] * flow.size[1] * flow.size[1] / (8 * flow.fluid.mu);
      for (const auto& wall : drive.wall_velocity) most = std::max(most, std::abs(wall[d] + drive.velocity[d]));
      if (d != 1)
        most = std::max(most, std::abs(0.5 * (drive.wall_velocity[0][d] + drive.wall_velocity[1][d]) + peak + drive.velocity[d]));
    } else {
      const bool sheared = drive.developed && static_cast<int>(d) == drive.along;
      most = std::abs(drive.velocity[d]) + (sheared ? 0.5 * std::abs(drive.shear_rate) * flow.size[1] : 0);
    }
    if (flow.cells[d] > 1) rate += most * static_cast<double>(flow.cells[d]) / flow.size[d];
  }
  return rate;
}

} // namespace corral::structure
