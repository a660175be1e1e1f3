#pragma once

#include "stokes/near/sphere_table.hpp"
#include "stokes/sums/kind.hpp"
#include "stokes/sums/radial.hpp"

#include <corral/cell_order.hpp>
#include <corral/execution.hpp>
#include <corral/grid.hpp>
#include <corral/pairs.hpp>
#include <corral/views.hpp>

#include <array>
#include <cstdint>

/// What a near field on a device hands to the files that compile its laws.
namespace corral::stokes::device {

inline constexpr int most_terms = 48;                     ///< of the polynomials
inline constexpr std::array<int, 3> known_terms{9, 12, 16}; ///< as many are made of fewer: for 7, 10 and 13 decimals
inline constexpr int most_columns = strength_columns(Sum::stokeslet) + strength_columns(Sum::stresslet);

/// Numbers of Screening and NearTask that a pair is found from: they go to the device with a launch, as constants.
struct ScreenedNumbers {
  double xi, two_xi2, unit;                      ///< [1/m], 2 xi^2 [1/m2], 2 xi/sqrt(pi) [1/m]
  double centre, stretch, pull;                  ///< those of Screening
  double exponent;                               ///< of 2 by square: -log2(e) xi^2 [1/m2]
  double least_square;                           ///< pairs that are no farther apart are in one place [m2]
  std::array<double, radial_functions> in_place; ///< radial functions there
  int terms;                                     ///< of each polynomial
  std::array<double, 2 * most_terms> coefficients; ///< [power][erfc(x) exp(x^2), 2^f], the highest power first
};

/// SphereTable in device memory.
struct SphereNumbers {
  const double* bins = nullptr;
  std::int64_t first_bin = 0;
  double scale = 0; ///< 1/(4 a^2) [1/m2]
};

/// One call: particles in places of their orders, in device memory.
struct Call {
  const Grid* grid;
  OrderView<double> targets, sources;
  std::array<const double*, 3> target_x, source_x; ///< from the grid's corner, within the box [m]
  std::array<const double*, most_columns> strength;
  std::array<Column<double>, most_results> result; ///< by the caller's index
  double cut_off;
  PairMethod method;
};

// Each in a file of its own, so that they are compiled side by side. `all`: pressure and gradient, too.
void add_stokeslets(Gpu, const Call&, const ScreenedNumbers&, bool all);
void add_stresslets(Gpu, const Call&, const ScreenedNumbers&, bool all);
void add_rotlets(Gpu, const Call&, const ScreenedNumbers&, bool all);
void add_charges(Gpu, const Call&, const ScreenedNumbers&, bool all);
/// Velocities of stokeslets f and stresslets q, n: nine columns of strengths.
void add_stokeslets_and_stresslets(Gpu, const Call&, const ScreenedNumbers&);
void add_spheres(Gpu, const Call&, const SphereNumbers&, SphereTable::Degree);

} // namespace corral::stokes::device
