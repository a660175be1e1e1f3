#include "engine/gpu/methods/bricks.cuh"
#include "engine/gpu/order/runs.cuh"

namespace corral::gpu {
namespace {

constexpr int staged = tuning::staged_particles;
constexpr int pitch = staged + 1; ///< of weights: the points of a particle then lie in different banks

// Owner computes. A block has the points that its brick's stencils reach in shared memory. Thread (rx, ry, rz) owns
// those whose index along each axis leaves that remainder, modulo the points of a stencil: of every stencil exactly one
// point belongs to each thread. So all threads add the same particle at once, each to a point of its own, and go on to
// the next without waiting for one another. A thread's points lie in a column of their own: no two threads meet in a
// bank.

/// The sizes of one launch, derived from the stencil and the brick.
struct Tiling {
  int points[3]; ///< of a particle's own stencil
  int width[3];  ///< of a group's
  int modulus[3]; ///< the points of a stencil; along z fewer where the threads would be too many
  int slots[3];  ///< points that a thread owns along each axis
  int rounds;    ///< points of one stencil that a thread has along z
  int owners;    ///< threads that own points
  int fields;    ///< at a time

  CORRAL_HOST_DEVICE int slot_count() const { return slots[0] * slots[1] * slots[2]; }
};

/// Shared memory behind the sums: weights [axis][point][particle, pitch], values [field][particle], and for each
/// particle and axis which slot and remainder its stencil begins at.
template <class T> struct StagedBrick {
  T* weight[3];
  T* value;
  int *slot, *remainder; ///< [axis][particle]

  __device__ StagedBrick(T* memory, const Tiling& t) {
    for (int d = 0; d < 3; ++d) {
      weight[d] = memory;
      memory += t.points[d] * pitch;
    }
    value = memory;
    slot = reinterpret_cast<int*>(memory + t.fields * staged);
    remainder = slot + 3 * staged;
  }
};

template <class T> std::size_t shared_bytes(const Tiling& t) {
  const int sums = t.fields * t.slot_count() * t.owners;
  const int numbers = (t.points[0] + t.points[1] + t.points[2]) * pitch + t.fields * staged;
  return static_cast<std::size_t>(sums + numbers) * sizeof(T) + 6 * staged * sizeof(int);
}

/// Brings particle p of a batch, at `place`, into shared memory: thread by thread another number of it.
template <class T>
__device__ void stage(const Stencils<T>& stencils, const BlockFields<T, const T>& fields, const Tiling& t,
                      const std::uint32_t (&low)[3], std::int64_t place, int p, int part, int parts,
                      const StagedBrick<T>& to) {
  if (part == 0) {
    std::uint32_t group[3];
    stencils.places.group_of(stencils.places.key[place], group);
    for (int d = 0; d < 3; ++d) {
      const int first = static_cast<int>(group[d] - low[d]) + stencils.lead(d, place);
      to.slot[d * staged + p] = first / t.modulus[d];
      to.remainder[d * staged + p] = first % t.modulus[d];
    }
  }
  const std::int64_t source = stencils.places.source_of(place);
  for (int f = part; f < t.fields; f += parts) to.value[f * staged + p] = fields.column[f][source];
  for (int d = 0; d < 3; ++d)
    for (int j = part; j < t.points[d]; j += parts) to.weight[d][j * pitch + p] = stencils.weight(d, j, place);
}

/// Adds particle p of the batch to the one point of its stencil, or the few along z, that this thread owns.
template <class T>
__device__ void add(const Tiling& t, const StagedBrick<T>& batch, int p, const int (&owner)[3], int thread, T* sums) {
  int j[3], slot[3];
  for (int d = 0; d < 3; ++d) {
    const int remainder = batch.remainder[d * staged + p];
    const bool wraps = owner[d] < remainder;
    j[d] = owner[d] - remainder + (wraps ? t.modulus[d] : 0);
    slot[d] = batch.slot[d * staged + p] + (wraps ? 1 : 0);
  }
  const T weight_xy = batch.weight[0][j[0] * pitch + p] * batch.weight[1][j[1] * pitch + p];
  const int per_field = t.slot_count() * t.owners;
  for (int round = 0; round < t.rounds; ++round) {
    const int jz = j[2] + round * t.modulus[2];
    if (jz >= t.points[2]) return;
    const T weight = weight_xy * batch.weight[2][jz * pitch + p];
    T* const sum = sums + (((slot[2] + round) * t.slots[1] + slot[1]) * t.slots[0] + slot[0]) * t.owners + thread;
    for (int f = 0; f < t.fields; ++f)
      sum[f * per_field] = fma(weight, batch.value[f * staged + p], sum[f * per_field]);
  }
}

/// Adds what the block's threads have summed where it belongs. No other thread of this launch adds to these points:
/// atomics are used because nobody waits for them.
template <class T>
__device__ void flush(const BlockTask<T>& task, const Tiling& t, const int (&owner)[3], int thread, const T* sums) {
  for (int z = 0; z < t.slots[2]; ++z)
    for (int y = 0; y < t.slots[1]; ++y)
      for (int x = 0; x < t.slots[0]; ++x) {
        const int at[3] = {x * t.modulus[0] + owner[0], y * t.modulus[1] + owner[1], z * t.modulus[2] + owner[2]};
        std::int64_t point = 0;
        bool exists = true;
        for (int d = 0; d < 3; ++d) {
          exists = exists && at[d] < static_cast<int>(task.n[d]) + t.width[d] - 1;
          point += at[d] * task.stride[d];
        }
        if (!exists) continue;
        const T* const sum = sums + ((z * t.slots[1] + y) * t.slots[0] + x) * t.owners + thread;
        for (int f = 0; f < t.fields; ++f) atomicAdd(task.field[f] + point, sum[f * t.slot_count() * t.owners]);
      }
}

template <class T>
__global__ void __launch_bounds__(tuning::most_tiles_threads, 1)
    tiles_global(Stencils<T> stencils, BlockFields<T, const T> fields, Bricks<T> bricks, Tiling t) {
  CORRAL_DYNAMIC_SHARED(T, sums);
  CORRAL_SHARED(BlockTask<T>, task, [1]);
  CORRAL_SHARED(RunsOfBrick, runs, [1]);
  CORRAL_SHARED(std::uint32_t, place, [staged]);
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  const int own = t.fields * t.slot_count() * t.owners;
  const StagedBrick<T> batch(sums + own, t);
  if (thread == 0) bricks.task(blockIdx.x, stencils, fields, task[0]);
  __syncthreads();
  find_runs(stencils.places, task[0].low, task[0].n, runs[0]);
  const std::uint32_t rows = task[0].n[1] * task[0].n[2], particles = runs[0].particles;
  if (particles == 0) return; // the same for all threads
  bricks.clear(task[0], fields.count);
  for (int i = thread; i < own; i += threads) sums[i] = T(0);

  const int owner[3] = {thread % t.modulus[0], thread / t.modulus[0] % t.modulus[1],
                        thread / t.modulus[0] / t.modulus[1]};
  const int p = thread % staged, part = thread / staged, parts = threads / staged; // threads: whole warps
  const std::uint32_t own_particles = task[0].particles(particles);
  for (std::uint32_t first = 0; first < own_particles; first += staged) {
    const std::uint32_t count = own_particles - first < staged ? own_particles - first : staged;
    if (thread < static_cast<int>(count)) {
      const std::uint32_t i = task[0].begin + first + threadIdx.x;
      place[thread] = place_in_run(runs[0], run_of(runs[0], rows, i), i);
    }
    __syncthreads();
    if (p < static_cast<int>(count)) stage(stencils, fields, t, task[0].low, place[p], p, part, parts, batch);
    __syncthreads();
    if (thread < t.owners)
      for (int i = 0; i < static_cast<int>(count); ++i) add(t, batch, i, owner, thread, sums);
    __syncthreads();
  }
  if (thread < t.owners) flush(task[0], t, owner, thread, sums);
  bricks.add_further(task[0], particles, fields.count);
}

/// Groups along x, y and z of a brick: at least as long as a stencil reaches, so that two colours an axis suffice, but
/// flat for kernels of many points, whose sums would not fit into shared memory otherwise.
template <class T> Tiling tiling(const FieldBlock<T, Spread<T>>& block, int (&size)[3]) {
  Tiling t{};
  for (int d = 0; d < 3; ++d) {
    const shared::AxisSupport& axis = block.support.axis[d];
    t.points[d] = axis.thin ? 1 : axis.support;
    t.width[d] = axis.width;
    t.modulus[d] = t.points[d];
    size[d] = d == 2 && t.points[d] > tuning::brick_edge ? tuning::flat_brick
                                                         : std::max(tuning::brick_edge, t.width[d] - 1);
  }
  size[2] = std::max(1, std::min(size[2], most_runs / size[1]));
  const int flat = t.modulus[0] * t.modulus[1];
  t.modulus[2] = std::max(1, std::min(t.points[2], tuning::most_tiles_threads / flat));
  t.owners = flat * t.modulus[2];
  t.rounds = (t.points[2] + t.modulus[2] - 1) / t.modulus[2];
  for (int d = 0; d < 3; ++d) t.slots[d] = (size[d] + t.width[d] - 1 + t.modulus[d] - 1) / t.modulus[d];
  return t;
}

/// The most fields at a time, up to all of `count`, whose sums fit; 0 where those of one don't.
template <class T> int fields_that_fit(Tiling t, int count) {
  for (t.fields = count; t.fields > 0 && shared_bytes<T>(t) > most_dynamic_shared();) --t.fields;
  return t.fields;
}

} // namespace

template <class T> void spread_tiles(const SpreadCall<T>& call) {
  for (const auto& block : call.blocks) {
    require_brick_points<T>(block, Method::tiles);
    int size[3];
    Tiling t = tiling<T>(block, size);
    const int at_once = fields_that_fit<T>(t, block.fields.count);
    if (at_once == 0) { // 14 points and more in double, where a block has 99 KB
      spread_hybrid(call, block);
      continue;
    }
    const int threads = (t.owners + 31) / 32 * 32;
    for (int first = 0; first < block.fields.count; first += at_once) {
      t.fields = std::min(at_once, block.fields.count - first);
      const BlockFields<T, const T> fields = block.fields.part(first, t.fields);
      const std::size_t bytes = shared_bytes<T>(t);
      allow_shared_memory(reinterpret_cast<const void*>(&tiles_global<T>), most_dynamic_shared());
      by_colour(call, size, t.width, t.fields, [&](const Bricks<T>& bricks) {
        check(CORRAL_LAUNCH((tiles_global<T>), bricks.blocks(), threads, bytes, call.stream, block.stencils, fields,
                            bricks, t),
              "a spread by tiles");
      });
    }
  }
}

template void spread_tiles(const SpreadCall<float>&);
template void spread_tiles(const SpreadCall<double>&);

} // namespace corral::gpu
