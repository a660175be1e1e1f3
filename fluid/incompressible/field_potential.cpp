#include "fluid/incompressible/field_potential.hpp"

#include <corral/for_each.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace corral::fluid {
namespace {

void set_divergence(Cpu cpu, const Grid& grid, const ConstFacePointers& field, double* to) {
  const std::int64_t nx = grid.axis(0).cells, ny = grid.axis(1).cells;
  for_each(cpu, grid.cells(), [=, &grid](std::int64_t c) {
    const std::array<std::int64_t, 3> cell{c % nx, c / nx % ny, c / (nx * ny)};
    double total = 0;
    for (int d = 0; d < 3; ++d) {
      const auto axis = static_cast<std::size_t>(d);
      const auto value = [&](std::array<std::int64_t, 3> at) {
        if (grid.axis(d).periodic() && at[axis] == grid.axis(d).cells) at[axis] = 0;
        return field[axis][at[0] + grid.points(face(d), 0) * (at[1] + grid.points(face(d), 1) * at[2])];
      };
      auto next = cell;
      ++next[axis];
      total += (value(next) - value(cell)) / grid.axis(d).spacing;
    }
    to[c] = total;
  });
}

} // namespace

FieldPotential::FieldPotential(const Domain& domain)
    : grid_(domain.grid()), solver_(domain, Staggering::centre), ghosts_(domain) {}

void FieldPotential::find(Cpu cpu, const ConstFacePointers& field, double mean, double* potential) {
  set_divergence(cpu, grid_, field, potential);
  solver_.solve(cpu, 0, 1, potential, potential);
  ghosts_.fill_cells(potential);
  for_each(cpu, grid_.cells(), [=](std::int64_t c) { potential[c] += mean; });
}

} // namespace corral::fluid
