#pragma once

#include "engine/gpu/methods/towers/memory.cuh"

/// Some warps of a block turn records into windows, a stage each in turn.
namespace corral::gpu::towers {

/// A particle's numbers into so many rows. All of some are asked for before the first is stored: loads would wait for
/// stores.
template <class S, int count, class Number> __device__ void fill_rows(double* column, Number&& number) {
  constexpr int batch = 8;
#pragma unroll
  for (int first = 0; first < count; first += batch) {
    double some[batch];
#pragma unroll
    for (int j = 0; j < batch; ++j) some[j] = first + j < count ? number(first + j) : 0.0;
#pragma unroll
    for (int j = 0; j < batch; ++j)
      if (first + j < count) column[(first + j) * S::pitch] = some[j];
  }
}

/// From a record, a particle's numbers one behind the other, to a column of the stage's rows: its weights along x and y
/// on the tower's points, 0 where its stencil does not reach, those along z, its values. Then consumers have no index
/// to compute, no branch, and no two lanes in one bank. `record` null: zeros.
template <class S> __device__ void make_window(const double* record, int x, int y, const double* any, double* column) {
  constexpr int P = S::P;
  const bool exists = record != nullptr;
  const double* const r = exists ? record : any;
  const auto cell = static_cast<std::uint64_t>(__double_as_longlong(r[0]));
  // which of its weights is on the tower's first point
  const int to_x = exists ? x - static_cast<int>(cell & 0xffffffffu) : P,
            to_y = exists ? y - static_cast<int>(cell >> 32) : P;
  const auto weight = [&](int at, int j) { return unsigned(j) < unsigned(P) ? r[at + j] : 0.0; };
  fill_rows<S, edge>(column, [&](int j) { return weight(S::at_x, to_x + j); });
  fill_rows<S, S::points_of_tower>(column + S::row_y * S::pitch, [&](int j) { return weight(S::at_y, to_y + j); });
  fill_rows<S, P>(column + S::row_z * S::pitch, [&](int j) { return exists ? r[S::at_z + j] : 0.0; });
  fill_rows<S, S::products_f * S::side_by_side>(column + S::row_values * S::pitch,
                                                [&](int f) { return exists && f < S::F ? r[S::at_values + f] : 0.0; });
}

/// Warp `me` of those that do.
template <class S> __device__ void make_windows(Memory<S>& memory, int me) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  Ring<S::record_stages> from{0, 0};
  Ring<S::window_stages> to{0, 1}; // the first round of stages is empty
  bool more = true;
#pragma unroll 1
  for (int turn = 0, number = 0; more; turn = turn + 1 < S::window_warps ? turn + 1 : 0) {
    wait_for_phase(memory.record_full[from.stage], from.parity);
    const Seen seen = memory.record_seen[from.stage][lane < S::warps_y ? lane : 0];
    if (turn == me) {
      wait_for_phase(memory.window_empty[to.stage], to.parity);
      if (lane < S::warps_y) memory.window_seen[to.stage][lane] = seen;
      const Walk& walk = memory.walk[number % Memory<S>::walks_kept];
      double(&records)[S::staged][S::record] = memory.record[from.stage];
      // A product takes up to three columns behind the last: zeros.
      const int columns = seen.layer >= walk_ends                     ? 0
                          : seen.particles + together - 1 < S::staged ? seen.particles + together - 1
                                                                      : S::staged;
#pragma unroll 1
      for (int p = lane; p < columns; p += 32)
        make_window<S>(p < seen.particles ? records[p] : nullptr, walk.x, walk.y, records[0],
                       &memory.window[to.stage][0][p]);
      __syncwarp();
      if (lane == 0) arrive(memory.window_full[to.stage]);
    }
    __syncwarp();
    if (lane == 0) arrive(memory.record_empty[from.stage]); // all look at each stage: none may fall behind by a round
    if (seen.layer == walk_ends) ++number;
    more = seen.layer != all_ends;
    from.next();
    to.next();
  }
}

} // namespace corral::gpu::towers
