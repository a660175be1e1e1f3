#pragma once

#include "engine/gpu/methods/towers/memory.cuh"

/// One warp of a block sends what the others add.
namespace corral::gpu::towers {

/// The rows of cells of the layers of a walk, a lane a row. Where their particles lie is asked for some layers ahead.
template <class S> struct RowsAhead {
  const Job& job;
  const Walk& walk;
  RowWords (&word)[layers_ahead][S::rows];
  int lane, y, first, last; ///< the lane's row; layers [first, last)

  __device__ RowsAhead(const Job& j, const Walk& w, Memory<S>& memory)
      : job(j), walk(w), word(memory.row), lane(static_cast<int>(threadIdx.x) % 32) {
    y = walk.y - job.cells.width[1] + 1 + lane;
    first = walk.z0 - job.cells.width[2] + 1;
    if (first < walk.low[2]) first = walk.low[2];
    last = walk.z1 < walk.high[2] ? walk.z1 : walk.high[2];
    if (lane < S::rows)
      for (int i = 0; i < layers_ahead; ++i) word[i][lane] = {};
    for (int i = 0; i < layers_ahead; ++i) look_up(first + i);
  }
  __device__ bool exists() const {
    return lane < S::points_of_tower + job.cells.width[1] - 1 && y >= walk.low[1] && y < walk.high[1];
  }
  __device__ void look_up(int layer) {
    if (exists() && layer < last)
      look_up_row(job, walk, y, layer, word[(layer - first) % layers_ahead][lane],
                  [](std::uint32_t& to, const std::uint32_t* from) { copy_word(&to, from); });
    commit_copies();
  }
  /// Where the particles of this lane's row lie; asks for a layer further on.
  __device__ RowRanges take(int layer) {
    wait_copies<layers_ahead - 1>();
    const RowRanges ranges =
        exists() ? ranges_of(word[(layer - first) % layers_ahead][lane], job.crowds, walk) : RowRanges{};
    look_up(layer + layers_ahead);
    return ranges;
  }
};

inline __device__ int within(unsigned i, unsigned first, int count) {
  return i <= first ? 0 : i - first < static_cast<unsigned>(count) ? static_cast<int>(i - first) : count;
}

/// Sends the part [first, first + count) of the layer's particles: of each lane's row what lies in it. Those of `begin`
/// on are the lane's.
template <class S>
__device__ void send(const Job& job, const RowRanges& row, unsigned begin, unsigned first, int count,
                     double (&to)[S::staged][S::record], PhaseBarrier& full) {
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const unsigned end = begin + (row.end[i] - row.begin[i]);
    const int low = within(begin, first, count), high = within(end, first, count);
    if (low < high) {
      const std::int64_t place = std::int64_t{row.begin[i]} + (first + static_cast<unsigned>(low) - begin);
      copy_bulk(to[low], job.record + place * S::record, static_cast<unsigned>(high - low) * S::record_bytes, full);
    }
    begin = end;
  }
}

/// A stage without particles.
template <class S> __device__ void send_end(Memory<S>& memory, Ring<S::record_stages>& ring, int layer) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  wait_for_phase(memory.record_empty[ring.stage], ring.parity);
  if (lane < S::warps_y) memory.record_seen[ring.stage][lane] = {layer, 0, 0, 0};
  __syncwarp();
  if (lane == 0) arrive(memory.record_full[ring.stage]);
  ring.next();
}

/// Particles of one layer, a stage of them after the other.
template <class S>
__device__ void send_layer(const Job& job, Memory<S>& memory, Ring<S::record_stages>& ring, int layer,
                           const RowRanges& row) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const unsigned upto = sum_up_to_lane(row.particles()), begin = upto - row.particles(),
                 all = __shfl_sync(all_lanes, upto, 31);
  // The rows that consumers of group g see are g points_of_warp and those a stencil further.
  const int g_first = lane * S::points_of_warp < 31 ? lane * S::points_of_warp : 31,
            g_last = g_first + S::points_of_warp + job.cells.width[1] - 2;
  const unsigned g_begin = __shfl_sync(all_lanes, begin, g_first),
                 g_end = __shfl_sync(all_lanes, upto, g_last < 31 ? g_last : 31);
  for (unsigned first = 0; first < all; first += S::staged) {
    const int count = all - first < S::staged ? static_cast<int>(all - first) : S::staged;
    PhaseBarrier& full = memory.record_full[ring.stage];
    wait_for_phase(memory.record_empty[ring.stage], ring.parity);
    if (lane < S::warps_y)
      memory.record_seen[ring.stage][lane] = {layer, within(g_begin, first, count), within(g_end, first, count), count};
    __syncwarp();
    if (lane == 0) arrive_expecting(full, static_cast<unsigned>(count) * S::record_bytes);
    __syncwarp();
    send<S>(job, row, begin, first, count, memory.record[ring.stage], full);
    ring.next();
  }
}

template <class S> __device__ void fetch(const Job& job, Memory<S>& memory) {
  Ring<S::record_stages> ring{0, 1}; // the first round of stages is empty
  Walk walk;
#pragma unroll 1
  for (int number = 0; find_walk<S>(job, memory.share, number, walk); ++number) {
    if (threadIdx.x % 32 == 0) memory.walk[number % Memory<S>::walks_kept] = walk;
    RowsAhead<S> rows(job, walk, memory);
    for (int layer = rows.first; layer < rows.last; ++layer) send_layer(job, memory, ring, layer, rows.take(layer));
    wait_copies<0>();
    send_end(memory, ring, walk_ends);
  }
  send_end(memory, ring, all_ends);
}

} // namespace corral::gpu::towers
