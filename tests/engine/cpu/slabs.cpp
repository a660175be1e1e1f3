#include "engine/cpu/stencils/slabs.hpp"
#include "tests/catch.hpp"
#include "tests/engine/cases.hpp"

/// What keeps two slabs of one colour from writing to the same point.
namespace corral::test {

TEST_CASE("slabs cover all groups, are thick enough, and come in pairs") {
  Random random(91);
  for (const std::array<std::int64_t, 3> cells :
       {std::array<std::int64_t, 3>{20, 30, 50}, {20, 90, 1}, {100, 3, 7}, {4, 4, 4}, {16, 16, 130}}) {
    const Grid grid({Axis{cells[0], 0.0, 1.0}, Axis{cells[1], 0.0, 1.0}, Axis{cells[2], 0.0, 1.0}});
    CellOrder<double> order(grid);
    const auto particles = make_particles<double>(grid, 50'000, Placement::anywhere, random);
    order.sort(Cpu{}, particles.positions());
    for (const std::int64_t least : {1, 3, 8}) {
      const cpu::Slabs slabs = cpu::Slabs::of<double>(order.data(), least);
      INFO(describe(grid) << least << " groups at least");
      CHECK((slabs.count() == 1 || slabs.count() % 2 == 0));
      CHECK((slabs.axis == 1 || slabs.axis == 2));
      CHECK(slabs.begin.front() == 0);
      CHECK(slabs.begin.back() == order.groups()[slabs.axis]);
      for (std::int64_t s = 0; slabs.count() > 1 && s < slabs.count(); ++s)
        CHECK(slabs.box(s).high[slabs.axis] - slabs.box(s).low[slabs.axis] >= least);
      if (cells[2] == 130 && least < 8) CHECK(slabs.count() >= 8); // enough for a few threads
      if (cells[2] == 1) CHECK(slabs.axis == 1);
    }
  }
}

} // namespace corral::test
