#pragma once

#include "engine/gpu/tuning.cuh"

/// How a block of the method bricks works: windows of 4 KX by 4 KY points across a column of cells, F fields at a time.
namespace corral::gpu::gather {

inline constexpr int together = 16;    ///< particles of a product: a group
inline constexpr int weight_pitch = 20; ///< from a point's weights to the next one's: so that lanes of a product lie in different banks

template <int KX_, int KY_, int F_> struct Shape {
  static constexpr int KX = KX_, KY = KY_, F = F_;
  static constexpr int side_by_side = F == 1 ? 1 : 2; ///< fields in the 8 columns of a product; the other factor is points along y
  static constexpr int sets = F / side_by_side;       ///< of products, each for its fields
  static constexpr int tiles = KY * side_by_side / 2; ///< products side by side along y
  static constexpr int window_rows = 4 * KY;
  static constexpr int pitch = KX <= 4 ? 20 : 28; ///< points of a row in shared memory: 4 modulo 8, so that banks differ

  /// On a multiprocessor at once, by the registers that sums take and the shared memory that wide stencils take.
  static constexpr int blocks = KX <= 2 && F <= 2 && KY <= 2 && tiles == 1 ? 4 : KX <= 3 ? 2 : 1;
  static constexpr int warps = blocks == 4 ? 6 : KX == 4 ? 16 : 8, threads = 32 * warps;

  static constexpr int planes_at_once = KX * tiles * sets >= 8 ? 1 : 2; ///< where a plane has few products to overlap

  /// Of the polynomials of a kernel of up to 4 KX points, which a lane evaluates along all axes at once. 0: one axis after the
  /// other, for there are no registers to spare, and many products beside few weights.
  static constexpr int stretches_of_lane = KX <= 3 ? KX : 0;

  /// Where row y begins in a plane [doubles]. With one field a product takes rows y and y + 4 at once: rows of odd quadruples
  /// begin half of all banks further.
  static constexpr int row(int y) { return side_by_side == 2 ? y * pitch * 2 : y * pitch + y / 4 * 8; }
  static constexpr int plane(int rows) { return row(rows); }

  static_assert(F == 1 || F % 2 == 0);
  static_assert(KY * side_by_side % 2 == 0, "a product of one field takes eight rows");
};

} // namespace corral::gpu::gather
