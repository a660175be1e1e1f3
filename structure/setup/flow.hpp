#pragma once

#include "fluid/domain.hpp"
#include "run/case/flow_box.hpp"

#include <array>
#include <string>

namespace corral::structure {

/// How the fluid moves.
struct FluidModel {
  double rho = 1000; ///< density [kg/m3], inside surfaces and outside
  double mu = 1e-3;  ///< viscosity [Pa s], outside surfaces, and inside where these do not say otherwise
  bool inertia = true; ///< false: Stokes flow
  std::string projection = "exact"; ///< with walls, where inertia counts: exact, PmII or PmIII
};

/// What drives it.
struct DriveModel {
  double shear_rate = 0; ///< of u_along = rate (y - middle) [1/s]
  int along = 2;         ///< axis of the shear flow: 0 or 2
  std::array<double, 3> body_force{}; ///< [N/m3]
  std::array<std::array<double, 3>, 2> wall_velocity{}; ///< of y_low and y_high, the shear's share included [m/s]
  bool developed = true; ///< starts as the drive alone would have it move for good; otherwise at rest
  std::array<double, 3> velocity{}; ///< at the start, beside that [m/s]
  bool keeps_mean = false; ///< the mean force on the box is taken out: its mean velocity stays what it is
};

/// A box of fluid: periodic, or along y between two walls.
struct FlowSetup : run::FlowBox {
  FluidModel fluid;
  DriveModel drive;

  bool walls() const { return sides[2] == fluid::SideKind::no_slip; }
  fluid::Domain make_domain() const {
    fluid::Domain domain(make_grid(), sides, {});
    if (walls())
      for (const bool high : {false, true})
        domain.set_wall_velocity(fluid::side(1, high), drive.wall_velocity[high ? 1 : 0]);
    return domain;
  }
};

} // namespace corral::structure
