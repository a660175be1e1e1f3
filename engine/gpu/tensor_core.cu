#include "engine/gpu/bricks.cuh"
#include "engine/gpu/runs.cuh"

#include <span>
#include <vector>

namespace corral::gpu {
namespace {

constexpr unsigned all_lanes = 0xffffffffu;
constexpr int staged = 32;  ///< particles that a block holds at a time: a lane looks at each
constexpr int edge = 8;     ///< points of a tensor step along x and y
constexpr int together = 4; ///< particles of a tensor step

/// Windows of 8 Tiles points along x and y serve stencils of groups up to this width: the wider the window, the more
/// groups share it, and the more of what is multiplied are zeros.
template <int Tiles> inline constexpr int most_width = Tiles == 1 ? 6 : Tiles == 2 ? 14 : most_brick_points + 1;

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

// A block has a column of groups and walks up along z. The column is so narrow that whatever group a particle is in,
// its stencil along x and y lies within one window of 8 Tiles points each: spreading is then a product of matrices
// per plane, with the weights along x, 8 points by 4 particles, and the weights along y times those of the plane
// along z times the values, 4 particles by 8 points. Of the planes that a layer of groups reaches each warp has one,
// keeps its sums in registers, and as the block walks up goes on to the plane that comes into reach when it leaves
// its own. So a plane of a window is added to the padded fields once a column, and particles of different groups
// share a step.

/// The numbers of a batch of particles: weights on the points of the window along x and y, and on those that the layer
/// reaches along z; then values. Zeros where the particle's own stencil does not reach.
template <int Tiles, int F> struct Batch {
  static constexpr int y = Tiles * edge, z = 2 * Tiles * edge, value = z + most_width<Tiles>, used = value + F;
  static constexpr int pitch = staged + 4; ///< so that the points and particles of a step lie in different banks

  double number[used][pitch];
};

/// The fields that are added to at once, their particles, and the columns of the present colour.
struct Pass {
  Stencils<double> stencils;
  BlockFields<double, const double> fields;
  Bricks columns;
};
constexpr int most_passes = 4;
/// Passes side by side: one alone would leave most of a device without a block.
struct Passes {
  Pass pass[most_passes];
};

/// The groups of a block, in shared memory: registers are for sums.
struct ColumnOfGroups {
  std::uint32_t low[3], n[3], particles;
};

/// What a lane knows of its particle: the point at which its stencil begins along each axis, from the window's first
/// and the layer's.
struct Particle {
  std::uint32_t place;
  int begin[3];
  int layer; ///< of groups in the column; of none, where there is no particle, -1
};

__device__ Particle particle_of(const Stencils<double>& stencils, const RunsOfBrick& runs,
                                const ColumnOfGroups& column, std::uint32_t i) {
  const std::uint32_t r = run_of(runs, column.n[1] * column.n[2], i), place = place_in_run(runs, r, i);
  const std::uint32_t y = r % column.n[1], layer = r / column.n[1];
  const std::uint32_t row = (column.low[2] + layer) * stencils.places.per_axis[1] + column.low[1] + y;
  const std::uint32_t x = stencils.places.key[place] - row * stencils.places.per_axis[0] - column.low[0];
  return {place,
          {static_cast<int>(x) + stencils.lead(0, place), static_cast<int>(y) + stencils.lead(1, place),
           stencils.lead(2, place)},
          static_cast<int>(layer)};
}

/// Number m of a particle, as Batch has it.
template <class B>
__device__ double number_of(const Stencils<double>& stencils, const BlockFields<double, const double>& fields,
                            const Particle& particle, int m) {
  if (m >= B::value) return fields.column[m - B::value][stencils.places.source_of(particle.place)];
  const int d = m < B::y ? 0 : m < B::z ? 1 : 2; // no index known at run time: the particle stays in registers
  const int j = m - d * B::y - (d == 0 ? particle.begin[0] : d == 1 ? particle.begin[1] : particle.begin[2]);
  return j >= 0 && j < stencils.axis[d].points() ? stencils.weight(d, j, particle.place) : 0.0;
}

/// What a warp has of the column: the sums of one plane of the window.
template <int Tiles, int F> struct Plane {
  double sum[F][Tiles][Tiles][2] = {};
  int at = -1; ///< from the column's first; -1 at the beginning

  /// Adds the particles [begin, end) of a batch, of one layer; z is the plane's number in that layer's reach.
  __device__ void add(const Batch<Tiles, F>& batch, int begin, int end, int z) {
    using B = Batch<Tiles, F>;
    const int lane = static_cast<int>(threadIdx.x) % 32, k = lane % together, r = lane / together;
#pragma unroll 1 // a second step at once would take registers that sums need
    for (int first = begin; first < end; first += together) {
      const bool exists = first + k < end;
      const int p = exists ? first + k : first;
      double a[Tiles];
#pragma unroll
      for (int tx = 0; tx < Tiles; ++tx) a[tx] = exists ? batch.number[tx * edge + r][p] : 0.0;
      const double weight_z = exists ? batch.number[B::z + z][p] : 0.0;
#pragma unroll
      for (int ty = 0; ty < Tiles; ++ty) {
        const double weight_yz = batch.number[B::y + ty * edge + r][p] * weight_z;
#pragma unroll
        for (int f = 0; f < F; ++f) {
          const double b = weight_yz * batch.number[B::value + f][p];
#pragma unroll
          for (int tx = 0; tx < Tiles; ++tx) tensor_step(sum[f][ty][tx], a[tx], b);
        }
      }
    }
  }

  /// Adds the sums to the padded fields, of which no other block of this launch has a point, and clears them.
  __device__ void flush(const Pass& pass, const ColumnOfGroups& column) {
    const Stencils<double>& stencils = pass.stencils;
    if (at < 0 || at >= static_cast<int>(column.n[2]) + stencils.axis[2].support.width - 1) return;
    const int lane = static_cast<int>(threadIdx.x) % 32, k = lane % together, r = lane / together;
    const int most_x = static_cast<int>(column.n[0]) + stencils.axis[0].support.width - 1,
              most_y = static_cast<int>(column.n[1]) + stencils.axis[1].support.width - 1;
    const std::int64_t first = column.low[0] + column.low[1] * stencils.stride[1] +
                               (column.low[2] + at) * stencils.stride[2];
#pragma unroll
    for (int f = 0; f < F; ++f)
#pragma unroll
      for (int ty = 0; ty < Tiles; ++ty) {
        double there[Tiles][2]; // all are asked for before the first is needed
#pragma unroll
        for (int i = 0; i < 4 * Tiles; ++i) { // first half: read; second half: written
          const int t = i % (2 * Tiles), tx = t / 2, h = t % 2, x = tx * edge + r, y = ty * edge + 2 * k + h;
          double* const to = pass.fields.padded[f] + first + x + y * stencils.stride[1];
          const bool exists = x < most_x && y < most_y;
          if (i < 2 * Tiles) {
            there[tx][h] = exists ? *to : 0.0;
          } else {
            if (exists) *to = there[tx][h] + sum[f][ty][tx][h];
            sum[f][ty][tx][h] = 0;
          }
        }
      }
  }
};

template <int Tiles, int F>
__global__ void __launch_bounds__(32 * most_width<Tiles>, 1)
    tensor_core_global(const __grid_constant__ Passes passes) {
  using B = Batch<Tiles, F>;
  CORRAL_SHARED(B, batch, [1]);
  CORRAL_SHARED(RunsOfBrick, runs, [1]);
  CORRAL_SHARED(ColumnOfGroups, column, [1]);
  const Pass& pass = passes.pass[blockIdx.y];
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const int planes = static_cast<int>(blockDim.x) / 32; // that a layer reaches, or more
  const int* const across = pass.columns.across;
  if (blockIdx.x >= static_cast<unsigned>(across[0] * across[1] * across[2])) return;
  if (threadIdx.x == 0)
    pass.columns.groups_of(blockIdx.x, pass.stencils.places.per_axis, column[0].low, column[0].n);
  __syncthreads();
  find_runs(pass.stencils.places, column[0].low, column[0].n, runs[0]);
  if (threadIdx.x == 0) column[0].particles = runs[0].upto[column[0].n[1] * column[0].n[2]];
  __syncthreads();
  Plane<Tiles, F> plane;
  for (std::uint32_t first = 0; first < column[0].particles; first += staged) {
    const std::uint32_t rest = column[0].particles - first;
    const int count = rest < staged ? static_cast<int>(rest) : staged;
    const Particle mine =
        lane < count ? particle_of(pass.stencils, runs[0], column[0], first + lane) : Particle{0, {}, -1};
    for (int m = warp; m < B::used; m += planes)
      if (lane < count) batch[0].number[m][lane] = number_of<B>(pass.stencils, pass.fields, mine, m);
    __syncthreads();
    for (int begin = 0; begin < count;) {
      const int layer = __shfl_sync(all_lanes, mine.layer, begin);
      const int end = begin + __popc(__ballot_sync(all_lanes, mine.layer == layer));
      const int z = (warp - layer % planes + planes) % planes;
      if (plane.at != layer + z) {
        plane.flush(pass, column[0]);
        plane.at = layer + z;
      }
      plane.add(batch[0], begin, end, z);
      begin = end;
    }
    __syncthreads();
  }
  plane.flush(pass, column[0]);
}

/// A pass over fields of one block, and how its groups are cut into columns.
struct Planned {
  Pass pass;
  Colouring colouring;
  int planes; ///< that a layer of groups reaches
};

template <int Tiles>
Planned planned(const SpreadCall<double>& call, const FieldBlock<double, Spread<double>>& block, int first,
                int fields) {
  int size[3], width[3];
  for (int d = 0; d < 3; ++d) width[d] = block.support.axis[static_cast<std::size_t>(d)].width;
  size[0] = Tiles * edge - width[0] + 1;
  size[2] = std::max(8, width[2] - 1); // two colours
  size[1] = std::min(Tiles * edge - width[1] + 1, most_runs / size[2]);
  return {{block.stencils, block.fields.part(first, fields), {}}, Colouring(call.places, size, width), width[2]};
}

/// All passes of a launch add to F fields.
template <int Tiles, int F> void launch(cudaStream_t stream, std::span<const Planned> planned) {
  int colours[3] = {}, planes = 0;
  for (const Planned& p : planned) {
    planes = std::max(planes, p.planes);
    for (int d = 0; d < 3; ++d) colours[d] = std::max(colours[d], p.colouring.colours[d]);
  }
  for (int c = 0; c < colours[2]; ++c)
    for (int b = 0; b < colours[1]; ++b)
      for (int a = 0; a < colours[0]; ++a) {
        Passes passes{};
        unsigned blocks = 0, n = 0;
        for (const Planned& p : planned) {
          passes.pass[n] = p.pass;
          passes.pass[n].columns = p.colouring.bricks(a, b, c);
          blocks = std::max(blocks, passes.pass[n++].columns.blocks());
        }
        check(CORRAL_LAUNCH((tensor_core_global<Tiles, F>), dim3(blocks, n), 32 * planes, 0, stream, passes),
              "a spread by tensor_core");
      }
}

/// As many side by side as a launch takes.
template <int Tiles, int F> void launch_all(cudaStream_t stream, std::span<const Planned> planned) {
  for (std::size_t first = 0; first < planned.size(); first += most_passes)
    launch<Tiles, F>(stream, planned.subspan(first, std::min<std::size_t>(most_passes, planned.size() - first)));
}

/// So many fields of a pass that their sums stay in registers.
template <int Tiles> inline constexpr int most_fields = Tiles == 3 ? 1 : 4;

/// The blocks whose windows have Tiles x Tiles products.
template <int Tiles> void spread_blocks(const SpreadCall<double>& call) {
  std::vector<Planned> of_count[most_fields<Tiles> + 1]; // by the number of fields
  for (const auto& block : call.blocks) {
    int width = 0;
    for (const shared::AxisSupport& axis : block.support.axis) width = std::max(width, axis.width);
    if ((width <= most_width<1> ? 1 : width <= most_width<2> ? 2 : 3) != Tiles) continue;
    for (int first = 0; first < block.fields.count; first += most_fields<Tiles>) {
      const int n = std::min(most_fields<Tiles>, block.fields.count - first);
      of_count[n].push_back(planned<Tiles>(call, block, first, n));
    }
  }
  launch_all<Tiles, 1>(call.stream, of_count[1]);
  if constexpr (most_fields<Tiles> == 4) {
    launch_all<Tiles, 2>(call.stream, of_count[2]);
    launch_all<Tiles, 3>(call.stream, of_count[3]);
    launch_all<Tiles, 4>(call.stream, of_count[4]);
  }
}

} // namespace

// The tensor cores add doubles; for floats they are less exact than float itself. So those take the same way by hybrid.
template <> void spread_tensor_core(const SpreadCall<float>& call) { spread_hybrid(call); }

template <> void spread_tensor_core(const SpreadCall<double>& call) {
  for (const auto& block : call.blocks) require_brick_points<double>(block, Method::tensor_core);
  spread_blocks<1>(call);
  spread_blocks<2>(call);
  spread_blocks<3>(call);
}

} // namespace corral::gpu
