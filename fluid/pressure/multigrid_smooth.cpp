#include "fluid/pressure/multigrid.hpp"
#include "fluid/pressure/multigrid_formulas.hpp"

#include <corral/error.hpp>
#include <corral/vector_loops.hpp>

#include <algorithm>
#include <limits>
#include <string>

namespace corral::fluid::multigrid {

Level::Level(std::array<std::int64_t, 3> n, std::array<bool, 3> wraps, Memory memory)
    : cells(n), periodic(wraps), half((n[0] + 1) / 2), odd((half + 2 + 7) / 8 * 8), planes(n[2]) {
  const std::int64_t values = plane_step() * (n[2] + 2);
  if (memory == Memory::device && values > std::numeric_limits<std::int32_t>::max())
    throw Error("a pressure grid of " + std::to_string(cell_count()) +
                " cells on a device (its places have 31 bits) take fewer");
  // Ghosts and padding stay 0 for good: sums may run over them.
  for (Array<float>& a : face) a = Array<float>(values, 0.0f, memory);
  for (Array<float>& a : weight) a = Array<float>(values, 0.0f, memory);
  for (Array<float>* a : {&reaction, &inverse, &b, &x}) *a = Array<float>(values, 0.0f, memory);
}

bool Level::seam() const {
  for (std::size_t d = 0; d < 3; ++d)
    if (periodic[d] && cells[d] > 1 && cells[d] % 2 == 1) return true;
  return false;
}

void PlainField::resize(std::array<std::int64_t, 3> n) {
  cells = n;
  values.resize((n[0] + 2) * (n[1] + 2) * (n[2] + 2));
}

namespace {

/// Where the cells of one parity of a row find their six faces and neighbours: lower and upper x, y, z.
struct Stencil {
  std::array<const float*, 6> face, x;
  const float* b;
  const float* inverse;
  std::int64_t at; ///< of the first cell
};

Stencil stencil(const Level& l, std::int64_t j, std::int64_t k, int parity, std::int64_t begin = 0) {
  const std::int64_t row = l.row(j, k) + begin;
  const std::int64_t at = row + parity * l.odd, other = row + (1 - parity) * l.odd;
  const std::int64_t y = l.row_step(), z = l.plane_step();
  const auto& [fx, fy, fz] = l.face;
  const float* x = l.x.data();
  return {{fx.data() + at, fx.data() + other + parity, fy.data() + at, fy.data() + at + y, fz.data() + at,
           fz.data() + at + z},
          {x + other - 1 + parity, x + other + parity, x + at - y, x + at + y, x + at - z, x + at + z},
          l.b.data() + at,
          l.inverse.data() + at,
          at};
}

/// b + sum over the faces of b_f x_neighbour.
[[gnu::always_inline]] inline float pull(const std::array<const float*, 6>& f, const std::array<const float*, 6>& x,
                                         const float* b, std::int64_t m) {
  return add_pulls(b[m], f[0][m] * x[0][m], f[1][m] * x[1][m], f[2][m] * x[2][m], f[3][m] * x[3][m], f[4][m] * x[4][m],
                   f[5][m] * x[5][m]);
}

CORRAL_VECTOR_CLONES void relax(const Stencil& s, std::int64_t n, float* x) {
  const auto f = s.face, y = s.x;
  const float *b = s.b, *inverse = s.inverse;
  CORRAL_INDEPENDENT_ITERATIONS
  for (std::int64_t m = 0; m < n; ++m) x[m] = pull(f, y, b, m) * inverse[m];
}

CORRAL_VECTOR_CLONES void leave(const Stencil& s, std::int64_t n, const float* x, float* out) {
  const auto f = s.face, y = s.x;
  const float *b = s.b, *inverse = s.inverse;
  CORRAL_INDEPENDENT_ITERATIONS
  for (std::int64_t m = 0; m < n; ++m) out[m] = pull(f, y, b, m) - x[m] / inverse[m];
}

CORRAL_VECTOR_CLONES void multiply(const float* a, const float* b, std::int64_t n, float* out) {
  CORRAL_INDEPENDENT_ITERATIONS
  for (std::int64_t m = 0; m < n; ++m) out[m] = a[m] * b[m];
}

/// The ends of a row, taken before the row is changed.
void wrap_ends(Level& l, std::int64_t j, std::int64_t k) {
  if (!l.periodic[0]) return;
  float* x = l.x.data() + l.row(j, k);
  x[l.odd - 1] = x[l.place(l.cells[0] - 1)];
  x[l.place(l.cells[0])] = x[0];
}

int parity_of(Colour colour, std::int64_t j, std::int64_t k) {
  return static_cast<int>((static_cast<std::int64_t>(colour) + j + k) & 1);
}

} // namespace

void smooth(Cpu cpu, Level& l, Colour colour) {
  wrap_rows(cpu, l);
  for_each_row(cpu, l.cells, l.planes, [&](std::int64_t j, std::int64_t k) {
    wrap_ends(l, j, k);
    const int parity = parity_of(colour, j, k);
    const Stencil s = stencil(l, j, k, parity);
    relax(s, l.in_half(parity), l.x.data() + s.at);
  });
}

void smooth_from_zero(Cpu cpu, Level& l, Colour colour) {
  // Across a seam the other colour's old values are read: they must be 0, not what the last cycle left.
  if (l.seam()) l.x.fill(0.0f);
  for_each_row(cpu, l.cells, l.planes, [&](std::int64_t j, std::int64_t k) {
    const int parity = parity_of(colour, j, k);
    const std::int64_t at = l.row(j, k) + parity * l.odd;
    multiply(l.b.data() + at, l.inverse.data() + at, l.in_half(parity), l.x.data() + at);
  });
}

void wrap_rows(Cpu cpu, Level& l) {
  float* x = l.x.data();
  const std::int64_t ny = l.cells[1], nz = l.cells[2], step = l.row_step();
  auto copy = [&](std::int64_t from, std::int64_t to) { std::copy_n(x + from, step, x + to); };
  const Planes& planes = l.planes;
  if (l.periodic[1])
    for_each(cpu, planes.end() - planes.begin(), [&](std::int64_t n) {
      const std::int64_t k = planes.begin() + n;
      copy(l.row(ny - 1, k), l.row(-1, k));
      copy(l.row(0, k), l.row(ny, k));
    });
  planes.fill(x + l.plane_step(), l.plane_step());
  if (l.periodic[2])
    for_each(cpu, ny + 2, [&](std::int64_t above) {
      const std::int64_t j = above - 1; // ghost rows too: interpolation reads the box's edges
      copy(l.row(j, nz - 1), l.row(j, -1));
      copy(l.row(j, 0), l.row(j, nz));
    });
}

void residual(Level& l, std::int64_t j, std::int64_t k, int parity, std::int64_t begin, std::int64_t count,
              float* out) {
  wrap_ends(l, j, k);
  const Stencil s = stencil(l, j, k, parity, begin);
  leave(s, count, l.x.data() + s.at, out);
}

} // namespace corral::fluid::multigrid
