#include "bench/stokes/device/measure_device_near.hpp"

#include "bench/device/device.hpp"
#include "bench/measure.hpp"
#include "stokes/near/box_cells.hpp"
#include "stokes/near/device/near_field.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace corral::bench {

using stokes::DeviceNearField;
using stokes::NearField;

std::string_view name(NearKernel kernel) {
  constexpr std::array<std::string_view, 3> names{"stokeslet", "stokeslet_and_stresslet", "spheres"};
  return names[static_cast<std::size_t>(kernel)];
}
std::string_view name(PairMethod method) {
  constexpr std::array<std::string_view, 4> names{"automatic", "targets", "staged", "mixed"};
  return names[static_cast<std::size_t>(method)];
}

double DeviceNearRow::pairs_per_second() const {
  return targets_per_second() * static_cast<double>(work.of_cell) * 4 * std::numbers::pi / 3;
}

DeviceNearRow measure_device_near(const DeviceNearWork& work, int repeats) {
  DeviceNearRow row{work};
  const std::int64_t n = row.points(), cells = work.cubes * work.cells_of_cube;
  const bool both = work.kernel == NearKernel::stokeslet_and_stresslet;
  const int strengths = both ? 9 : 3;
  const double cut_off = 1.0 / static_cast<double>(work.cubes), xi = std::sqrt(-std::log(work.error)) / cut_off;
  std::mt19937_64 random(1);
  std::vector<Array<double>> columns; // x, y, z, strengths, velocities
  for (int c = 0; c < 6 + strengths; ++c) {
    std::vector<double> values(static_cast<std::size_t>(n), 0.0);
    if (c < 3 + strengths)
      for (double& v : values) v = static_cast<double>(random() >> 11) * 0x1p-53 - (c < 3 ? 0 : 0.5);
    columns.push_back(device_memory<double>(n));
    columns.back().assign(values);
  }
  const Grid grid = stokes::cells_of({0, 0, 0}, {1, 1, 1}, {cells, cells, cells}, {true, true, true});
  CellOrder<double> order(grid);
  const Positions<double> at = positions<double>(columns[0].data(), columns[1].data(), columns[2].data(), n);
  order.sort(Gpu{}, at);
  const NearField::Sorted sorted{order.view(Gpu{}), at};
  std::vector<Column<const double>> strength;
  std::array<Column<double>, 3> velocity;
  for (int s = 0; s < strengths; ++s) strength.push_back({columns[static_cast<std::size_t>(3 + s)].data(), n});
  for (std::size_t d = 0; d < 3; ++d) velocity[d] = {columns[static_cast<std::size_t>(3 + strengths) + d].data(), n};
  DeviceNearField near(stokes::Sum::stokeslet, false, xi, cut_off, work.error,
                       work.kernel == NearKernel::spheres ? cut_off / 5 : 0);
  const auto once = [&] {
    if (both) near.add_with_stresslets(Gpu{}, grid, sorted, sorted, strength, velocity, work.method);
    else near.add(Gpu{}, grid, sorted, sorted, strength, velocity, work.method);
  };
  once(); // takes memory
  std::vector<Timed> timed{{[&] { return seconds_on_device(once); }}};
  time_in_turn(timed, repeats);
  row.seconds = median(timed[0].seconds);
  return row;
}

} // namespace corral::bench
