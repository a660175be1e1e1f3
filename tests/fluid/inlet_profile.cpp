#include "fluid/inlet_profile.hpp"

#include "tests/catch.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace corral::test {
namespace {

/// 3 m x .3 m x 2 m: one cell thick in y.
Grid box(std::int64_t nx, std::int64_t nz) {
  return Grid({Axis{nx, 0, 3.0 / static_cast<double>(nx)}, Axis{1, 0, 0.3}, Axis{nz, 0, 2.0 / static_cast<double>(nz)}});
}

} // namespace

TEST_CASE("a parabolic inlet has its mean velocity on any grid, also where its edges cut faces") {
  for (const std::int64_t n : {2, 7, 40})
    for (const auto& [from, to] : {std::array{0.0, 3.0}, std::array{0.7, 1.9}}) {
      const Grid grid = box(n, 4);
      const auto profile = fluid::parabolic_profile(grid, 2, {from, 0, 0}, {to, 0.3, 0}, 1.5);
      double flux = 0;
      for (std::int64_t i = 0; i < n; ++i) {
        const double h = grid.axis(0).spacing, centre = (static_cast<double>(i) + 0.5) * h;
        const double part = std::max(0.0, std::min(centre + h / 2, to) - std::max(centre - h / 2, from));
        flux += part * profile({centre, 0.15, 0});
      }
      INFO(n << " cells, " << from << " to " << to);
      CHECK(std::abs(flux - 1.5 * (to - from)) <= 1e-14);
    }
}

TEST_CASE("a parabolic inlet is that of Poiseuille's flow along each axis but its own and thin ones") {
  const Grid grid = box(300, 200);
  const auto along_z = fluid::parabolic_profile(grid, 2, {0, 0, 0}, {3, 0.3, 0}, 1);
  CHECK(std::abs(along_z({1.505, 0.15, 0}) - 1.5) <= 1e-4);
  CHECK(std::abs(along_z({0.755, 0.15, 0}) - 6 * 0.755 / 3 * (1 - 0.755 / 3)) <= 1e-4);
  CHECK(along_z({0.005, 0.15, 0}) < 0.011);
  const auto along_y = fluid::parabolic_profile(grid, 1, {0, 0, 0}, {3, 0, 2}, 1);
  CHECK(std::abs(along_y({1.505, 0, 0.995}) - 2.25) <= 2e-4);
}

} // namespace corral::test
