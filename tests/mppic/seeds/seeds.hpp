#pragma once

#include "mppic/seeds/seeding.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>

namespace corral::test {

inline const run::Random random_numbers(20);

/// A box between walls, of cells.
inline Grid box_grid(std::array<std::int64_t, 3> cells, std::array<double, 3> size, std::array<double, 3> origin = {}) {
  std::array<Axis, 3> axes;
  for (std::size_t d = 0; d < 3; ++d) {
    axes[d] = {.cells = cells[d], .origin = origin[d], .spacing = size[d] / static_cast<double>(cells[d]),
               .low = Boundary::wall, .high = Boundary::wall};
  }
  return Grid(axes);
}

/// Of all particles [m3].
inline double total_volume(const mppic::Seeds& seeds) {
  double volume = 0;
  for (std::int64_t i = 0; i < seeds.size(); ++i) {
    volume += seeds.weight[i] * std::numbers::pi / 6.0 * std::pow(seeds.diameter[i], 3);
  }
  return volume;
}

/// Parcels in each cell, by index along x, y, z.
inline std::map<std::array<std::int64_t, 3>, std::int64_t> counts(const Grid& grid, const mppic::Seeds& seeds) {
  std::map<std::array<std::int64_t, 3>, std::int64_t> count;
  for (std::int64_t i = 0; i < seeds.size(); ++i) {
    std::array<std::int64_t, 3> cell{};
    for (std::size_t d = 0; d < 3; ++d) {
      cell[d] = static_cast<std::int64_t>(grid.axis(static_cast<int>(d)).index(seeds.position[d][i]));
    }
    ++count[cell];
  }
  return count;
}

} // namespace corral::test
