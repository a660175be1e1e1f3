#include "engine/gpu/methods/bricks.cuh"

namespace corral::gpu {
namespace {

constexpr int staged = tuning::staged_particles;
constexpr int most_width = most_brick_points + 1; ///< points of a group's stencil, straddled

/// The sizes of one launch: a thread has one point along x and y, and every planes-th one along z.
struct Threads {
  int width[3]; ///< points of a group's stencil
  int planes;
};

/// Particles of a group as a block holds them: weights on all points of the group, 0 where a straddled stencil does not
/// reach.
template <class T> struct StagedGroup {
  T weight[3][most_width][staged + 1]; ///< the points of a particle lie in different banks
  T value[4][staged];
};

template <class T>
__device__ void stage(const Stencils<T>& stencils, const BlockFields<T, const T>& fields, const Threads& t,
                      std::int64_t place, int p, int part, int parts, StagedGroup<T>& to) {
  const std::int64_t source = stencils.places.source_of(place);
  for (int f = part; f < fields.count; f += parts) to.value[f][p] = fields.column[f][source];
  for (int d = 0; d < 3; ++d) {
    const int lead = stencils.lead(d, place), points = stencils.axis[d].points();
    for (int j = part; j < t.width[d]; j += parts) {
      const int own = j - lead;
      to.weight[d][j][p] = own >= 0 && own < points ? stencils.weight(d, own, place) : T(0);
    }
  }
}

// ParkiPy's Algorithm 5: a block goes from cell to cell; particles come through shared memory, a batch at a time, so
// that a cell may hold any number of them; a thread sums one point of the cell's stencil, or R of them along z, in
// registers, and then adds them to the grid. There, blocks with bricks of one colour never meet, so that nothing is
// atomic.
template <class T, int F, int R>
__global__ void __launch_bounds__(tuning::most_hybrid_threads, 1)
    hybrid_global(Stencils<T> stencils, BlockFields<T, const T> fields, Bricks<T> bricks, Threads t) {
  CORRAL_SHARED(StagedGroup<T>, batch, [1]);
  CORRAL_SHARED(BlockTask<T>, task, [1]);
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  const int x = thread % t.width[0], y = thread / t.width[0] % t.width[1], z = thread / t.width[0] / t.width[1];
  const bool sums = z < t.planes;
  const int p = thread % staged, part = thread / staged, parts = threads / staged; // threads: whole warps
  const Places<T>& places = stencils.places;
  if (thread == 0) bricks.task(blockIdx.x, stencils, fields, task[0]);
  __syncthreads();
  bricks.clear(task[0], fields.count);
  __syncthreads();
  const std::uint32_t n[3] = {task[0].n[0], task[0].n[1], task[0].n[2]};
  std::uint32_t before = 0; // particles of the brick
  for (std::uint32_t g = 0; g < n[0] * n[1] * n[2]; ++g) {
    const std::uint32_t along[3] = {g % n[0], g / n[0] % n[1], g / n[0] / n[1]};
    const std::uint32_t group =
        ((task[0].low[2] + along[2]) * places.per_axis[1] + task[0].low[1] + along[1]) * places.per_axis[0] +
        task[0].low[0] + along[0];
    const std::uint32_t of_group = places.begin[group], held = places.begin[group + 1] - of_group;
    const std::uint32_t from = task[0].begin > before ? task[0].begin - before : 0;
    const std::uint32_t upto = task[0].end > before ? task[0].end - before : 0;
    before += held;
    const std::int64_t begin = of_group + std::int64_t{from < held ? from : held},
                       end = of_group + std::int64_t{upto < held ? upto : held};
    if (end == begin) continue; // the same for all threads
    T sum[F][R];
#pragma unroll
    for (int f = 0; f < F; ++f)
#pragma unroll
      for (int r = 0; r < R; ++r) sum[f][r] = T(0);
    for (std::int64_t first = begin; first < end; first += staged) {
      const int count = end - first < staged ? static_cast<int>(end - first) : staged;
      if (p < count) stage(stencils, fields, t, first + p, p, part, parts, batch[0]);
      __syncthreads();
      if (sums)
        for (int i = 0; i < count; ++i) {
          const T weight_xy = batch[0].weight[0][x][i] * batch[0].weight[1][y][i];
#pragma unroll
          for (int r = 0; r < R; ++r) {
            const int plane = z + r * t.planes;
            const T weight = plane < t.width[2] ? weight_xy * batch[0].weight[2][plane][i] : T(0);
#pragma unroll
            for (int f = 0; f < F; ++f)
              if (f < fields.count) sum[f][r] = fma(weight, batch[0].value[f][i], sum[f][r]);
          }
        }
      __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < R; ++r) {
      const int plane = z + r * t.planes;
      if (!sums || plane >= t.width[2]) continue;
      const std::int64_t point = (along[0] + x) + (along[1] + y) * task[0].stride[1] +
                                 (along[2] + plane) * task[0].stride[2];
#pragma unroll
      for (int f = 0; f < F; ++f)
        if (f < fields.count) task[0].field[f][point] += sum[f][r];
    }
    // The next cell shares points with this one in other threads; the barriers around its particles stand between.
  }
  bricks.add_further(task[0], before, fields.count);
}

template <class T, int F, int R>
void launch(const SpreadCall<T>& call, const FieldBlock<T, Spread<T>>& block, const Threads& t) {
  const int threads = (t.width[0] * t.width[1] * t.planes + 31) / 32 * 32;
  int size[3];
  for (int d = 0; d < 3; ++d) size[d] = std::max(tuning::hybrid_edge, t.width[d] - 1);
  for (int first = 0; first < block.fields.count; first += F) {
    const auto fields = block.fields.part(first, std::min(F, block.fields.count - first));
    by_colour(call, size, t.width, fields.count, [&](const Bricks<T>& bricks) {
      check(CORRAL_LAUNCH((hybrid_global<T, F, R>), bricks.blocks(), threads, 0, call.stream, block.stencils, fields,
                          bricks, t),
            "a spread by hybrid");
    });
  }
}

} // namespace

template <class T> void spread_hybrid(const SpreadCall<T>& call, const FieldBlock<T, Spread<T>>& block) {
  Threads t{};
  for (int d = 0; d < 3; ++d) t.width[d] = block.support.axis[d].width;
  t.planes = std::min(t.width[2], tuning::most_hybrid_threads / (t.width[0] * t.width[1]));
  const int rounds = (t.width[2] + t.planes - 1) / t.planes; // at most 6: 17 points an axis
  if (rounds == 1) launch<T, 4, 1>(call, block, t);
  else if (rounds == 2) launch<T, 4, 2>(call, block, t);
  else if (rounds <= 4) launch<T, 2, 4>(call, block, t);
  else launch<T, 1, 6>(call, block, t);
}

template <class T> void spread_hybrid(const SpreadCall<T>& call) {
  for (const auto& block : call.blocks) {
    require_brick_points<T>(block, Method::hybrid);
    spread_hybrid(call, block);
  }
}

template void spread_hybrid(const SpreadCall<float>&);
template void spread_hybrid(const SpreadCall<double>&);
template void spread_hybrid(const SpreadCall<float>&, const FieldBlock<float, Spread<float>>&);
template void spread_hybrid(const SpreadCall<double>&, const FieldBlock<double, Spread<double>>&);

} // namespace corral::gpu
