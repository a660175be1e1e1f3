#pragma once

#include "fluid/spectral/symbols.hpp"

#include <corral/array.hpp>

#include <cstdint>

namespace corral::fluid {

/// Eight lines' worth of the Fourier modes of a velocity: components along x, along rows and along planes, `planes`
/// places each (fluid/spectral/box_layout.hpp). What comes in is the right-hand side R, what comes out the
/// solution.
struct VelocityColumn {
  double *x, *rows, *planes;
};

/// (mass - diffusion Lap) u + grad P = R with div u = 0, for every column of a box; what comes out is multiplied by
/// `scale`.
struct ColumnEquation {
  std::int64_t planes = 1;
  double spacing = 1;   ///< along the planes' axis [m]
  double mass = 1;      ///< [-]
  double diffusion = 0; ///< [m2]
  double scale = 1;     ///< what undoes the transforms' factor
};

/// Planes that wrap, in Fourier space themselves: everything is a factor. `first` says that this is column 0, whose
/// first mode is the box's mean: R over mass, or 0 where means are taken out. `potential`: P, or null.
void solve_periodic_column(const ColumnEquation&, const spectral::ColumnSymbols&,
                           const spectral::DifferenceSymbols& planes, bool first, bool keep_mean, const VelocityColumn&,
                           double* potential);

/// Planes between two no-slip walls, as they are. Places of centres are 0 to planes - 1; component `planes` has faces 1
/// to planes - 1 at the places of these numbers, and what stands at place 0 is not looked at.
///
/// Of each mode P goes by the divergence of the momentum along x and rows, these components by the continuity equation,
/// and what remains is five-diagonal for the component across; a component along neither walls nor the wave is
/// tridiagonal. With k^2 = |G_x|^2 + |G_rows|^2, A = mass + diffusion (k^2 - d2) and v across,
///   k^2 A_v v - G A_t D v = k^2 R_v + G (D_x R_x + D_rows R_rows).
/// `work`: scratch, walled_scratch(planes) doubles, aligned.
void solve_walled_column(const ColumnEquation&, const spectral::ColumnSymbols&, bool first, const VelocityColumn&,
                         double* potential, double* work);

/// The same by a projection (PmII, PmIII): (mass - diffusion Lap) w = R with the tangential value grad phi_wall on the
/// walls, Lap phi = div w, u = w - grad phi.
struct WalledSplit {
  /// phi of the last projection on the walls, low and high, a place each, times the transforms' factor; on return that
  /// of this one.
  double *low, *high;
  double last_factor = 0; ///< what the last phi is multiplied by
  double *phi, *pressure; ///< columns that are set, or null: phi times phi_factor; and
  double phi_factor = 0;  ///< `pressure` = phi times phi_factor + div w times divergence_factor
  double divergence_factor = 0;
};
void split_walled_column(const ColumnEquation&, const spectral::ColumnSymbols&, bool first, const VelocityColumn&,
                         const WalledSplit&, double* work);

/// Doubles.
constexpr std::int64_t walled_scratch(std::int64_t planes) {
  return 6 * spectral::SpectrumShape::place_size * (planes + 2);
}

} // namespace corral::fluid
