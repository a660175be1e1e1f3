#pragma once

#include <corral/export.h>
#include <corral/grid.hpp>
#include <corral/groups.hpp>
#include <corral/host_device.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

/// Which cells lie within a cut-off of each other, for either processor: what <corral/pairs.hpp> and <corral/pairs.cuh> share.
namespace corral::detail {

/// x^2 + y^2 + z^2, never fused, whatever nvcc is told: both processors decide alike who is within a cut-off.
CORRAL_HOST_DEVICE inline double sum_of_squares(double x, double y, double z) {
#ifdef __CUDA_ARCH__
  return __dadd_rn(__dadd_rn(__dmul_rn(x, x), __dmul_rn(y, y)), __dmul_rn(z, z));
#else
  return x * x + y * y + z * z;
#endif
}

/// Cells of a grid and a cut-off, as a value.
struct NearCells {
  static constexpr std::int64_t in_table = 8; ///< rows that are so few cells aside have their reach in the table
  static constexpr std::int64_t none = -1;

  Group cells;                  ///< along each axis
  Group most;                   ///< cells beyond which no pair can be, along each axis
  std::array<bool, 3> periodic;
  std::array<double, 3> spacing, length; ///< [m]
  double square;                ///< the cut-off's [m2]
  std::array<std::array<std::int32_t, in_table>, in_table> table; ///< [z][y]: find_reach; -2: ask that

  /// The least distance between points of cells that are so many apart, rounded as distances of pairs are [m].
  CORRAL_HOST_DEVICE double gap(std::size_t d, std::int64_t apart) const {
    const std::int64_t between = (apart < 0 ? -apart : apart) - 1;
    return between > 0 ? static_cast<double>(between) * spacing[d] : 0.0;
  }
  /// How many cells the cut-off reaches along x in the row that is y and z cells aside; `none` where it does not reach it.
  CORRAL_HOST_DEVICE std::int64_t reach(std::int64_t y, std::int64_t z) const {
    const std::int64_t j = y < 0 ? -y : y, k = z < 0 ? -z : z;
    if (j < in_table && k < in_table) {
      const std::int32_t known = table[static_cast<std::size_t>(k)][static_cast<std::size_t>(j)];
      if (known >= none) return known;
    }
    return find_reach(j, k);
  }
  CORRAL_HOST_DEVICE std::int64_t find_reach(std::int64_t y, std::int64_t z) const {
    const double gap_y = gap(1, y), gap_z = gap(2, z);
    // Added in the order of the pairs' squares: what is rounded then leaves out none of them.
    if (sum_of_squares(gap(0, 0), gap_y, gap_z) >= square) return none;
    const double left = square - gap_y * gap_y - gap_z * gap_z;
    const double cells_left = std::ceil(std::sqrt(left > 0 ? left : 0.0) / spacing[0]) + 1;
    std::int64_t x = cells_left < static_cast<double>(most[0]) ? static_cast<std::int64_t>(cells_left) : most[0];
    while (sum_of_squares(gap(0, x), gap_y, gap_z) >= square) --x;
    return x;
  }
  /// Takes a place into the box; false where none is there.
  CORRAL_HOST_DEVICE bool wrap(std::size_t d, std::int64_t& at, std::int64_t& image) const {
    const std::int64_t n = cells[d];
    if (!periodic[d]) return at >= 0 && at < n;
    while (at < 0) at += n, --image;
    while (at >= n) at -= n, ++image;
    return true;
  }
  /// Leaves of the cells [x, last] of a row those that are there.
  CORRAL_HOST_DEVICE void cut(std::int64_t& x, std::int64_t& last) const {
    if (periodic[0]) return;
    if (x < 0) x = 0;
    if (last >= cells[0]) last = cells[0] - 1;
  }
};

/// Throws Error as the calls of <corral/pairs.hpp> do; `targets` and `sources` are the orders' groups.
CORRAL_PUBLIC NearCells near_cells(const Grid& grid, const Group& targets, const Group& sources, double cut_off);

} // namespace corral::detail
