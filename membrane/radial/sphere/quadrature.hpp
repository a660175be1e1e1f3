#pragma once

#include "membrane/radial/sphere/spiral.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>

namespace corral::membrane::radial {

/// Weights of the spiral's sites that integrate over the unit sphere: of the function sum_j c_j r_j + c that takes given
/// values at the sites they give the integral, r_j the distance through space to site j, the c_j of sum 0. Their sum is
/// 4 pi. All are positive for spirals, within some percent of 4 pi/n, but for the shortest ones. Takes memory for
/// (n/2)^2 numbers while it runs, and time with n^3.
Array<double> quadrature_weights(Cpu, const Spiral&);

} // namespace corral::membrane::radial
