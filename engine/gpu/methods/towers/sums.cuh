#pragma once

#include "engine/gpu/methods/towers/memory.cuh"

/// The consumers: each warp has the sums of 8 points along x, some along y and two planes, of all fields, in registers.
namespace corral::gpu::towers {

/// Per product of four particles sum[(z, x)][(y, field)] += A[(z, x)][particle] B[particle][(y, field)] with A the
/// weights along x times those along z, B those along y times values. Lane l = 4 r + k brings of particle k: x = r in
/// both planes, and column r, which is y = r / side_by_side, field = r % side_by_side. It has x = r, columns 2 k and 2
/// k + 1. A product is the chain of fused multiply-adds in the order of particles, and what is zero changes nothing: a
/// point's sum is that of its particles in cell order, whatever towers, stages, shares and other fields.
template <class S> struct Sums {
  double sum[S::products_y][S::products_f][4];
  int plane = 0;   ///< the lower of the two
  int k, r, group; ///< group: along y
  int y_of_group;

  __device__ explicit Sums(int pair) {
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
    k = lane % together;
    r = lane / together;
    group = (warp + pair) % S::warps_y; // no quarter of the multiprocessor has one group alone
    y_of_group = group * S::points_of_warp;
    clear();
  }
  __device__ void clear() {
#pragma unroll
    for (auto& of_y : sum)
#pragma unroll
      for (auto& of_f : of_y)
#pragma unroll
        for (double& s : of_f) s = 0;
  }

  /// Particles [begin, end) of a stage, all of one layer, which lies dz below the lower plane.
  __device__ void add(const double (&window)[S::window_rows][S::pitch], const double (&zeros)[S::pitch], int begin,
                      int end, int dz, int once) {
    const int first = begin + k;
    const double *x = &window[r][first], *y = &window[S::row_y + y_of_group + r / S::side_by_side][first],
                 *value = &window[S::row_values + r % S::side_by_side][first],
                 *z0 = dz >= 0 ? &window[S::row_z + dz][first] : &zeros[first],
                 *z1 = dz + 1 < S::P ? &window[S::row_z + dz + 1][first] : &zeros[first];
#pragma unroll 1
    for (int left = end - begin; left > 0; left -= together) {
      const double wx = *x, wz0 = *z0, wz1 = *z1;
      double wy[S::products_y], v[S::products_f], b[S::products_y][S::products_f];
#pragma unroll
      for (int h = 0; h < S::products_y; ++h) wy[h] = y[h * S::y_of_product * S::pitch];
#pragma unroll
      for (int g = 0; g < S::products_f; ++g) v[g] = value[g * S::side_by_side * S::pitch];
      const double a0 = wx * wz0, a1 = wx * wz1;
#pragma unroll
      for (int h = 0; h < S::products_y; ++h)
#pragma unroll
        for (int g = 0; g < S::products_f; ++g) b[h][g] = wy[h] * v[g];
      if constexpr (S::products_in_a_loop) {
#pragma unroll 1
        for (int i = 0; i < once; ++i) multiply(a0, a1, b);
      } else {
        multiply(a0, a1, b);
      }
      x += together, y += together, value += together, z0 += together, z1 += together;
    }
  }
  __device__ void multiply(double a0, double a1, const double (&b)[S::products_y][S::products_f]) {
#pragma unroll
    for (int h = 0; h < S::products_y; ++h)
#pragma unroll
      for (int g = 0; g < S::products_f; ++g) multiply_16x8x4(sum[h][g], a0, a1, b[h][g]);
  }

  /// Calls put(field, x, y, z, sum) for each of the lane's sums, x, y, z from the walk's first point on. Clears them.
  template <class Put> __device__ void take(int fields, Put&& put) {
#pragma unroll 1 // all addresses at once would take registers that sums need
    for (int i = 0; i < 4; ++i) {
      int x = r, column = 2 * k + i % 2;
      asm volatile("" : "+r"(x), "+r"(column)); // or the compiler computes addresses before the loop
      const int y = y_of_group + column / S::side_by_side;
#pragma unroll
      for (int g = 0; g < S::products_f; ++g)
#pragma unroll
        for (int h = 0; h < S::products_y; ++h) {
          const double(&s)[4] = sum[h][g];
          const double low = i % 2 == 0 ? s[0] : s[1], high = i % 2 == 0 ? s[2] : s[3];
          const int field = g * S::side_by_side + column % S::side_by_side;
          if (field < fields) put(field, x, y + h * S::y_of_product, i / 2, i < 2 ? low : high);
        }
    }
    clear();
  }

  /// Adds the two planes to the fields; points beyond them, and those of a part of a crowd, are set. No other thread
  /// has these points.
  __device__ void write(const Job& job, const Walk& walk) {
    const Points& points = job.points;
    take(points.fields, [&](int f, int dx, int dy, int dz, double s) {
      const int x = walk.x + dx, y = walk.y + dy, z = plane + dz;
      if (z >= walk.z1) return;
      if (walk.part >= 0) {
        double* const to = job.crowds.point(walk.part, f, points.fields, job.cells.width, x - walk.low[0],
                                            y - walk.low[1], z - walk.low[2]);
        if (to != nullptr) *to = s;
      } else if (x < points.padded[0] && y < points.padded[1]) {
        points.put(f, x, y, z, s);
      }
    });
  }
};

template <class S> __device__ void consume(const Job& job, Memory<S>& memory) {
  const int warp = static_cast<int>(threadIdx.x) / 32, pair = warp / S::warps_y;
  Sums<S> sums(pair);
  Ring<S::window_stages> ring{0, 0};
  bool begins = true;
#pragma unroll 1
  for (int number = 0;;) {
    wait_for_phase(memory.window_full[ring.stage], ring.parity);
    const Seen seen = memory.window_seen[ring.stage][sums.group];
    if (seen.layer == all_ends) return;
    const Walk& walk = memory.walk[number % Memory<S>::walks_kept];
    if (begins) sums.plane = walk.z0 + 2 * pair;
    while (sums.plane + 1 < seen.layer && sums.plane < walk.z1) { // both planes are done
      sums.write(job, walk);
      sums.plane += 2 * S::warps_z;
    }
    begins = seen.layer == walk_ends;
    number += begins;
    const int dz = sums.plane - seen.layer;
    if (!begins && dz >= -1 && dz < S::P && sums.plane < walk.z1)
      sums.add(memory.window[ring.stage], memory.zeros, seen.begin, seen.end, dz, job.once);
    __syncwarp();
    if (threadIdx.x % 32 == 0) arrive(memory.window_empty[ring.stage]);
    ring.next();
  }
}

} // namespace corral::gpu::towers
