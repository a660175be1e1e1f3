#pragma once

#include "structure/radial/sphere/spiral.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>

namespace corral::structure::radial {

/// Weights of the spiral's sites that integrate over the unit sphere: of the function sum_j c_j r_j + c that takes given
/// values at the sites they give the integral, r_j the distance through space to site j, the c_j of sum 0. Their sum is
/// 4 pi. All are positive for spirals, within some percent of 4 pi/n, but for the shortest ones. Takes memory for
/// (n/2)^2 numbers while it runs, and time with n^3.
Array<double> distance_weights(Cpu, const Spiral&);

/// The degree that `make_exact` can ask of a spiral of n sites: sqrt(n)/2, a quarter as many conditions as sites.
int exact_degree(std::int64_t sites);

/// Changes weights, of sites and their partners alike, by as little as makes them integrate all spherical harmonics up to
/// a degree to round-off: `distance_weights` change by .2 %, or by .5 % where sites are few. Smooth functions then lose
/// nothing to the quadrature.
void make_exact(Cpu, const Spiral&, int degree, Array<double>& weights);

} // namespace corral::structure::radial
