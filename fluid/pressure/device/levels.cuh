#pragma once

/// What a thread does with a cell of a grid, in launches over a large grid as in the block that has all the small ones.

#include "fluid/pressure/device/views.hpp"
#include "fluid/pressure/multigrid_formulas.hpp"

#include <corral/device_code.cuh>

#include <cstdint>

namespace corral::fluid::multigrid {

constexpr int red = static_cast<int>(Colour::red), black = static_cast<int>(Colour::black);

struct Site {
  std::int32_t i, j, k;
  std::int32_t row, parity, m; ///< the m-th cell of its parity in the row that begins there
};

/// The t-th place of a colour; false where its row has no such cell.
__device__ inline bool find_site(const LevelView& l, std::uint32_t t, int colour, Site& s) {
  const std::uint32_t half = static_cast<std::uint32_t>(l.half), ny = static_cast<std::uint32_t>(l.n[1]);
  const std::uint32_t row = t / half, k = row / ny;
  s.m = static_cast<std::int32_t>(t - row * half);
  s.k = static_cast<std::int32_t>(k);
  s.j = static_cast<std::int32_t>(row - k * ny);
  s.parity = (colour + s.j + s.k) & 1;
  s.i = 2 * s.m + s.parity;
  s.row = l.row(s.j, s.k);
  return s.i < l.n[0];
}

__device__ inline std::int32_t place_of(const LevelView& l, const Site& s) { return s.row + s.parity * l.odd + s.m; }

/// b + sum over the faces of b_f x_neighbour. Across a seam there are cells of the same colour: a sweep takes their old
/// values, from ghosts.
template <bool sweep> __device__ inline float pull(const LevelView& l, const Site& s) {
  const std::uint32_t around = sweep ? l.periodic & ~l.seams : l.periodic;
  const std::int32_t at = place_of(l, s), x_high = s.row + (1 - s.parity) * l.odd + s.m + s.parity; // also of the upper face
  const auto beyond_low = [&](int d, std::int32_t i) { return i == 0 && (around >> d & 1) != 0; };
  const auto beyond_high = [&](int d, std::int32_t i) { return i == l.n[d] - 1 && (around >> d & 1) != 0; };
  const float* const x = l.x;
  return add_pulls(l.b[at], l.face[0][at] * x[beyond_low(0, s.i) ? s.row + l.place(l.n[0] - 1) : x_high - 1],
                   l.face[0][x_high] * x[beyond_high(0, s.i) ? s.row : x_high],
                   l.face[1][at] * x[beyond_low(1, s.j) ? at + (l.n[1] - 1) * l.y : at - l.y],
                   l.face[1][at + l.y] * x[beyond_high(1, s.j) ? at - (l.n[1] - 1) * l.y : at + l.y],
                   l.face[2][at] * x[beyond_low(2, s.k) ? at + (l.n[2] - 1) * l.z : at - l.z],
                   l.face[2][at + l.z] * x[beyond_high(2, s.k) ? at - (l.n[2] - 1) * l.z : at + l.z]);
}

/// Gauss-Seidel.
__device__ inline void relax(const LevelView& l, std::uint32_t t, int colour) {
  Site s;
  if (!find_site(l, t, colour, s)) return;
  const std::int32_t at = place_of(l, s);
  l.x[at] = pull<true>(l, s) * l.inverse[at];
}

/// r = b - A x.
__device__ inline void leave(const LevelView& l, std::uint32_t t, int colour, float* r) {
  Site s;
  if (!find_site(l, t, colour, s)) return;
  const std::int32_t at = place_of(l, s);
  r[at] = pull<false>(l, s) - l.x[at] / l.inverse[at];
}

/// Hands a cell its right-hand side, and does what the first half of a sweep from x = 0 does.
__device__ inline void begin(const LevelView& l, std::int32_t at, bool is_red, float b) {
  l.b[at] = b;
  if (is_red || l.uncoupled) l.x[at] = b * l.inverse[at];
  else if (l.seams != 0) l.x[at] = 0;
}

/// Threads that refresh_seams takes.
__device__ inline std::uint32_t seam_sites(const LevelView& l) {
  std::int32_t sites = 0;
  for (int d = 0; d < 3; ++d)
    if (l.has_seam(d)) sites += l.n[0] * l.n[1] * l.n[2] / l.n[d];
  return static_cast<std::uint32_t>(sites);
}

/// Ghosts of x beyond the ends of an axis that has a seam.
__device__ inline void refresh_seams(const LevelView& l, std::uint32_t t) {
  auto rest = static_cast<std::int32_t>(t);
  for (int d = 0; d < 3; ++d) {
    if (!l.has_seam(d)) continue;
    const std::int32_t along = d == 0 ? l.n[1] : l.n[0], sites = l.n[0] * l.n[1] * l.n[2] / l.n[d];
    if (rest < sites) {
      const std::int32_t one = rest % along, other = rest / along;
      const std::int32_t row = d == 0 ? l.row(one, other) : d == 1 ? l.row(0, other) : l.row(other, 0);
      const std::int32_t first = d == 0 ? row : row + l.place(one), step = d == 1 ? l.y : l.z;
      const std::int32_t last = d == 0 ? row + l.place(l.n[0] - 1) : first + (l.n[d] - 1) * step;
      l.x[d == 0 ? row + l.odd - 1 : first - step] = l.x[last];
      l.x[d == 0 ? row + l.place(l.n[0]) : last + step] = l.x[first];
      return;
    }
    rest -= sites;
  }
}

/// A fine cell that coarse cell I reaches along an axis; i = -1: none.
struct Reached {
  std::int32_t i;
  bool over; ///< I is the one beyond the fine cell's outer face
};

/// The four that there may be: below the coarse cell, in it, above it.
__device__ inline Reached reached(const LevelView& fine, int d, std::int32_t I, int which) {
  const std::int32_t n = fine.n[d], i = 2 * I - 1 + which;
  if (fine.factor[d] == 1) return {which == 1 ? I : -1, false};
  if (which == 0) return {i > 0 ? i : fine.wraps(d) ? n - 1 : -1, true}; // the weight of an odd axis' last cell is 0
  if (which == 3) return {i < n ? i : fine.wraps(d) ? 0 : -1, true};
  return {i < n ? i : -1, false};
}

__device__ inline float share(float value, float weight, bool over) {
  return over ? value * weight : value - value * weight;
}

/// coarse.b = P^T r of a cell. Where no seam is, r is 0 but in red cells.
__device__ inline void restrict_to(const LevelView& fine, const LevelView& coarse, const float* r, std::uint32_t t) {
  const std::uint32_t nx = static_cast<std::uint32_t>(coarse.n[0]), ny = static_cast<std::uint32_t>(coarse.n[1]);
  const std::uint32_t row = t / nx;
  const auto I = static_cast<std::int32_t>(t - row * nx), K = static_cast<std::int32_t>(row / ny),
             J = static_cast<std::int32_t>(row) - K * static_cast<std::int32_t>(ny);
  float sum = 0;
#pragma unroll 1
  for (int z = 0; z < 4; ++z) {
    const Reached k = reached(fine, 2, K, z);
    if (k.i < 0) continue;
#pragma unroll 1
    for (int y = 0; y < 4; ++y) {
      const Reached j = reached(fine, 1, J, y);
      if (j.i < 0) continue;
      const std::int32_t first = fine.row(j.i, k.i);
#pragma unroll
      for (int x = 0; x < 4; ++x) {
        const Reached i = reached(fine, 0, I, x);
        if (i.i < 0 || (fine.seams == 0 && ((i.i + j.i + k.i) & 1) != red)) continue;
        const std::int32_t at = first + fine.place(i.i);
        const float over_z = share(r[at], fine.weight[2][at], k.over), over_y = share(over_z, fine.weight[1][at], j.over);
        sum += share(over_y, fine.weight[0][at], i.over);
      }
    }
  }
  begin(coarse, coarse.row(J, K) + coarse.place(I), ((I + J + K) & 1) == red, sum);
}

__device__ inline std::int32_t around(const LevelView& l, int d, std::int32_t i) {
  return !l.wraps(d) ? i : i < 0 ? l.n[d] - 1 : i == l.n[d] ? 0 : i;
}

/// x += P coarse.x of a cell.
__device__ inline void correct(const LevelView& fine, const LevelView& coarse, std::uint32_t t, int colour) {
  Site s;
  if (!find_site(fine, t, colour, s)) return;
  const std::int32_t at = place_of(fine, s);
  const auto own = [&](int d, std::int32_t i) { return static_cast<std::int32_t>(parent(fine.factor[d], i)); };
  const auto over = [&](int d, std::int32_t i) { return around(coarse, d, static_cast<std::int32_t>(beyond(fine.factor[d], i))); };
  const std::int32_t J = own(1, s.j), K = own(2, s.k), J_over = over(1, s.j), K_over = over(2, s.k);
  const std::int32_t rows[4] = {coarse.row(J, K), coarse.row(J_over, K), coarse.row(J, K_over), coarse.row(J_over, K_over)};
  const float wx = fine.weight[0][at], wy = fine.weight[1][at], wz = fine.weight[2][at];
  const auto value = [&](std::int32_t I) {
    const float* const x = coarse.x + coarse.place(I);
    return between(between(x[rows[0]], x[rows[1]], wy), between(x[rows[2]], x[rows[3]], wy), wz);
  };
  fine.x[at] += between(value(own(0, s.i)), value(over(0, s.i)), wx);
}

} // namespace corral::fluid::multigrid
