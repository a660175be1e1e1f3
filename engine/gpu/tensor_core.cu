#include "engine/gpu/bricks.cuh"

namespace corral::gpu {
namespace {

constexpr int staged = tuning::staged_particles;
constexpr int edge = 8;     ///< points of a tensor step along x and y
constexpr int together = 4; ///< particles of a tensor step
constexpr int most_width = most_brick_points + 1;

/// d += A B on the FP64 tensor cores: A[8][4] row by row, B[4][8]. Lane l brings A[l/4][l%4] and B[l%4][l/4], and has
/// d[l/4][2 (l%4)] and the one behind it.
__device__ __forceinline__ void tensor_step(double (&d)[2], double a, double b) {
#ifdef CORRAL_CUDA_ON_HOST
  cuda_on_host::mma_m8n8k4(d, a, b);
#else
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
      : "+d"(d[0]), "+d"(d[1])
      : "d"(a), "d"(b));
#endif
}

/// Rows of shared memory: per particle its weights on the group's points along x, y (each up to a multiple of 8) and z,
/// then its values; zeros where a straddled stencil does not reach and where a batch ends. A row is 4 numbers more than
/// a multiple of 16, so that the 4 particles of a step lie in different banks.
template <int Tiles> struct Row {
  static constexpr int y = Tiles * edge, z = 2 * Tiles * edge, value = z + most_width, used = value + 4;
  static constexpr int length = (used + 11) / 16 * 16 + 4;
};

/// Number m of the row of the particle at `place`.
template <int Tiles>
__device__ double number_of(const Stencils<double>& stencils, const BlockFields<double, const double>& fields,
                            std::int64_t place, int m) {
  using R = Row<Tiles>;
  if (m >= R::value) {
    const int f = m - R::value;
    return f < fields.count ? fields.column[f][stencils.places.source_of(place)] : 0.0;
  }
  const int d = m < R::y ? 0 : m < R::z ? 1 : 2;
  const int j = m - d * R::y - stencils.lead(d, place);
  return j >= 0 && j < stencils.axis[d].points() ? stencils.weight(d, j, place) : 0.0;
}

// A group's stencil as products of matrices: A is the weights along x, 8 points by 4 particles; B the weights along y
// times those of one plane along z times the values, 4 particles by 8 points. A warp has a plane of the stencil, in
// Tiles x Tiles products, and keeps its sums in registers until the group ends.
template <int Tiles, int F>
__global__ void __launch_bounds__(32 * most_width, 1)
    tensor_core_global(Stencils<double> stencils, BlockFields<double, const double> fields, Bricks bricks) {
  using R = Row<Tiles>;
  CORRAL_SHARED(double, row, [staged][R::length]);
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  const int lane = thread % 32, plane = thread / 32, k = lane % together, r = lane / together;
  const Places<double>& places = stencils.places;
  std::uint32_t low[3], n[3];
  bricks.groups_of(blockIdx.x, places.per_axis, low, n);
  for (std::uint32_t g = 0; g < n[0] * n[1] * n[2]; ++g) {
    std::uint32_t along[3];
    const std::uint32_t group = group_of_brick(g, low, n, places.per_axis, along);
    const std::int64_t end = places.begin[group + 1];
    if (end == places.begin[group]) continue; // the same for all threads
    double sum[F][Tiles][Tiles][2] = {};
    for (std::int64_t first = places.begin[group]; first < end; first += staged) {
      const int count = end - first < staged ? static_cast<int>(end - first) : staged;
      const int whole = (count + together - 1) / together * together;
      for (int i = thread; i < whole * R::used; i += threads) {
        const int p = i / R::used, m = i % R::used;
        row[p][m] = p < count ? number_of<Tiles>(stencils, fields, first + p, m) : 0.0;
      }
      __syncthreads();
      for (int p = 0; p < whole; p += together) {
        const double* const of = row[p + k];
#pragma unroll
        for (int ty = 0; ty < Tiles; ++ty) {
          const double weight_yz = of[R::y + ty * edge + r] * of[R::z + plane];
#pragma unroll
          for (int f = 0; f < F; ++f)
#pragma unroll
            for (int tx = 0; tx < Tiles; ++tx)
              tensor_step(sum[f][ty][tx], of[tx * edge + r], weight_yz * of[R::value + f]);
        }
      }
      __syncthreads();
    }
#pragma unroll
    for (int ty = 0; ty < Tiles; ++ty)
#pragma unroll
      for (int tx = 0; tx < Tiles; ++tx)
#pragma unroll
        for (int h = 0; h < 2; ++h) {
          const int x = tx * edge + r, y = ty * edge + 2 * k + h;
          if (x >= stencils.axis[0].support.width || y >= stencils.axis[1].support.width) continue;
          const std::int64_t point =
              (along[0] + x) + (along[1] + y) * stencils.stride[1] + (along[2] + plane) * stencils.stride[2];
#pragma unroll
          for (int f = 0; f < F; ++f)
            if (f < fields.count) fields.padded[f][point] += sum[f][ty][tx][h];
        }
    // The next group shares points with this one in other threads; the barriers around its particles stand between.
  }
}

template <int Tiles, int F>
void launch(const SpreadCall<double>& call, const FieldBlock<double, Spread<double>>& block) {
  int size[3], width[3];
  for (int d = 0; d < 3; ++d) {
    width[d] = block.support.axis[static_cast<std::size_t>(d)].width;
    size[d] = std::max(4, width[d] - 1);
  }
  for (int first = 0; first < block.fields.count; first += F) {
    const auto fields = block.fields.part(first, std::min(F, block.fields.count - first));
    by_colour(call.places, size, width, [&](const Bricks& bricks, unsigned blocks) {
      check(CORRAL_LAUNCH((tensor_core_global<Tiles, F>), blocks, 32 * width[2], 0, call.stream, block.stencils, fields,
                          bricks),
            "a spread by tensor_core");
    });
  }
}

} // namespace

// The tensor cores add doubles; for floats they are less exact than float itself. So those take the same way by hybrid.
template <> void spread_tensor_core(const SpreadCall<float>& call) { spread_hybrid(call); }

template <> void spread_tensor_core(const SpreadCall<double>& call) {
  for (const auto& block : call.blocks) {
    require_brick_points<double>(block, Method::tensor_core);
    const int widest = std::max(block.support.axis[0].width, block.support.axis[1].width);
    if (widest <= edge) launch<1, 4>(call, block);
    else if (widest <= 2 * edge) launch<2, 2>(call, block);
    else launch<3, 1>(call, block);
  }
}

} // namespace corral::gpu
