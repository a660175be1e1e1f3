#pragma once

#include "stokes/near/sphere_table.hpp"
#include "stokes/sums/kind.hpp"
#include "stokes/sums/radial.hpp"

#include <corral/array.hpp>
#include <corral/cell_order.hpp>
#include <corral/pairs.hpp>
#include <corral/views.hpp>

#include <array>
#include <cstdint>

namespace corral::stokes {

/// Sources that a group of targets may see, side by side: from the group's lower corner, images where they stand.
struct Candidates {
  static constexpr std::int64_t at_once = 16; ///< rows are filled up to a multiple of it by what is too far off
  std::array<Array<double>, 3 + most_strengths> rows;
  std::int64_t count = 0;
};
/// Sets what rows need to be whole, from `count` on.
void pad(Candidates&, int strengths, double reach);

/// Of each set of four lanes, those that are in it.
inline constexpr std::uint64_t four_lanes[16][4]{
    {0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {2, 0, 0, 0}, {0, 2, 0, 0}, {1, 2, 0, 0}, {0, 1, 2, 0},
    {3, 0, 0, 0}, {0, 3, 0, 0}, {1, 3, 0, 0}, {0, 1, 3, 0}, {2, 3, 0, 0}, {0, 2, 3, 0}, {1, 2, 3, 0}, {0, 1, 2, 3}};

/// A group of targets, as code of one instruction set sees it.
struct NearTask {
  std::array<const double*, 3> source_x, target_x; ///< by place [m]
  std::array<const double*, most_strengths> strength;
  int strengths;
  const OrderView<double>* targets;
  std::int64_t begin, end;                       ///< places of the group's targets
  std::array<double, 3> corner, edge;            ///< of the group's box [m]
  double reach;                                  ///< the cut-off [m]
  double least_square;                           ///< pairs that are no farther apart are in one place [m2]
  double xi, two_xi2, unit;                      ///< xi [1/m], 2 xi^2 [1/m2], 2 xi/sqrt(pi) [1/m]
  std::array<double, radial_functions> in_place; ///< radial functions at r = 0
  double centre, stretch, pull;                  ///< and these of Screening
  const double* coefficients;
  int degree;
  const double* sphere_bins; ///< those of SphereTable, of points none
  std::int64_t first_bin;
  SphereTable::Degree sphere_degree;
  double sphere_scale; ///< 1/(4 a^2) [1/m2]
  const Column<double>* results;
};

} // namespace corral::stokes
