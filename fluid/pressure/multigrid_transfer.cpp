#include "fluid/pressure/multigrid.hpp"
#include "fluid/pressure/multigrid_formulas.hpp"

#include <corral/vector_loops.hpp>

#include <algorithm>

namespace corral::fluid::multigrid {
namespace {

/// Where fine row (j, k) stands: its own coarse row, and the coarse rows beyond along y and z.
struct CoarsePlace {
  std::int64_t J, J_beyond, K, K_beyond;
};

CoarsePlace place_of(const Level& fine, std::int64_t j, std::int64_t k) {
  const std::int64_t y = fine.factor[1], z = fine.factor[2];
  return {parent(y, j), beyond(y, j), parent(z, k), beyond(z, k)};
}

/// How the cells of one parity of a fine row, m = 0, 1, .., map to a coarse row: cell stride m + offset, and
/// `shift` further on the coarse cell beyond.
struct Along {
  std::int64_t stride, offset, shift;
};

Along along(const Level& fine, int parity) {
  if (fine.factor[0] == 2) return {1, 0, parity == 0 ? -1 : 1};
  return {2, parity, -1};
}

/// Cells handled at a time while their products lie in the first-level cache.
constexpr std::int64_t block = 128;

struct Weights {
  const float *x, *y, *z;
};

CORRAL_VECTOR_CLONES void spread_block(std::int64_t n, const float* r, Weights w, Along map,
                                       std::array<float*, 4> coarse) {
  float own[4][block], over[4][block];
  const float *wx = w.x, *wy = w.y, *wz = w.z;
  CORRAL_INDEPENDENT_ITERATIONS
  for (std::int64_t m = 0; m < n; ++m) {
    const float top = r[m] * wz[m], base = r[m] - top;
    const float top_y = top * wy[m], base_y = base * wy[m];
    const float q0 = base - base_y, q2 = top - top_y;
    over[0][m] = q0 * wx[m];
    over[1][m] = base_y * wx[m];
    over[2][m] = q2 * wx[m];
    over[3][m] = top_y * wx[m];
    own[0][m] = q0 - over[0][m];
    own[1][m] = base_y - over[1][m];
    own[2][m] = q2 - over[2][m];
    own[3][m] = top_y - over[3][m];
  }
  for (int row = 0; row < 4; ++row) {
    float* to = coarse[row] + map.offset;
    if (map.stride == 1) {
      CORRAL_INDEPENDENT_ITERATIONS
      for (std::int64_t m = 0; m < n; ++m) to[m] += own[row][m];
      CORRAL_INDEPENDENT_ITERATIONS
      for (std::int64_t m = 0; m < n; ++m) to[m + map.shift] += over[row][m];
    } else {
      for (std::int64_t m = 0; m < n; ++m) to[2 * m] += own[row][m];
    }
  }
}

/// coarse: the row's own coarse row, beyond along y, beyond along z, beyond along both.
CORRAL_VECTOR_CLONES void interpolate_row(std::int64_t n, Weights w, Along map, std::array<const float*, 4> coarse,
                                          float* x) {
  const float *wx = w.x, *wy = w.y, *wz = w.z;
  const float *c0 = coarse[0] + map.offset, *c1 = coarse[1] + map.offset, *c2 = coarse[2] + map.offset,
              *c3 = coarse[3] + map.offset;
  auto at = [&](std::int64_t m, std::int64_t i) {
    return between(between(c0[i], c1[i], wy[m]), between(c2[i], c3[i], wy[m]), wz[m]);
  };
  if (map.stride == 1) {
    CORRAL_INDEPENDENT_ITERATIONS
    for (std::int64_t m = 0; m < n; ++m) {
      const float own = at(m, m), over = at(m, m + map.shift);
      x[m] += between(own, over, wx[m]);
    }
  } else {
    for (std::int64_t m = 0; m < n; ++m) x[m] += at(m, 2 * m);
  }
}

/// Where only red is wanted, the parity of its cells in row (j, k); both otherwise.
template <class F> void for_each_parity(const Level& fine, bool both, std::int64_t j, std::int64_t k, F&& f) {
  const int red = static_cast<int>((j + k) & 1);
  if (fine.in_half(red) > 0) f(red);
  if (both && fine.in_half(1 - red) > 0) f(1 - red);
}

void spread_row(Level& fine, TransferBuffers& to, std::int64_t j, std::int64_t k, bool both) {
  const CoarsePlace p = place_of(fine, j, k);
  PlainField& outside = p.K_beyond < p.K ? to.below : to.above;
  for_each_parity(fine, both, j, k, [&](int parity) {
    const std::int64_t n = fine.in_half(parity), at = fine.row(j, k) + parity * fine.odd;
    const Along map = along(fine, parity);
    for (std::int64_t m = 0; m < n; m += block) {
      const std::int64_t skip = m * map.stride, count = std::min(block, n - m);
      const Weights w{fine.weight[0].data() + at + m, fine.weight[1].data() + at + m, fine.weight[2].data() + at + m};
      float r[block];
      residual(fine, j, k, parity, m, count, r);
      spread_block(count, r, w, map,
                   {to.own.row(p.J, p.K) + skip, to.own.row(p.J_beyond, p.K) + skip, outside.row(p.J, p.K) + skip,
                    outside.row(p.J_beyond, p.K) + skip});
    }
  });
}

void clear_plane(PlainField& f, std::int64_t K) {
  std::fill_n(f.plane(K), f.plane_values(), 0.0f);
}

/// Adds the ghosts of a plane to the cells that they stand for.
void fold_plane(PlainField& f, std::int64_t K, const std::array<bool, 3>& periodic) {
  const std::int64_t nx = f.cells[0], ny = f.cells[1];
  auto add = [&](float* from, float* to) {
    for (std::int64_t i = -1; i <= nx; ++i) to[i] += from[i];
  };
  if (periodic[1]) {
    add(f.row(-1, K), f.row(ny - 1, K));
    add(f.row(ny, K), f.row(0, K));
  }
  if (periodic[0])
    for (std::int64_t J = 0; J < ny; ++J) {
      float* row = f.row(J, K);
      row[nx - 1] += row[-1];
      row[0] += row[nx];
    }
}

} // namespace

void restrict_residual(Cpu cpu, Level& fine, Level& coarse, TransferBuffers& buffers) {
  for (PlainField* f : {&buffers.own, &buffers.below, &buffers.above}) f->resize(coarse.cells);
  wrap_rows(cpu, fine);
  const bool both = fine.seam();
  const Planes own_planes = fine.planes.coarser(fine.factor[2]);
  const std::int64_t planes = coarse.cells[2], wz = fine.factor[2];
  for_each_chunk(cpu, own_planes.end() - own_planes.begin(), 1, [&](std::int64_t n, std::int64_t) {
    const std::int64_t K = own_planes.begin() + n;
    for (PlainField* f : {&buffers.own, &buffers.below, &buffers.above}) clear_plane(*f, K);
    for (std::int64_t k = wz * K; k < std::min(wz * (K + 1), fine.cells[2]); ++k)
      for (std::int64_t j = 0; j < fine.cells[1]; ++j) spread_row(fine, buffers, j, k, both);
    for (PlainField* f : {&buffers.own, &buffers.below, &buffers.above}) fold_plane(*f, K, coarse.periodic);
  });
  for (PlainField* f : {&buffers.below, &buffers.above}) own_planes.fill(f->plane(0), f->plane_values());
  for_each_row(cpu, coarse.cells, own_planes, [&](std::int64_t J, std::int64_t K) {
    float* own = buffers.own.row(J, K);
    auto add = [&](PlainField& f, std::int64_t from) {
      if (coarse.periodic[2]) from = (from + planes) % planes;
      if (from < 0 || from >= planes) return;
      const float* row = f.row(J, from);
      for (std::int64_t i = 0; i < coarse.cells[0]; ++i) own[i] += row[i];
    };
    add(buffers.below, K + 1);
    add(buffers.above, K - 1);
    float* b = coarse.b.data() + coarse.row(J, K);
    for (std::int64_t i = 0; i < coarse.cells[0]; ++i) b[coarse.place(i)] = own[i];
  });
  if (!coarse.planes.shared()) own_planes.complete(coarse.b.data() + coarse.plane_step(), coarse.plane_step());
}

void add_correction(Cpu cpu, Level& fine, Level& coarse, TransferBuffers& buffers) {
  PlainField& plain = buffers.own;
  wrap_rows(cpu, coarse);
  plain.resize(coarse.cells);
  const std::int64_t nx = coarse.cells[0], ny = coarse.cells[1];
  const Planes own_planes = fine.planes.coarser(fine.factor[2]);
  for_each_chunk(cpu, own_planes.end() - own_planes.begin() + 2, 1, [&](std::int64_t n, std::int64_t) {
    const std::int64_t K = own_planes.begin() + n - 1;
    for (std::int64_t J = -1; J <= ny; ++J) {
      const float* x = coarse.x.data() + coarse.row(J, K);
      float* row = plain.row(J, K);
      for (std::int64_t i = 0; i < nx; ++i) row[i] = x[coarse.place(i)];
      row[-1] = coarse.periodic[0] ? row[nx - 1] : 0.0f;
      row[nx] = coarse.periodic[0] ? row[0] : 0.0f;
    }
  });
  const bool both = fine.seam();
  for_each_row(cpu, fine.cells, fine.planes, [&](std::int64_t j, std::int64_t k) {
    const CoarsePlace p = place_of(fine, j, k);
    for_each_parity(fine, both, j, k, [&](int parity) {
      const std::int64_t at = fine.row(j, k) + parity * fine.odd;
      interpolate_row(fine.in_half(parity),
                      {fine.weight[0].data() + at, fine.weight[1].data() + at, fine.weight[2].data() + at},
                      along(fine, parity),
                      {plain.row(p.J, p.K), plain.row(p.J_beyond, p.K), plain.row(p.J, p.K_beyond),
                       plain.row(p.J_beyond, p.K_beyond)},
                      fine.x.data() + at);
    });
  });
}

} // namespace corral::fluid::multigrid
