#include "engine/cpu/cells/row_plan.hpp"
#include "engine/shared/order_data.hpp"
#include "tests/catch.hpp"
#include "tests/engine/cases.hpp"

#include <set>
#include <vector>

/// Slabs that run at once must not write the same row: a race would show only now and then, the rows show it always.
namespace corral::test {
namespace {

/// The padded rows (along y and z) that the particles of the group rows [begin, end) write.
std::set<std::int64_t> rows_written(std::int64_t begin, std::int64_t end, std::int64_t groups_y,
                                    const shared::FieldSupport& s) {
  std::set<std::int64_t> rows;
  for (std::int64_t row = begin; row < end; ++row)
    for (int c = 0; c < s.axis[2].width; ++c)
      for (int b = 0; b < s.axis[1].width; ++b)
        rows.insert((row / groups_y + c) * s.axis[1].padded_points() + row % groups_y + b);
  return rows;
}

void require_apart(const cpu::RowPlan& plan, std::int64_t groups_y, const shared::FieldSupport& support) {
  for (std::int64_t colour = 0; colour < 2; ++colour) {
    std::set<std::int64_t> all;
    std::size_t written = 0;
    for (auto s = static_cast<std::size_t>(colour); s < static_cast<std::size_t>(plan.slabs()); s += 2) {
      const std::set<std::int64_t> rows = rows_written(plan.begin[s], plan.begin[s + 1], groups_y, support);
      written += rows.size();
      all.insert(rows.begin(), rows.end());
    }
    CHECK(all.size() == written);
  }
}

} // namespace

TEST_CASE("slabs of one colour write different rows, and together all rows") {
  Random random(51);
  std::int64_t most_slabs = 0;
  constexpr std::array<std::array<std::int64_t, 3>, 4> sizes{{{3, 1, 400}, {3, 5, 90}, {3, 40, 12}, {2, 300, 2}}};
  for (const auto& cells : sizes)
    for (const Sides sides : {Sides::periodic, Sides::wall_plus, Sides::halo})
      for (const Offsets drawn : all_offsets) {
        const Grid grid = make_grid(cells, sides, Placement::lattice, random);
        CellOrder<double> order(grid, offsets(drawn, random));
        const auto particles = make_particles<double>(grid, 40'000, Placement::lattice, random);
        order.sort(Cpu{}, particles.positions());
        for (const Staggering s : all_staggerings)
          for (const int kernel_support : {1, 2, 3, 4}) {
            const AxisKernel<double> axis{kernel_support, nullptr, nullptr};
            const KernelWeights<double> weights{axis, axis, false};
            const auto support = shared::FieldSupport::of<double>(order.data(), s, weights);
            const std::int64_t groups_y = order.groups()[1];
            const auto reach = cpu::RowPlan::reach<double>(order.data(), kernel_support);
            const auto plan = cpu::RowPlan::of<double>(order.data(), reach);
            INFO(describe(grid) << name(s) << ", support " << kernel_support);
            REQUIRE(plan.begin.front() == 0);
            REQUIRE(plan.begin.back() == groups_y * order.groups()[2]);
            require_apart(plan, groups_y, support);
            most_slabs = std::max(most_slabs, plan.slabs());
          }
      }
  CHECK(most_slabs > 4);
}

} // namespace corral::test
