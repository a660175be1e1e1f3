#include "engine/gpu/methods/parts.cuh"

#include <algorithm>

namespace corral::gpu {
namespace {

struct BricksOfOrder {
  std::uint32_t size[3], count[3];

  CORRAL_HOST_DEVICE std::int64_t bricks() const { return std::int64_t{count[0]} * count[1] * count[2]; }
};

// Which memory a part gets is chance; that doesn't show in any sum.
template <class T>
__global__ void __launch_bounds__(tuning::range_threads, 1)
    cut_global(Places<T> places, BricksOfOrder all, Parts<T> parts) {
  const std::int64_t i = thread_number();
  if (i >= all.bricks()) return;
  const auto brick = static_cast<std::uint32_t>(i);
  const std::uint32_t along[3] = {brick % all.count[0], brick / all.count[0] % all.count[1],
                                  brick / all.count[0] / all.count[1]};
  std::uint32_t low[3], end[3];
  for (int d = 0; d < 3; ++d) {
    low[d] = along[d] * all.size[d];
    const std::uint32_t rest = places.per_axis[d] - low[d];
    end[d] = low[d] + (rest < all.size[d] ? rest : all.size[d]);
  }
  std::uint32_t held = 0;
  for (std::uint32_t z = low[2]; z < end[2]; ++z)
    for (std::uint32_t y = low[1]; y < end[1]; ++y) {
      const std::uint32_t row = (z * places.per_axis[1] + y) * places.per_axis[0];
      held += places.begin[row + end[0]] - places.begin[row + low[0]];
    }
  const std::uint32_t further = parts.further(held);
  if (further == 0) return;
  const std::uint32_t first = atomicAdd(parts.count, further);
  parts.first[brick] = first;
  for (std::uint32_t k = 0; k < further; ++k) parts.owner[first + k] = brick;
}

template <class T> BricksOfOrder bricks_of(const Places<T>& places, const Cut& cut) {
  BricksOfOrder all{};
  for (int d = 0; d < 3; ++d) {
    all.size[d] = static_cast<std::uint32_t>(cut.size[d]);
    all.count[d] = (places.per_axis[d] - 1) / all.size[d] + 1;
  }
  return all;
}

/// How large parts are, and how many further ones n particles may need.
template <class T> Parts<T> parts_that_may_be(std::int64_t n, const Cut& cut, tuning::PartSize size) {
  const std::int64_t of_memory = tuning::most_part_bytes / (cut.points * static_cast<std::int64_t>(sizeof(T)));
  const std::int64_t most = std::clamp<std::int64_t>(of_memory, 1, size.most);
  const std::int64_t particles = std::max(size.least, (n + most - 1) / most);
  Parts<T> parts;
  parts.particles = static_cast<std::uint32_t>(particles);
  parts.most = static_cast<std::uint32_t>((n - 1) / particles); // n is not 0
  return parts;
}

} // namespace

template <class T>
std::vector<Parts<T>> cut_into_parts(const SpreadCall<T>& call, std::span<const Cut> cuts, tuning::PartSize size) {
  std::vector<Parts<T>> all;
  std::int64_t sums = 0, indices = 0;
  for (const Cut& cut : cuts) {
    all.push_back(parts_that_may_be<T>(call.places.size, cut, size));
    sums += all.back().most * cut.points * cut.fields;
    indices += 1 + all.back().most + bricks_of(call.places, cut).bricks();
  }
  if (sums == 0) return all;
  T* sum = call.scratch.part_sums.renew(sums, call.stream);
  std::uint32_t* index = call.scratch.parts.renew(indices, call.stream);
  for (std::size_t c = 0; c < cuts.size(); ++c) {
    Parts<T>& parts = all[c];
    const auto same = static_cast<std::size_t>(
        std::find_if(cuts.begin(), cuts.end(), [&](const Cut& cut) { return cut.same_bricks(cuts[c]); }) -
        cuts.begin());
    if (same < c) {
      parts = all[same];
    } else if (parts.most > 0) {
      const BricksOfOrder bricks = bricks_of(call.places, cuts[c]);
      parts.count = index;
      parts.owner = index + 1;
      parts.first = parts.owner + parts.most;
      index = parts.first + bricks.bricks();
      check(cudaMemsetAsync(parts.count, 0, sizeof(std::uint32_t), call.stream), "clearing a count");
      check(CORRAL_LAUNCH((cut_global<T>), blocks_for(bricks.bricks(), tuning::range_threads), tuning::range_threads,
                          0, call.stream, call.places, bricks, parts),
            "cutting crowded bricks into parts");
    }
    parts.sums = sum;
    sum += parts.most * cuts[c].points * cuts[c].fields;
  }
  return all;
}

template std::vector<Parts<float>> cut_into_parts(const SpreadCall<float>&, std::span<const Cut>, tuning::PartSize);
template std::vector<Parts<double>> cut_into_parts(const SpreadCall<double>&, std::span<const Cut>, tuning::PartSize);

} // namespace corral::gpu
