#include "structure/fluids/vortices.hpp"

#include <corral/for_each.hpp>

#include <cmath>
#include <numbers>

namespace corral::structure {
namespace {

struct Waves {
  explicit Waves(const Grid& grid) : x_cells(grid.axis(0).cells), y_cells(grid.axis(1).cells) {}

  /// Phases at a place in a cell, in shares of it.
  double along_x(std::int64_t cell, double in) const { return turn * (static_cast<double>(cell % x_cells) + in) / static_cast<double>(x_cells); }
  double along_y(std::int64_t cell, double in) const {
    return turn * (static_cast<double>(cell / x_cells % y_cells) + in) / static_cast<double>(y_cells);
  }

  static constexpr double turn = 2 * std::numbers::pi;
  std::int64_t x_cells, y_cells;
};

double k_over_l(const Grid& grid) { return grid.axis(1).length() / grid.axis(0).length(); }

} // namespace

void add_vortices(Cpu cpu, const Grid& grid, double speed, const std::array<Staggering, 3>& staggering,
                  const std::array<double*, 3>& velocity) {
  const Waves at(grid);
  const double at_u = staggering[0] == face(0) ? 0 : 0.5, at_v = staggering[1] == face(1) ? 0 : 0.5, ratio = k_over_l(grid);
  for_each(cpu, grid.cells(), [=](std::int64_t c) {
    velocity[0][c] += speed * std::cos(at.along_x(c, at_u)) * std::sin(at.along_y(c, 0.5));
    velocity[1][c] -= speed * ratio * std::sin(at.along_x(c, 0.5)) * std::cos(at.along_y(c, at_v));
  });
}

void set_pressure_of_vortices(Cpu cpu, const Grid& grid, double speed, double density, double* pressure) {
  const Waves at(grid);
  const double ratio = k_over_l(grid), unit = -0.25 * density * speed * speed;
  for_each(cpu, grid.cells(), [=](std::int64_t c) {
    pressure[c] = unit * (std::cos(2 * at.along_x(c, 0.5)) + ratio * ratio * std::cos(2 * at.along_y(c, 0.5)));
  });
}

} // namespace corral::structure
