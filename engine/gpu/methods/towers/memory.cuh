#pragma once

#include "engine/gpu/async_copies.cuh"
#include "engine/gpu/methods/towers/rows.cuh"

/// The shared memory of a block, two rings of stages: of records as they lie in memory, and of windows made of them.
namespace corral::gpu::towers {

/// Stages without particles.
inline constexpr int walk_ends = 1 << 30, all_ends = walk_ends + 1;

/// What a group of consumers sees of a stage: the layer, and which of its particles have stencils that reach the group.
struct __align__(16) Seen {
  int layer, begin, end, particles;
};

template <class S> struct __align__(16) Memory {
  double window[S::window_stages][S::window_rows][S::pitch];
  double zeros[S::pitch];
  __align__(16) double record[S::record_stages][S::staged][S::record];
  Seen window_seen[S::window_stages][S::warps_y], record_seen[S::record_stages][S::warps_y];
  RowWords row[layers_ahead][S::rows];
  PhaseBarrier record_full[S::record_stages], record_empty[S::record_stages], window_full[S::window_stages],
      window_empty[S::window_stages];
  Share share;
  /// Walk number % walks_kept. Who fetches is ahead of consumers by all stages at most, each of them a walk's end.
  static constexpr int walks_kept = 16;
  Walk walk[walks_kept];
  static_assert(walks_kept > S::record_stages + S::window_stages + 1);
};

/// A warp's way round a ring of stages, and the parity by which it knows whether this round's stage is there.
template <int stages> struct Ring {
  int stage = 0;
  unsigned parity;

  __device__ void next() {
    if (++stage < stages) return;
    stage = 0;
    parity ^= 1;
  }
};

} // namespace corral::gpu::towers
