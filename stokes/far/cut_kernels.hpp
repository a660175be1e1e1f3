#pragma once

#include "stokes/far/box.hpp"
#include "stokes/sums/kind.hpp"

#include <array>

namespace corral::stokes {

/// Transforms of 1/r and -r, summed along periodic axes and cut off at the reach along free ones.
struct CutTransforms {
  double laplace, flow; ///< times the period, and so 4 pi/k^2 and 8 pi/k^4 where no axis is free
};

/// Of a mode with wave numbers kappa along periodic axes and q along free ones [1/m], not both 0. With rho the distance
/// along free axes the kernels of kappa are, cut off at rho = R,
///   one free axis     (2 pi/kappa) exp(-kappa rho),  of 0  2 pi (R - rho);
///   two free axes     2 K0(kappa rho),  of 0  -2 log(rho/R),  and of flows  rho^2 log(rho/R) - (rho^2 - R^2)/2;
///   three             1/rho - 1/R,  and of flows  (R - rho)^2/(2 R);
/// where nothing is said of flows it is -1/kappa times the derivative by kappa, of 0 the potential's over q^2/2. Those
/// of 0 end without a step (Vico, Greengard and Ferrando 2016; Bagge and Tornberg 2023).
CutTransforms cut_transforms(int free_axes, double kappa, double q, double R);

/// What the mean of each component of the sources is multiplied by: what cut-off kernels of kappa = 0 lack or have too
/// much, which is a constant. Kernels are meant that are -2 pi rho, -2 log(rho/L), L the period, and 1/rho; no flow
/// passes through a plane that is periodic both ways.
std::array<double, 3> mean_factors(Sum sum, const SpectralBox& box, double xi);

} // namespace corral::stokes
