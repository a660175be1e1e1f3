#include "engine/gpu/methods/tensor_plane.cuh"
#include "engine/gpu/order/runs.cuh"

#include <span>
#include <vector>

namespace corral::gpu {
namespace tensor {
namespace {

// A block has a tower of groups and walks up along z. The tower is so narrow that whatever group a particle is in,
// its stencil along x and y lies within one window of 8 Tiles points each: spreading is then a product of matrices
// per plane, with the weights along x, 8 points by 4 particles, and the weights along y times those of the plane
// along z times the values, 4 particles by 8 points. Of the planes that a layer of groups reaches each warp has one,
// keeps its sums in registers, and as the block walks up goes on to the plane that comes into reach when it leaves
// its own. So a plane of a window is added to the padded fields once a tower, and particles of different groups
// share a step.

/// The fields that are added to at once, their particles, and the towers of the present colour.
struct Pass {
  Stencils<double> stencils;
  BlockFields<double, const double> fields;
  Bricks<double> towers;
};
/// Passes side by side: one alone would leave most of a device without a block.
struct Passes {
  Pass pass[tuning::passes_of_a_launch];
};

/// What a lane knows of its particle: the point at which its stencil begins along each axis, from the window's first
/// and the layer's.
struct Particle {
  std::uint32_t place;
  int begin[3];
  int layer; ///< of groups in the tower; of none, where there is no particle, -1
};

__device__ Particle particle_of(const Stencils<double>& stencils, const RunsOfBrick& runs,
                                const BlockTask<double>& tower, std::uint32_t i) {
  const std::uint32_t r = run_of(runs, tower.n[1] * tower.n[2], i), place = place_in_run(runs, r, i);
  const std::uint32_t y = r % tower.n[1], layer = r / tower.n[1];
  const std::uint32_t row = (tower.low[2] + layer) * stencils.places.per_axis[1] + tower.low[1] + y;
  const std::uint32_t x = stencils.places.key[place] - row * stencils.places.per_axis[0] - tower.low[0];
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

template <int Tiles, int F>
__global__ void __launch_bounds__(32 * most_width<Tiles>, 1)
    tensor_core_global(const __grid_constant__ Passes passes) {
  using B = Batch<Tiles, F>;
  CORRAL_SHARED(B, batch, [1]);
  CORRAL_SHARED(RunsOfBrick, runs, [1]);
  CORRAL_SHARED(BlockTask<double>, tower, [1]);
  const Pass& pass = passes.pass[blockIdx.y];
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const int planes = static_cast<int>(blockDim.x) / 32; // that a layer reaches, or more
  if (blockIdx.x >= pass.towers.blocks()) return; // another pass has more
  if (threadIdx.x == 0) pass.towers.task(blockIdx.x, pass.stencils, pass.fields, tower[0]);
  __syncthreads();
  find_runs(pass.stencils.places, tower[0].low, tower[0].n, runs[0]);
  if (runs[0].particles == 0) return; // the same for all threads
  pass.towers.clear(tower[0], F);
  Plane<Tiles, F> plane;
  const std::uint32_t particles = tower[0].particles(runs[0].particles);
  for (std::uint32_t first = 0; first < particles; first += staged) {
    const std::uint32_t rest = particles - first;
    const int count = rest < staged ? static_cast<int>(rest) : staged;
    const Particle mine =
        lane < count ? particle_of(pass.stencils, runs[0], tower[0], tower[0].begin + first + lane)
                     : Particle{0, {}, -1};
    for (int m = warp; m < B::used; m += planes)
      if (lane < count) batch[0].number[m][lane] = number_of<B>(pass.stencils, pass.fields, mine, m);
    __syncthreads();
    for (int begin = 0; begin < count;) { // those of a layer
      const int layer = __shfl_sync(all_lanes, mine.layer, begin);
      const int upto = begin + __popc(__ballot_sync(all_lanes, mine.layer == layer));
      const int z = (warp - layer % planes + planes) % planes;
      if (z < pass.stencils.axis[2].support.width) { // else the layer reaches fewer planes than there are warps
        if (plane.at != layer + z) {
          plane.flush(pass.stencils, tower[0]);
          plane.at = layer + z;
        }
        plane.add(batch[0], begin, upto, z);
      }
      begin = upto;
    }
    __syncthreads();
  }
  plane.flush(pass.stencils, tower[0]);
  pass.towers.add_further(tower[0], runs[0].particles, F);
}

/// A pass over fields of one block, and how its groups are cut into towers.
struct Planned {
  Pass pass;
  Colouring colouring;
  int planes; ///< that a layer of groups reaches
};

template <int Tiles>
Planned planned(const SpreadCall<double>& call, const FieldBlock<double, Spread<double>>& block, int first,
                int fields) {
  int size[3], width[3];
  for (int d = 0; d < 3; ++d) width[d] = block.support.axis[d].width;
  size[0] = Tiles * edge - width[0] + 1;
  size[2] = std::max(tuning::tower_height, width[2] - 1); // two colours
  size[1] = std::min(Tiles * edge - width[1] + 1, most_runs / size[2]);
  return {{block.stencils, block.fields.part(first, fields), {}}, Colouring(call.places, size, width), width[2]};
}

/// One launch for all passes, each with what bricks_of(its number) says.
template <int Tiles, int F, class BricksOf>
void launch_passes(cudaStream_t stream, std::span<const Planned> planned, BricksOf&& bricks_of) {
  Passes passes{};
  unsigned blocks = 0, n = 0;
  int planes = 0;
  for (const Planned& p : planned) {
    passes.pass[n] = p.pass;
    passes.pass[n].towers = bricks_of(n);
    blocks = std::max(blocks, passes.pass[n++].towers.blocks());
    planes = std::max(planes, p.planes);
  }
  if (blocks > 0)
    check(CORRAL_LAUNCH((tensor_core_global<Tiles, F>), dim3(blocks, n), 32 * planes, 0, stream, passes),
          "a spread by tensor_core");
}

/// All passes of a launch add to F fields.
template <int Tiles, int F> void launch(const SpreadCall<double>& call, std::span<const Planned> planned) {
  int colours[3] = {};
  std::vector<Cut> cuts;
  for (const Planned& p : planned) {
    cuts.push_back(p.colouring.cut(F));
    for (int d = 0; d < 3; ++d) colours[d] = std::max(colours[d], p.colouring.colours[d]);
  }
  const std::vector<Parts<double>> parts = cut_into_parts<double>(call, cuts, tuning::part_of_brick);
  const auto run = [&](auto&& bricks_of) {
    launch_passes<Tiles, F>(call.stream, planned, bricks_of);
  };
  run([&](unsigned n) { return planned[n].colouring.further_parts(parts[n]); });
  for (int c = 0; c < colours[2]; ++c)
    for (int b = 0; b < colours[1]; ++b)
      for (int a = 0; a < colours[0]; ++a)
        run([&](unsigned n) { return planned[n].colouring.bricks(a, b, c, parts[n]); });
}

/// As many side by side as a launch takes.
template <int Tiles, int F> void launch_all(const SpreadCall<double>& call, std::span<const Planned> planned) {
  constexpr std::size_t passes = tuning::passes_of_a_launch;
  for (std::size_t first = 0; first < planned.size(); first += passes)
    launch<Tiles, F>(call, planned.subspan(first, std::min(passes, planned.size() - first)));
}

/// So many fields of a pass that their sums stay in registers.
template <int Tiles> inline constexpr int most_fields = Tiles == 3 ? 1 : tuning::fields_of_a_pass;

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
  launch_all<Tiles, 1>(call, of_count[1]);
  if constexpr (most_fields<Tiles> > 1) {
    static_assert(most_fields<Tiles> == 4);
    launch_all<Tiles, 2>(call, of_count[2]);
    launch_all<Tiles, 3>(call, of_count[3]);
    launch_all<Tiles, 4>(call, of_count[4]);
  }
}

} // namespace
} // namespace tensor

void spread_tensor_core(const SpreadCall<double>& call) {
  for (const auto& block : call.blocks) require_brick_points<double>(block, Method::tensor_core);
  tensor::spread_blocks<1>(call);
  tensor::spread_blocks<2>(call);
  tensor::spread_blocks<3>(call);
}

} // namespace corral::gpu
