#include "engine/cpu/slabs.hpp"
#include "engine/shared/order_data.hpp"
#include "tests/catch.hpp"
#include "tests/engine/cases.hpp"
#include "tests/engine/compare_with_reference.hpp"

#include <corral/kernels/shipped.hpp>

#include <algorithm>
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

// What keeps two slabs of one colour from writing to the same point.

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

// Bricks take in what holds particles, whatever lies between.

namespace {

/// Particles in a few clumps along each axis, up to `width` cells wide, between gaps longer than any stencil.
template <class T> Particles<T> clumps(const Grid& grid, std::int64_t n, double width, Random& random) {
  Particles<T> p;
  const auto coordinate = [&](int d) {
    const auto cells = static_cast<double>(grid.axis(d).cells);
    const double at = random.pick(std::array{0.02, 0.3, 0.55, 0.97}) * cells; // two of them at the sides
    return static_cast<T>(std::clamp(at + random.uniform(-0.5, 0.5) * width, 0.0, cells - 0.01));
  };
  for (std::int64_t i = 0; i < n; ++i) {
    p.x.push_back(coordinate(0));
    p.y.push_back(coordinate(1));
    p.z.push_back(coordinate(2));
  }
  return p;
}

template <class T, class K> void require_clumps(const K& kernel, std::array<std::int64_t, 3> cells, Boundary side) {
  Random random(95);
  const auto axis = [&](std::size_t d) { return Axis{cells[d], 0.0, 1.0, side, side}; };
  const Grid grid({axis(0), axis(1), axis(2)});
  for (const Staggering staggering : {Staggering::centre, Staggering::face_x, Staggering::face_y, Staggering::face_z})
    for (const double width : {0.0, 3.0}) {
      MapCase<T> c{grid, clumps<T>(grid, 400, width, random), staggering, {Sign::plus, Sign::minus, Sign::plus},
                   offsets(random.pick(all_offsets), random), 1, 1, random.coin()};
      c.method = Method::tiles;
      INFO(K::name << ", " << name(staggering) << ", clumps of " << width << " cells, " << describe(grid));
      compare_with_reference(kernel, c, random);
    }
}

} // namespace

TEST_CASE("bricks with gaps between their particles equal the reference", "[values]") {
  const Boundary side = GENERATE(Boundary::periodic, Boundary::wall);
  for (const std::array<std::int64_t, 3> cells : {std::array<std::int64_t, 3>{150, 40, 36}, {40, 60, 260}}) {
    if (sanitized && !thorough() && (side == Boundary::wall) == (cells[0] == 150)) continue; // each side with one of them
    require_clumps<double>(kernels::Peskin4{}, cells, side);
    require_clumps<double>(kernels::KaiserBessel<8>{}, cells, side);
    require_clumps<float>(kernels::BSpline<3>{}, cells, side);
  }
}

} // namespace corral::test
