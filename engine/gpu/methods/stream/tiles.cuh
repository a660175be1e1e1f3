#pragma once

#include "engine/gpu/async_copies.cuh"
#include "engine/gpu/methods/octets.cuh"

/// Particles that stream through shared memory, for the method stream: tiles of so many places, whatever their cells,
/// of which each block has two on their way. The bounds of tiles are those of places, so that no sum depends on blocks.
namespace corral::gpu::stream {

using tuning::stream_threads;
using tuning::streamed;
inline constexpr int stages = 2, octets = stream_threads / octet, words = streamed / 32;

/// Numbers of particles: the three fractions, which lie in cell order, and columns.
template <class T, int N> struct Source {
  Places<T> places;
  Column<const T> column[N > 3 ? N - 3 : 1];
  bool in_bulk[N]; ///< lies in cell order, value by value, from a multiple of 16 bytes on

  __device__ const T* from(int n) const { return n < 3 ? places.u[n] : column[n - 3].data; }
};

template <class T, int N> struct __align__(16) Memory {
  T number[stages][N][streamed];
  PhaseBarrier full[stages];
  unsigned starts[words], before[words]; ///< of runs of a tile that has few particles a cell
};

/// The particles that are in cells.
template <class T> __device__ std::int64_t particles_in_cells(const Places<T>& places) {
  return places.begin[places.groups];
}

/// Asks for a tile. By all threads, none of which needs what the stage had.
template <class T, int N>
__device__ void request(const Source<T, N>& source, std::int64_t first, int count, Memory<T, N>& memory, int stage) {
  constexpr int bytes_of_one = static_cast<int>(sizeof(T)), together = 16 / bytes_of_one;
  const int thread = static_cast<int>(threadIdx.x), whole = count / together * together;
  if (thread == 0) {
    const auto bytes = static_cast<unsigned>(whole * bytes_of_one);
    unsigned expected = 0;
#pragma unroll
    for (int n = 0; n < N; ++n) {
      if (!source.in_bulk[n]) continue;
      expected += bytes;
      for (int i = whole; i < count; ++i) memory.number[stage][n][i] = source.from(n)[first + i];
    }
    arrive_expecting(memory.full[stage], expected);
#pragma unroll
    for (int n = 0; n < N; ++n)
      if (source.in_bulk[n] && whole > 0)
        copy_bulk(memory.number[stage][n], source.from(n) + first, bytes, memory.full[stage]);
  }
#pragma unroll
  for (int n = 3; n < N; ++n) {
    if (source.in_bulk[n]) continue;
    for (int i = thread; i < count; i += stream_threads) {
      const T* const value = &source.column[n - 3][source.places.source_of(first + i)];
      if constexpr (sizeof(T) == 8)
        copy_two_words(&memory.number[stage][n][i], value);
      else
        copy_word(&memory.number[stage][n][i], value);
    }
  }
  commit_copies();
}

/// Places of a cell, counted from the tile's first.
struct Run {
  std::uint32_t cell;
  int begin, end;
  bool continues; ///< what an earlier tile has begun
};

/// The cells of a tile. Where they are more than particles, those that have some: a bit says where each begins.
struct Runs {
  std::uint32_t cell; ///< of the first
  int count;
  bool few; ///< particles a cell
};

template <class T, int N>
__device__ Runs runs_of(const Places<T>& places, std::int64_t first, int count, std::uint32_t first_cell,
                        std::uint32_t last_cell, Memory<T, N>& memory) {
  const std::uint32_t cells = last_cell - first_cell + 1;
  if (cells <= 2 * streamed) return {first_cell, static_cast<int>(cells), false};
  for (int i = static_cast<int>(threadIdx.x); i < streamed; i += stream_threads) {
    const bool begins = i < count && (i == 0 || places.key[first + i] != places.key[first + i - 1]);
    const unsigned bits = __ballot_sync(all_lanes, begins);
    if (i % 32 == 0) memory.starts[i / 32] = bits;
  }
  __syncthreads();
  int runs = 0;
  for (int w = 0; w < words; ++w) {
    if (static_cast<int>(threadIdx.x) == w) memory.before[w] = static_cast<unsigned>(runs);
    runs += __popc(memory.starts[w]);
  }
  __syncthreads();
  return {first_cell, runs, true};
}

template <class T, int N>
__device__ Run run_of(const Places<T>& places, const Runs& runs, std::int64_t first, int count, int r,
                      const Memory<T, N>& memory) {
  Run run{runs.cell + static_cast<std::uint32_t>(r), 0, 0, false};
  if (runs.few) {
    int w = words - 1;
    while (memory.before[w] > static_cast<unsigned>(r)) --w;
    unsigned bits = memory.starts[w];
    for (unsigned skip = static_cast<unsigned>(r) - memory.before[w]; skip > 0; --skip) bits &= bits - 1;
    run.cell = places.key[first + 32 * w + __ffs(static_cast<int>(bits)) - 1];
  }
  const std::int64_t begin = places.begin[run.cell] - first, end = places.begin[run.cell + 1] - first;
  run.continues = begin < 0;
  run.begin = begin < 0 ? 0 : static_cast<int>(begin);
  run.end = end < count ? static_cast<int>(end) : count;
  return run;
}

/// Calls work(stage, run) for each run of each of the block's tiles, run by run for each octet of lanes; whole warps
/// call it alike, with an empty run where an octet has none, and count 0. Then done(stage, first place, count), by all
/// threads after a barrier.
template <class T, int N, class Work, class Done>
__device__ void for_each_run(const Source<T, N>& source, Memory<T, N>& memory, Work&& work, Done&& done) {
  const Places<T>& places = source.places;
  const std::int64_t all = particles_in_cells(places), tiles = (all + streamed - 1) / streamed, blocks = gridDim.x;
  const auto count_of = [&](std::int64_t tile) {
    return all - tile * streamed < streamed ? static_cast<int>(all - tile * streamed) : streamed;
  };
  if (threadIdx.x == 0) {
    for (PhaseBarrier& full : memory.full) begin(full, 1);
    fence_begun();
  }
  __syncthreads();
  for (int s = 0; s < stages; ++s) {
    const std::int64_t tile = blockIdx.x + s * blocks;
    if (tile < tiles)
      request(source, tile * streamed, count_of(tile), memory, s);
    else
      commit_copies();
  }
  const int in_block = static_cast<int>(threadIdx.x) / octet, in_warp = in_block % (32 / octet);
  std::uint32_t first_cell = 0, last_cell = 0; // of the tile to come
  const auto look_up = [&](std::int64_t tile) {
    if (tile >= tiles) return;
    first_cell = places.key[tile * streamed];
    last_cell = places.key[tile * streamed + count_of(tile) - 1];
  };
  look_up(blockIdx.x);
  int stage = 0;
  unsigned parity = 0;
  for (std::int64_t tile = blockIdx.x; tile < tiles; tile += blocks) {
    const std::int64_t first = tile * streamed;
    const int count = count_of(tile);
    const Runs runs = runs_of(places, first, count, first_cell, last_cell, memory);
    look_up(tile + blocks);
    wait_copies<stages - 1>();
    wait_for_phase(memory.full[stage], parity);
    __syncthreads(); // what other threads have asked for word by word, too
    for (int r = in_block - in_warp; r < runs.count; r += octets) {
      const bool exists = r + in_warp < runs.count;
      work(stage, first, exists ? run_of(places, runs, first, count, r + in_warp, memory) : Run{0, 0, 0, false});
    }
    fence_copies(); // before bulk copies overwrite what was written here
    __syncthreads();
    done(stage, first, count);
    const std::int64_t ahead = tile + stages * blocks;
    if (ahead < tiles)
      request(source, ahead * streamed, count_of(ahead), memory, stage);
    else
      commit_copies();
    if (++stage == stages) stage = 0, parity ^= 1;
  }
}

} // namespace corral::gpu::stream
