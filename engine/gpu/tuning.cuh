#pragma once

#include <cstdint>

/// Every constant of the device code that was chosen, not derived, but those of <corral/for_each.cuh>. None has been
/// measured on a device yet: they come from counts of registers, shared memory and bytes; docs/gpu.md has some.
namespace corral::gpu::tuning {

inline constexpr int range_threads = 256;    ///< entries that take one particle, point or group per thread
inline constexpr int cell_threads = 128;     ///< octet, zhao and corners: cells side by side, 8 or 32 lanes each
inline constexpr int octet_blocks = 4;       ///< on a multiprocessor at once, which leaves 128 registers a thread
inline constexpr int staged_particles = 32;  ///< tiles, hybrid: particles that a block holds at a time
inline constexpr int threads_of_a_wide_stencil = 4; ///< that interpolate to one particle, from 4 points an axis on
inline constexpr int buffered_shifts = 8;           ///< sort_reduce_buffered: Kassen's s_z

inline constexpr int most_brick_points = 16;        ///< along an axis, of kernels that tiles, hybrid, tensor_core serve
inline constexpr int brick_edge = 8;                ///< tiles: groups along an axis, or as many as a stencil reaches
inline constexpr int flat_brick = 2;                ///< along z, where kernels have more points than that
inline constexpr int most_tiles_threads = 512;
inline constexpr int hybrid_edge = 4;               ///< as brick_edge
inline constexpr int most_hybrid_threads = 1024;
inline constexpr int tower_height = 8;              ///< tensor_core: groups along z, or as many as a stencil reaches
inline constexpr int fields_of_a_pass = 4;          ///< one where a window has 24 points
inline constexpr int passes_of_a_launch = 4;

/// Crowded cells and bricks are cut into parts of so many particles; larger ones where there would be too many parts,
/// whose sums take memory.
struct PartSize {
  std::int64_t least; ///< particles
  std::int64_t most;  ///< parts of all bricks beyond their first
};
inline constexpr std::int64_t most_part_bytes = 1 << 22; ///< of a field's sums
inline constexpr PartSize part_of_cell{1024, 8192}; ///< octet, corners, zhao: some lanes take one
inline constexpr PartSize part_of_brick{4096, 256}; ///< tiles, hybrid, tensor_core: a block does
inline constexpr PartSize part_of_tower{8192, 512}; ///< towers: a block does; bricks of 8^3 cells
inline constexpr std::int64_t most_tower_part_bytes = 1 << 24; ///< as most_part_bytes
inline constexpr std::int64_t crowded_over_mean = 4; ///< no brick is crowded that holds less than so many times the mean
inline constexpr int visits_of_a_pair = 32;          ///< what two layers without a particle cost beside one visit

inline constexpr int stream_threads = 128; ///< stream: eight lanes a cell
inline constexpr int streamed = 512;       ///< particles of a tile, a power of two: it decides in which order sums are added
inline constexpr int stream_blocks = 4;    ///< on a multiprocessor at once, which leaves 128 registers a thread

inline constexpr std::int64_t part_of_gathered_brick = 1024; ///< interpolation by bricks: particles of a part, at least
inline constexpr int gathering_rounds = 3; ///< of blocks that it asks for at least, so that the last ones cost little

inline constexpr double enough_for_stream = 12; ///< particles per cell from which `automatic` maps linear by stream
inline constexpr double enough_for_cells = 1.0; ///< particles per cell from which `automatic` maps linear by cells
inline constexpr double enough_for_towers = 0.01; ///< the same for other kernels by towers
inline constexpr double enough_for_tensor_core = 0.1; ///< the same for other kernels on the tensor cores
/// And for interpolation by bricks, of two fields with 4 points: by counts a particle then takes as many cycles as it took by
/// stencils on an H200 (docs/gpu.md). With more points bricks gain from fewer on.
inline constexpr double enough_for_bricks = 0.04;

} // namespace corral::gpu::tuning
