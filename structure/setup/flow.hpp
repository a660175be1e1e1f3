#pragma once

#include "fluid/domain.hpp"
#include "fluid/lattice/placed_flow.hpp"
#include "run/case/flow_box.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace corral::structure {

/// Which solver it is.
enum class FluidMethod : std::uint8_t {
  spectral, ///< incompressible, mode by mode (docs/membranes.md)
  lattice   ///< weakly compressible, lattice Boltzmann (docs/lattice.md)
};

/// What a lattice fluid chooses beside what fluids have; fluid::LatticeProperties says more.
struct LatticeModel {
  fluid::lattice::Collision collision = fluid::lattice::Collision::trt;
  double magic = 3. / 16; ///< of trt [-]
  double smagorinsky = 0; ///< constant C; 0: no eddies [-]
  std::optional<fluid::lattice::VelocitySet> set; ///< none: D2Q9 where z is thin, else D3Q19
  fluid::lattice::Precision precision = fluid::lattice::Precision::doubles;
  fluid::lattice::Scheme scheme = fluid::lattice::Scheme::in_place;
  fluid::lattice::Processor processor = fluid::lattice::Processor::host; ///< that populations lie on

  bool on_device() const { return processor == fluid::lattice::Processor::device; }
};

/// How the fluid moves.
struct FluidModel {
  FluidMethod method = FluidMethod::spectral;
  double rho = 1000; ///< density [kg/m3], inside surfaces and outside
  double mu = 1e-3;  ///< viscosity [Pa s], outside surfaces, and inside where these do not say otherwise
  bool inertia = true; ///< false: Stokes flow
  std::string projection = "exact"; ///< with walls, where inertia counts: exact, PmII or PmIII
  LatticeModel lattice{};
};

/// What drives it.
struct DriveModel {
  double shear_rate = 0; ///< of u_along = rate (y - middle) [1/s]
  int along = 2;         ///< axis of the shear flow: 0 or 2
  std::array<double, 3> body_force{}; ///< [N/m3]
  std::array<std::array<double, 3>, 6> wall_velocity{}; ///< by side, of no-slip walls, the shear's share included [m/s]
  bool developed = true; ///< starts as the drive alone would have it move for good; otherwise at rest
  std::array<double, 3> velocity{}; ///< at the start, beside that [m/s]
  double vortices = 0; ///< likewise: speed along x of Taylor and Green's, one wave along x and y each [m/s]
  bool keeps_mean = false; ///< the mean force on the box is taken out: its mean velocity stays what it is
};

/// A box of fluid.
struct FlowSetup : run::FlowBox {
  FluidModel fluid;
  DriveModel drive;
  std::vector<fluid::Inlet> inlets; ///< of a lattice fluid

  bool lattice() const { return fluid.method == FluidMethod::lattice; }
  /// Whether it ends at no-slip walls along y.
  bool walls() const { return wall(2) && wall(3); }
  bool periodic(std::size_t d) const { return sides[2 * d] == fluid::SideKind::periodic; }
  /// That of a rank where ranks share the grid.
  fluid::Domain make_domain(const distributed::SharedGrid* shared = nullptr) const {
    fluid::Domain domain = shared ? fluid::Domain(*shared, sides, inlets) : fluid::Domain(make_grid(), sides, inlets);
    for (std::size_t s = 0; s < 6; ++s)
      if (wall(s)) domain.set_wall_velocity(static_cast<int>(s), drive.wall_velocity[s]);
    return domain;
  }

private:
  bool wall(std::size_t side) const { return sides[side] == fluid::SideKind::no_slip; }
};

} // namespace corral::structure
