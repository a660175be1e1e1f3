#include "fluid/pressure/multigrid.hpp"
#include "fluid/pressure/multigrid_formulas.hpp"

#include <corral/vector_loops.hpp>

#include <algorithm>

namespace corral::fluid::multigrid {
namespace {

Interface interface(const Level& fine, const Level& coarse, std::size_t d, std::int64_t J) {
  return interface_at(fine.cells[d], coarse.cells[d], fine.periodic[d], J);
}

/// Adds a fine row, values of even and of odd cells, to a coarse row in plain order.
[[gnu::always_inline]] inline void add_pair(float* plain, std::int64_t m, std::int64_t factor, float even,
                                            float odd) {
  if (factor == 2) {
    plain[m] += even + odd;
  } else {
    plain[2 * m] += even;
    plain[2 * m + 1] += odd;
  }
}

/// Joints of one row of y or z faces; `low` and `high` are the rows of inner faces.
CORRAL_VECTOR_CLONES void join_rows(std::int64_t half, std::int64_t odd, const float* face, const float* low,
                                    const float* high, float* weight_low, float* weight_high, std::int64_t factor,
                                    float* plain) {
  CORRAL_INDEPENDENT_ITERATIONS
  for (std::int64_t m = 0; m < half; ++m) {
    const Joint a = join(face[m], low[m], high[m]), b = join(face[odd + m], low[odd + m], high[odd + m]);
    weight_low[m] = a.weight_low;
    weight_low[odd + m] = b.weight_low;
    weight_high[m] = a.weight_high;
    weight_high[odd + m] = b.weight_high;
    add_pair(plain, m, factor, a.conductance, b.conductance);
  }
}

/// The same where the axis is not coarsened: each face stays what it is.
void add_rows(std::int64_t half, std::int64_t odd, const float* face, std::int64_t factor, float* plain) {
  for (std::int64_t m = 0; m < half; ++m) add_pair(plain, m, factor, face[m], face[odd + m]);
}

/// Joints of the x faces between complete pairs of cells: coarse faces 1 to n - 1 of a row.
CORRAL_VECTOR_CLONES void join_pairs(std::int64_t n, std::int64_t odd, const float* face, float* weight,
                                     float* plain) {
  CORRAL_INDEPENDENT_ITERATIONS
  for (std::int64_t m = 1; m < n; ++m) {
    const Joint a = join(face[m], face[odd + m - 1], face[odd + m]);
    weight[odd + m - 1] = a.weight_low;
    weight[m] = a.weight_high;
    plain[m] += a.conductance;
  }
}

void join_x(const Level& fine, const Level& coarse, const float* face, float* weight, float* plain) {
  const std::int64_t n = coarse.cells[0];
  if (fine.factor[0] == 1) {
    for (std::int64_t i = 0; i <= n; ++i) plain[i] += face[fine.place(i)];
    return;
  }
  auto one = [&](std::int64_t J) {
    const Interface s = interface(fine, coarse, 0, J);
    auto at = [&](std::int64_t inner) { return inner < 0 ? 0.0f : face[fine.place(inner)]; };
    const Joint a = join(face[fine.place(s.face)], at(s.low_inner), at(s.high_inner));
    if (s.low_cell >= 0) weight[fine.place(s.low_cell)] = a.weight_low;
    if (s.high_cell < fine.cells[0]) weight[fine.place(s.high_cell)] = a.weight_high;
    plain[J] += a.conductance;
  };
  const std::int64_t pairs = fine.cells[0] / 2;
  one(0);
  join_pairs(pairs, fine.odd, face, weight, plain);
  // A periodic axis has been closed by face 0.
  for (std::int64_t J = std::max<std::int64_t>(1, pairs); J < n + (fine.periodic[0] ? 0 : 1); ++J) one(J);
}

void store(const Level& coarse, const float* plain, float* row) {
  for (std::int64_t i = 0; i <= coarse.cells[0]; ++i) row[coarse.place(i)] = plain[i];
}

/// Calls f(fine index) for the fine cells of coarse cell I.
template <class F> void for_each_child(const Level& fine, std::size_t d, std::int64_t I, F&& f) {
  const std::int64_t w = fine.factor[d];
  for (std::int64_t i = w * I; i < std::min(w * (I + 1), fine.cells[d]); ++i) f(i);
}

void coarsen_x(Cpu cpu, Level& fine, Level& coarse, const Planes& planes, PlainField& scratch) {
  for_each_row(cpu, coarse.cells, planes, [&](std::int64_t J, std::int64_t K) {
    float* plain = scratch.row(J, K);
    std::fill_n(plain, coarse.cells[0] + 1, 0.0f);
    for_each_child(fine, 2, K, [&](std::int64_t k) {
      for_each_child(fine, 1, J, [&](std::int64_t j) {
        const std::int64_t row = fine.row(j, k);
        join_x(fine, coarse, fine.face[0].data() + row, fine.weight[0].data() + row, plain);
      });
    });
    store(coarse, plain, coarse.face[0].data() + coarse.row(J, K));
  });
}

/// y (d = 1) and z (d = 2): whole rows are joined. Faces on a cut, and the weights beside them, both ranks find.
void coarsen_rows(Cpu cpu, Level& fine, Level& coarse, const Planes& planes, PlainField& scratch, std::size_t d) {
  const std::size_t across = 3 - d;
  const float* face = fine.face[d].data();
  float* weight = fine.weight[d].data();
  auto row = [&](std::int64_t along, std::int64_t other) {
    return d == 1 ? fine.row(along, other) : fine.row(other, along);
  };
  std::array<std::int64_t, 3> faces = coarse.cells;
  faces[d] += coarse.periodic[d] ? 0 : 1;
  const std::int64_t end = d == 1 ? planes.end() : planes.shared() ? planes.end() + 1 : faces[2];
  for_each_row(cpu, faces, planes.begin(), end, [&](std::int64_t J, std::int64_t K) {
    if (d == 2 && K == faces[2]) K = 0; // periodic, and plane 0 is another rank's
    const std::int64_t at = d == 1 ? J : K;
    const Interface s = interface(fine, coarse, d, at);
    float* plain = scratch.row(J, K);
    std::fill_n(plain, coarse.cells[0] + 1, 0.0f);
    for_each_child(fine, across, d == 1 ? K : J, [&](std::int64_t other) {
      if (fine.factor[d] == 1) return add_rows(fine.half, fine.odd, face + row(at, other), fine.factor[0], plain);
      join_rows(fine.half, fine.odd, face + row(s.face, other), face + row(s.low_inner, other),
                face + row(s.high_inner, other), weight + row(s.low_cell, other), weight + row(s.high_cell, other),
                fine.factor[0], plain);
    });
    store(coarse, plain, coarse.face[d].data() + coarse.row(J, K));
  });
}

void coarsen_reaction(Cpu cpu, const Level& fine, Level& coarse, const Planes& planes, PlainField& scratch) {
  for_each_row(cpu, coarse.cells, planes, [&](std::int64_t J, std::int64_t K) {
    float* plain = scratch.row(J, K);
    std::fill_n(plain, coarse.cells[0] + 1, 0.0f);
    for_each_child(fine, 2, K, [&](std::int64_t k) {
      for_each_child(fine, 1, J, [&](std::int64_t j) {
        add_rows(fine.half, fine.odd, fine.reaction.data() + fine.row(j, k), fine.factor[0], plain);
      });
    });
    plain[coarse.cells[0]] = 0.0f;
    store(coarse, plain, coarse.reaction.data() + coarse.row(J, K));
  });
}

CORRAL_VECTOR_CLONES void invert(std::int64_t n, const float* x_low, const float* x_high, const float* y,
                                 std::int64_t y_step, const float* z, std::int64_t z_step, const float* reaction,
                                 float* inverse) {
  CORRAL_INDEPENDENT_ITERATIONS
  for (std::int64_t m = 0; m < n; ++m)
    inverse[m] = inverse_of(x_low[m], x_high[m], y[m], y[m + y_step], z[m], z[m + z_step], reaction[m]);
}

/// Face N of a periodic axis is face 0 again, and a cell does not couple with itself.
void close_periodic(Cpu cpu, Level& l) {
  const std::int64_t ny = l.cells[1], nz = l.cells[2], step = l.row_step();
  auto copy_row = [&](float* f, std::int64_t from, std::int64_t to, bool thin) {
    if (thin) std::fill_n(f + from, step, 0.0f);
    std::copy_n(f + from, step, f + to);
  };
  float* fx = l.face[0].data();
  if (l.periodic[0])
    for_each_row(cpu, l.cells, l.planes, [&](std::int64_t j, std::int64_t k) {
      float* row = fx + l.row(j, k);
      if (l.cells[0] == 1) row[0] = 0.0f;
      row[l.place(l.cells[0])] = row[0];
    });
  if (l.periodic[1])
    for_each(cpu, nz, [&](std::int64_t k) { copy_row(l.face[1].data(), l.row(0, k), l.row(ny, k), ny == 1); });
  if (l.periodic[2])
    for_each(cpu, ny, [&](std::int64_t j) { copy_row(l.face[2].data(), l.row(j, 0), l.row(j, nz), nz == 1); });
}

} // namespace

void complete(Cpu cpu, Level& l) {
  close_periodic(cpu, l);
  const std::int64_t y = l.row_step(), z = l.plane_step();
  for_each_row(cpu, l.cells, l.planes, [&](std::int64_t j, std::int64_t k) {
    const std::int64_t row = l.row(j, k);
    for (int parity = 0; parity < 2; ++parity) {
      const std::int64_t at = row + parity * l.odd, other = row + (1 - parity) * l.odd;
      invert(l.in_half(parity), l.face[0].data() + at, l.face[0].data() + other + parity, l.face[1].data() + at, y,
             l.face[2].data() + at, z, l.reaction.data() + at, l.inverse.data() + at);
    }
  });
}

namespace {

/// What other ranks have found of a coarse grid's coefficients, as far as this one works with it.
void share_coefficients(Level& coarse, const Planes& planes) {
  const std::int64_t plane = coarse.plane_step();
  if (coarse.planes.shared()) return planes.fill(coarse.face[2].data() + plane, plane, 2);
  for (Array<float>* values : {&coarse.face[0], &coarse.face[1], &coarse.reaction}) planes.complete(values->data() + plane, plane);
  planes.complete(coarse.face[2].data() + plane, plane, coarse.periodic[2] ? 0 : 1);
}

} // namespace

void coarsen(Cpu cpu, Level& fine, Level& coarse, PlainField& scratch) {
  scratch.resize(coarse.cells);
  const Planes planes = fine.planes.coarser(fine.factor[2]);
  coarsen_x(cpu, fine, coarse, planes, scratch);
  coarsen_rows(cpu, fine, coarse, planes, scratch, 1);
  coarsen_rows(cpu, fine, coarse, planes, scratch, 2);
  coarsen_reaction(cpu, fine, coarse, planes, scratch);
  share_coefficients(coarse, planes);
  complete(cpu, coarse);
}

} // namespace corral::fluid::multigrid
