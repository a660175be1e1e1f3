#include "membrane/case/case_reader.hpp"

#include "run/case/values.hpp"

#include <corral/kernels/shipped.hpp>

#include <string>

namespace corral::membrane {

using run::brief;

void SetupReader::box() {
  const run::BoxState state = run::read_flow_box(s_, problems_, setup_);
  has_box_ = state != run::BoxState::none;
  complained_ = complained_ || state != run::BoxState::good;
}

void SetupReader::fluid() {
  setup_.fluid.rho = s_.real("fluid", "density");
  setup_.fluid.mu = s_.real("fluid", "viscosity");
  setup_.fluid.inertia = s_.choice("fluid", "motion") == "navier_stokes";
  setup_.fluid.projection = s_.choice("fluid", "projection");
  if (!setup_.fluid.inertia && setup_.fluid.projection != "exact")
    complain("fluid", to_blame("fluid", {"projection", "motion"}), "projection = " + setup_.fluid.projection +
                                        " in Stokes flow (there is no step to split) choose exact");
}

void SetupReader::drive() {
  DriveModel& drive = setup_.drive;
  drive.shear_rate = s_.real("drive", "shear_rate");
  drive.along = s_.choice("drive", "shear_along") == "x" ? 0 : 2;
  drive.body_force = s_.reals3("drive", "body_force");
  drive.developed = s_.choice("drive", "start") == "developed";
  drive.velocity = s_.reals3("drive", "velocity");
  drive.keeps_mean = s_.choice("drive", "mean_flow") == "kept";
  const double half = 0.5 * drive.shear_rate * setup_.size[1];
  for (const bool high : {false, true}) {
    const char* key = high ? "y_high_velocity" : "y_low_velocity";
    std::array<double, 3>& wall = drive.wall_velocity[high ? 1 : 0];
    wall = s_.reals3("drive", key);
    if (wall[1] != 0)
      complain("drive", key, std::string(key) + " has a part along y (a wall slides along itself) set it to 0");
    else if (!setup_.walls() && (wall[0] != 0 || wall[2] != 0))
      complain("drive", key, std::string(key) + " without that wall (the box is periodic along y) make y_low and y_high "
                                                "no_slip in [sides]");
    if (setup_.walls()) wall[static_cast<std::size_t>(drive.along)] += high ? half : -half;
  }
  if (setup_.walls() && drive.velocity[1] != 0)
    complain("drive", "velocity", "the fluid starts with a velocity through the walls of y (" +
                                      brief(drive.velocity[1]) + " m/s) set its y component to 0");
  if (setup_.walls() && drive.keeps_mean)
    complain("drive", "mean_flow", "mean_flow = kept between walls (they hold the fluid) it is for periodic boxes");
}

void SetupReader::coupling() {
  CouplingModel& coupling = setup_.coupling;
  coupling.scheme = s_.choice("coupling", "scheme") == "midpoint" ? Coupling::midpoint : Coupling::predictor;
  coupling.kernel = s_.choice("coupling", "kernel");
  const std::string method = s_.choice("coupling", "method");
  for (const Method m : all_methods(Cpu{}))
    if (name(m) == method) coupling.method = m;
  coupling.repulsion_range = s_.real("repulsion", "range");
  coupling.repulsion_stiffness = s_.real("repulsion", "stiffness");
  if ((coupling.repulsion_range > 0) != (coupling.repulsion_stiffness > 0))
    complain("repulsion", to_blame("repulsion", {"range", "stiffness"}),
             "[repulsion] has " + std::string(coupling.repulsion_range > 0 ? "a range but no stiffness"
                                                                            : "a stiffness but no range") +
                 " (it needs both) give the other, or neither");
  for (std::size_t d = 0; d < 3 && has_box_; ++d)
    if (setup_.sides[2 * d] == fluid::SideKind::periodic && 3 * coupling.repulsion_range > setup_.size[d]) {
      complain("repulsion", "range", "repulsion.range " + brief(coupling.repulsion_range) + " m is more than a third of "
                                     "the box along " + "xyz"[d] + " (" + brief(setup_.size[d]) + " m)");
      return;
    }
}

void SetupReader::time() {
  setup_.time.adaptive = s_.choice("time", "step") == "adaptive";
  setup_.time.dt = s_.real("time", "dt");
  if (s_.given("time", "dt_least")) setup_.time.least = s_.real("time", "dt_least");
  if (setup_.time.least >= setup_.time.dt)
    complain("time", "dt_least", "time.dt_least is not below time.dt (steps are as long as time.dt at most) give a shorter one");
  setup_.time.courant = s_.real("time", "courant");
  setup_.time.end = s_.real("time", "end");
  setup_.random_seed = static_cast<std::uint64_t>(s_.integer("random", "seed"));
}

} // namespace corral::membrane
