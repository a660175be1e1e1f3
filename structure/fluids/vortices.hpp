#pragma once

#include "fluid/domain.hpp"

#include <corral/execution.hpp>
#include <corral/grid.hpp>

#include <array>

namespace corral::structure {

// Taylor and Green's vortices in a box that is periodic along x and y, from its corner, with k and l the wave numbers of its
// lengths along x and y, and U their speed along x. Viscosity nu makes them decay by exp(-nu (k^2 + l^2) t), and nothing else:
//   u = U cos kx sin ly,   v = -U k/l sin kx cos ly,   p = -rho U^2/4 (cos 2kx + (k/l)^2 cos 2ly)

/// Adds them to a velocity [m/s] in the domain, or a rank's part of it, whose components lie so.
void add_vortices(Cpu, const fluid::Domain&, double speed, const std::array<Staggering, 3>&, const std::array<double*, 3>& velocity);
/// Sets the pressure that holds them [Pa], in the middles of cells.
void set_pressure_of_vortices(Cpu, const fluid::Domain&, double speed, double density, double* pressure);

} // namespace corral::structure
