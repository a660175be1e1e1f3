#pragma once

/// How a block of the method towers is laid out, for stencils of up to P points along each axis and F fields.
namespace corral::gpu::towers {

inline constexpr int edge = 8;         ///< points of a tower along x, columns of a product
inline constexpr int together = 4;     ///< particles of a product
inline constexpr int brick_edge = 8;   ///< cells along each axis of the bricks by which crowds are found
inline constexpr int most_fields = 12; ///< of a pass
inline constexpr int layers_ahead = 8; ///< whose rows' ends are on their way

/// What was chosen, for nvcc's registers and the 227 KB of shared memory of compute capability 9.0.
struct Choice {
  int side_by_side; ///< fields that share a product: 8 columns are so many fields by 8 / so many points along y
  int points_of_warp, points_of_tower; ///< along y
  int staged;                          ///< particles of a stage
  int record_stages, window_stages;
  int blocks;           ///< on a multiprocessor at once
  int window_warps = 3; ///< that turn records into windows
};

// With 1 to 3 and 12 fields and 4, 8 and 14 points these were the fastest of some that were measured: docs/gpu.md.
constexpr Choice choose(int P, int F) {
  if (F <= 3) return {1, 8, 16, 64, 3, 3, P <= 4 && F == 1 ? 3 : P <= 8 ? 2 : 1};
  if (P <= 5) return {4, 2, 8, 48, 3, 3, 2};
  if (P <= 8) return F == 4 ? Choice{4, 4, 16, 64, 3, 4, 1} : Choice{4, 2, 8, 64, 3, 6, 1};
  if (P <= 14) return {4, 4, 8, 64, 3, 5, 1};
  return {4, 4, 8, 64, 3, 4, 1, 1}; // three warps would leave too few registers
}

/// Where in a record its numbers stand [doubles]: the cell along x and y, `points` weights along each axis, values. Its
/// size is an odd number of pairs, so that records one behind the other begin in different banks.
struct RecordLayout {
  int points, values, size;
};
constexpr RecordLayout record_layout(int P, int F) {
  const int used = 1 + 3 * P + F;
  return {P, 1 + 3 * P, used / 4 * 4 + 2 + (used % 4 == 3 ? 4 : 0)};
}

template <int P_, int F_> struct Shape {
  static constexpr int P = P_, F = F_;
  static constexpr Choice choice = choose(P, F);
  static constexpr int side_by_side = choice.side_by_side, points_of_warp = choice.points_of_warp,
                       points_of_tower = choice.points_of_tower, staged = choice.staged,
                       record_stages = choice.record_stages, window_stages = choice.window_stages,
                       blocks = choice.blocks, window_warps = choice.window_warps;
  static constexpr int y_of_product = edge / side_by_side; ///< points along y of a product
  static constexpr int products_y = points_of_warp / y_of_product, products_f = (F + side_by_side - 1) / side_by_side;
  static constexpr int warps_y = points_of_tower / points_of_warp, warps_z = (P + 2) / 2; ///< a warp two planes
  static constexpr int consumers = warps_y * warps_z, threads = 32 * (consumers + 1 + window_warps);
  static constexpr int rows = points_of_tower + P - 1; ///< of cells that reach a tower

  static constexpr int at_x = 1, at_y = 1 + P, at_z = 1 + 2 * P, at_values = record_layout(P, F).values,
                       record = record_layout(P, F).size;
  static constexpr int record_bytes = 8 * record;

  /// Rows of a stage of windows: a number for all its particles.
  static constexpr int row_y = edge, row_z = row_y + points_of_tower, row_values = row_z + P,
                       window_rows = row_values + products_f * side_by_side,
                       pitch = staged + together; ///< so that a product's rows and particles lie in different banks

  /// Without a loop ptxas lets multiplications sink between products, where they wait for each other.
  static constexpr bool products_in_a_loop = products_y * products_f >= 4;

  static_assert(rows <= 32, "a lane looks after a row");
  static_assert(points_of_warp % y_of_product == 0 && points_of_tower % points_of_warp == 0);
  static_assert(threads <= 1024);
  // Parities tell two rounds of a ring apart: no warp may fall behind by two.
  static_assert(record_stages % window_warps == 0 && window_warps <= window_stages);
};

} // namespace corral::gpu::towers
