// corral in a code of your own: your particles, your grid, your memory.
#include <corral/corral.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

int main() {
  using namespace corral;
  // 1. The grid: cells, origin [m], spacing [m] and the boundaries of each axis.
  const Axis across{32, 0.0, 0.01, Boundary::periodic, Boundary::periodic};
  const Axis up{64, 0.0, 0.01, Boundary::wall, Boundary::open};
  const Grid grid({across, across, up});

  // 2. Your particles, as you store them: here interleaved positions and one mass each.
  const std::int64_t n = 100'000;
  std::vector<double> xyz(3 * n), mass(n, 1e-6), momentum(n), seen(n);
  for (std::int64_t i = 0; i < 3 * n; ++i) xyz[i] = 0.32 * std::fmod(0.7548776662466927 * double(i + 1), 1.0);
  for (std::int64_t i = 0; i < n; ++i) momentum[i] = mass[i] * (xyz[3 * i + 2] - 0.16);

  // 3. Sort once per step. The order serves every map, kernel and staggering.
  CellOrder<double> order(grid, {Offset::half, Offset::half, Offset::half});
  const SortCounts counts = order.sort(Cpu{}, positions(xyz.data(), n));

  // 4. Spread several columns in one pass, each to the staggering where it is needed.
  std::vector<double> density(grid.points(Staggering::centre)), flux(grid.points(Staggering::face_z));
  const auto in_cells = field_view(grid, density.data(), Staggering::centre);
  const auto on_faces = field_view(grid, flux.data(), Staggering::face_z);
  spread(Cpu{}, order, kernels::Linear{}, {{{mass.data(), n}, in_cells}, {{momentum.data(), n}, on_faces}});

  // 5. Interpolate: the exact adjoint of spread.
  interpolate(Cpu{}, order, kernels::Linear{}, {{in_cells, {seen.data(), n}}});

  double total = 0;
  for (double m : density) total += m;
  std::printf("%lld particles inside, %lld outside; mass %.9g kg of %.9g kg on the grid\n",
              static_cast<long long>(counts.inside), static_cast<long long>(counts.outside), total, 1e-6 * double(n));
  return std::abs(total - 1e-6 * double(n)) < 1e-12 ? 0 : 1;
}
