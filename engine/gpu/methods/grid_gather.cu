#include "engine/gpu/methods/methods.cuh"
#include "engine/gpu/tuning.cuh"

namespace corral::gpu {
namespace {

/// ParkiPy's Algorithm 4: the grid collects. A thread per point visits the particles of all groups around it, of which
/// those of a straddled group may not reach it.
template <class T>
__global__ void __launch_bounds__(tuning::range_threads, 1)
    grid_gather_global(Stencils<T> stencils, PaddedField layout, BlockFields<T, const T> fields) {
  const std::int64_t n = thread_number();
  if (n >= layout.size) return;
  std::uint32_t point[3];
  layout.point(static_cast<std::uint32_t>(n), point);
  const Places<T>& places = stencils.places;
  T sum[4] = {};
  int behind[3] = {}; // how far the group lies before the point
  for (behind[2] = 0; behind[2] < stencils.axis[2].support.width; ++behind[2])
    for (behind[1] = 0; behind[1] < stencils.axis[1].support.width; ++behind[1])
      for (behind[0] = 0; behind[0] < stencils.axis[0].support.width; ++behind[0]) {
        std::int64_t group = 0;
        bool exists = true;
        for (int d = 2; d >= 0; --d) {
          const std::uint32_t along = point[d] - static_cast<std::uint32_t>(behind[d]); // wraps below zero
          exists = exists && along < places.per_axis[d];
          group = group * places.per_axis[d] + along;
        }
        if (!exists) continue;
        for (std::int64_t place = places.begin[group]; place < places.begin[group + 1]; ++place) {
          T weight = T(1);
          bool reaches = true;
          for (int d = 0; d < 3 && reaches; ++d) {
            const int j = behind[d] - stencils.lead(d, place);
            reaches = j >= 0 && j < stencils.axis[d].points();
            if (reaches) weight *= stencils.weight(d, j, place);
          }
          if (!reaches) continue;
          const std::int64_t source = places.source_of(place);
          for (int f = 0; f < 4; ++f)
            if (f < fields.count) sum[f] += weight * fields.column[f][source];
        }
      }
  for (int f = 0; f < 4; ++f)
    if (f < fields.count) fields.padded[f][n] = sum[f];
}

} // namespace

template <class T> void spread_grid_gather(const SpreadCall<T>& call) {
  for (const auto& block : call.blocks)
    check(CORRAL_LAUNCH((grid_gather_global<T>), blocks_for(block.layout.size, tuning::range_threads),
                        tuning::range_threads, 0, call.stream, block.stencils, block.layout, block.fields),
          "a spread by grid_gather");
}

template void spread_grid_gather(const SpreadCall<float>&);
template void spread_grid_gather(const SpreadCall<double>&);

} // namespace corral::gpu
