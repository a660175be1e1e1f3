#pragma once

#include "engine/gpu/methods/gather/memory.cuh"

/// The particles of a brick, in groups of 16 that lie in one column, by rising z.
namespace corral::gpu::gather {

/// One particle of a group.
struct Member {
  std::uint32_t place;
  int x, y, z; ///< its cell, from its column's first one
};

/// The cells of a column that lie in a row are neighbours in the order: a run. Runs of a column follow each other from layer
/// to layer.
struct Groups {
  std::uint32_t *first, *before; ///< [column][run]: first place; particles of the column before
  std::uint32_t *size, *end;     ///< of each column: particles; groups up to and with it
  std::uint32_t* corner;         ///< of each: its first cell, from the brick's on, x and 2^16 y
  const Division& division;
  int columns, runs;

  __device__ Groups(const Division& d, void* memory)
      : first(static_cast<std::uint32_t*>(memory)), division(d), columns(d.columns), runs(d.runs()) {
    before = first + columns * runs;
    size = before + columns * runs;
    end = size + columns;
    corner = end + columns;
  }
  __device__ int x_of(int column) const { return static_cast<int>(corner[column] & 0xffff); }
  __device__ int y_of(int column) const { return static_cast<int>(corner[column] >> 16); }

  /// By all threads of the block; ends with a barrier. The groups that there are.
  template <class S> __device__ int find(const Job& job, const Brick& brick) {
    const int column_x = division.column[0], column_y = division.column[1];
    for (int c = static_cast<int>(threadIdx.x); c < columns; c += S::threads)
      corner[c] = static_cast<std::uint32_t>(c % division.columns_x * column_x | c / division.columns_x * column_y << 16);
    for (int i = static_cast<int>(threadIdx.x); i < columns * runs; i += S::threads) {
      const int column = i / runs, run = i % runs, z = division.layer(run);
      const int x = column % division.columns_x * column_x, y = column / division.columns_x * column_y + run - z * column_y;
      std::uint32_t begin = 0, held = 0;
      if (x < brick.cells[0] && y < brick.cells[1] && z < brick.cells[2]) {
        const std::uint32_t* const row = job.places.begin + brick.cell(job, x, y, z);
        const int cells = brick.cells[0] - x < column_x ? brick.cells[0] - x : column_x;
        begin = row[0];
        held = row[cells] - begin;
      }
      first[i] = begin;
      before[i] = held;
    }
    __syncthreads();
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
    for (int column = warp; column < columns; column += S::warps) {
      const std::uint32_t all = add_up(before + column * runs, before + column * runs, runs, [](std::uint32_t n) { return n; }, 0);
      if (lane == 0) size[column] = all;
    }
    __syncthreads();
    if (warp == 0)
      add_up(size, end, columns, [](std::uint32_t n) { return (n + together - 1) / together; }, 1);
    __syncthreads();
    return static_cast<int>(end[columns - 1]);
  }

  /// The column of a group, the same for all lanes.
  __device__ int column_of(std::uint32_t group) const {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    int column = 0;
#pragma unroll 1
    for (int c = 0; c < columns; c += 32)
      column += __popc(__ballot_sync(all_lanes, c + lane < columns && end[c + lane < columns ? c + lane : 0] <= group));
    return column;
  }
  /// Particle number of a column.
  __device__ Member member(const Job& job, const Brick& brick, int column, std::uint32_t number) const {
    const std::uint32_t* const mine = before + column * runs;
    int low = 0, high = runs; // the last run with no more particles before it
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      if (mine[middle] <= number) low = middle;
      else high = middle;
    }
    const int z = division.layer(low);
    Member m{first[column * runs + low] + number - mine[low], 0, low - z * division.column[1], z};
    if (division.column[0] > 1) m.x = static_cast<int>(job.places.key[m.place] - brick.cell(job, x_of(column), y_of(column) + m.y, z));
    return m;
  }

private:
  /// to[i] = the sum of f(from) before i, or with it. By a warp; the sum of all.
  template <class F>
  __device__ static std::uint32_t add_up(const std::uint32_t* from, std::uint32_t* to, int n, F f, bool with_own) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    std::uint32_t sum = 0;
    for (int i = 0; i < n; i += 32) {
      const std::uint32_t own = i + lane < n ? f(from[i + lane]) : 0, upto = sum_up_to_lane(own);
      if (i + lane < n) to[i + lane] = sum + upto - (with_own ? 0 : own);
      sum += __shfl_sync(all_lanes, upto, 31);
    }
    return sum;
  }
};

} // namespace corral::gpu::gather
