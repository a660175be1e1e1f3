#pragma once

#include "engine/gpu/methods/towers/walks.cuh"

/// Where the particles of a row of cells lie that a tower sees.
namespace corral::gpu::towers {

inline constexpr int bricks_of_row = 3; ///< that a row reaches into: it begins at most 16 cells before a tower's x

/// What is looked up of a row: first places of cells. Words that nobody asks for are 0.
struct RowWords {
  std::uint32_t begin, end;           ///< of all cells that the tower sees
  std::uint32_t middle[2];            ///< at the next two ends of bricks; of a part: the ends of its brick
  std::uint32_t crowd[bricks_of_row]; ///< Crowds::first of its bricks
  std::uint32_t unused;
};

/// Places [begin[i], end[i]), one after the other.
struct RowRanges {
  std::uint32_t begin[2], end[2];

  __device__ std::uint32_t particles() const { return end[0] - begin[0] + (end[1] - begin[1]); }
};

/// Asks for the words of a row: ask(word, address) for each.
template <class Ask>
__device__ void look_up_row(const Job& job, const Walk& walk, int y, int z, RowWords& row, Ask&& ask) {
  const Cells& cells = job.cells;
  const int reach = walk.x - cells.width[0] + 1, upto = walk.x + edge;
  const int a = reach > walk.low[0] ? reach : walk.low[0], b = upto < walk.high[0] ? upto : walk.high[0];
  const std::uint32_t* const first = cells.begin + (std::int64_t{z} * cells.count[1] + y) * cells.count[0];
  ask(row.begin, first + a);
  ask(row.end, first + b);
  if (walk.part >= 0) {
    ask(row.middle[0], first + walk.low[0]);
    ask(row.middle[1], first + walk.high[0]);
  } else if (job.crowds.most > 0) {
    const int brick = a / brick_edge, last = (b - 1) / brick_edge;
    const std::uint32_t* const crowd =
        job.crowds.first +
        (std::int64_t{z / brick_edge} * job.crowds.bricks[1] + y / brick_edge) * job.crowds.bricks[0] + brick;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int middle = (brick + i + 1) * brick_edge;
      ask(row.middle[i], first + (middle < b ? middle : b));
    }
#pragma unroll
    for (int i = 0; i < bricks_of_row; ++i)
      if (brick + i <= last) ask(row.crowd[i], crowd + i);
  }
}

/// What of a row a walk visits: without crowded bricks, or of a part its share.
inline __device__ RowRanges ranges_of(const RowWords& row, const Crowds& crowds, const Walk& walk) {
  if (crowds.most == 0) return {{row.begin, 0}, {row.end, 0}};
  if (walk.part >= 0) {
    const PartOfBrick part = crowds.part[walk.part];
    const std::uint64_t length = row.middle[1] - row.middle[0];
    const std::uint32_t low = row.middle[0] + static_cast<std::uint32_t>(length * part.number / part.of),
                        high = row.middle[0] + static_cast<std::uint32_t>(length * (part.number + 1) / part.of);
    const std::uint32_t begin = low > row.begin ? low : row.begin, end = high < row.end ? high : row.end;
    return {{begin, 0}, {begin < end ? end : begin, 0}};
  }
  const std::uint32_t ends[bricks_of_row + 1] = {row.begin, row.middle[0], row.middle[1], row.end};
  RowRanges ranges{{row.begin, row.end}, {row.begin, row.end}}; // of three bricks, where the middle one is crowded, two
#pragma unroll
  for (int i = 0; i < bricks_of_row; ++i) {
    if (row.crowd[i] != 0 || ends[i] == ends[i + 1]) continue;
    if (ranges.end[0] == ranges.begin[0])
      ranges.begin[0] = ends[i], ranges.end[0] = ends[i + 1];
    else if (ranges.end[0] == ends[i])
      ranges.end[0] = ends[i + 1];
    else
      ranges.begin[1] = ends[i], ranges.end[1] = ends[i + 1];
  }
  return ranges;
}

} // namespace corral::gpu::towers
