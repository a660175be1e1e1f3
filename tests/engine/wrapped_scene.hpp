#pragma once

#include "tests/engine/backend.hpp"
#include "tests/engine/cases.hpp"

namespace corral::test {

/// A periodic box whose extents no stencil divides, with many particles around its sides.
struct WrappedScene {
  Grid grid{{Axis{7, 0.0, 1.0}, Axis{5, 0.0, 1.0}, Axis{11, 0.0, 1.0}}};
  std::int64_t n = emulated ? 1'000 : sanitized ? 2'000 : 20'000;
  Particles<double> particles;
  std::vector<double> value;

  explicit WrappedScene(std::array<double, 3> low, std::array<double, 3> high) {
    Random random(52);
    for (std::int64_t i = 0; i < n; ++i) {
      particles.x.push_back(random.uniform(low[0], high[0]));
      particles.y.push_back(random.uniform(low[1], high[1]));
      particles.z.push_back(random.uniform(low[2], high[2]));
    }
    value = random_column<double>(n, random);
  }
  CellOrder<double> order() const {
    CellOrder<double> o(grid, {Offset::half, Offset::zero, Offset::half});
    run_sort(o, particles.positions());
    return o;
  }
};

} // namespace corral::test
