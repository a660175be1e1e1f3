#include "mppic/case/setup.hpp"
#include "mppic/seeds/occupancy.hpp"
#include "tests/catch.hpp"
#include "tests/mppic/small_beds.hpp"
#include "tests/tolerance.hpp"

#include <array>
#include <cmath>

namespace corral::mppic {
namespace {

/// The layout's fraction in each cell, x fastest.
std::vector<double> cells_of(const Grid& grid, const ProductLayout& layout) {
  std::vector<double> all;
  for (std::int64_t k = 0; k < grid.axis(2).cells; ++k)
    for (std::int64_t j = 0; j < grid.axis(1).cells; ++j)
      for (std::int64_t i = 0; i < grid.axis(0).cells; ++i)
        all.push_back(layout.amount * layout.shares[0].at(i) * layout.shares[1].at(j) * layout.shares[2].at(k));
  return all;
}

Seed lattice(Box region, std::array<std::int64_t, 3> points, double particles) {
  Seeding seeding{.region = region, .arrangement = Arrangement::lattice, .lattice = points};
  seeding.particles_per_parcel = particles;
  return {"bed", seeding, SizeDistribution::one_size(1e-3), {0, 0, 0}};
}

TEST_CASE("a lattice's layout is the solids fraction that its parcels are mapped to", "[occupancy]") {
  for (const bool periodic : {false, true}) {
    Setup s = test::empty_box({6, 1, 9}, {0.03, 0.004, 0.05});
    if (periodic) s.sides[0] = s.sides[1] = fluid::SideKind::periodic;
    s.seeds = {lattice({{0, 0, 0.001}, {0.0299, 0.004, 0.041}}, {7, 3, 5}, 20)};
    const test::Bed bed(s);
    const ProductLayout made = layout(s.make_grid(), s.seeds[0].seeding, s.seeds[0].sizes, Placing::as_placed);
    const std::vector<double> foreseen = cells_of(s.make_grid(), made);
    const Array<double>& mapped = bed.step.flow().solids_fraction;
    for (std::size_t c = 0; c < foreseen.size(); ++c)
      CHECK(foreseen[c] == Approx(mapped[static_cast<std::int64_t>(c)]).epsilon(test::round_off(105)).margin(1e-15));
  }
}

TEST_CASE("an even layout holds the solids of its region, as a fine lattice does", "[occupancy]") {
  const Setup s = test::empty_box({6, 4, 9}, {0.03, 0.02, 0.05});
  const Grid grid = s.make_grid();
  Seeding seeding{.region = {{0.001, 0.003, 0.002}, {0.028, 0.0031, 0.05}}, .arrangement = Arrangement::lattice,
                  .lattice = {600, 50, 900}};
  seeding.solids_fraction = 0.37;
  const SizeDistribution sizes = SizeDistribution::one_size(1e-4);
  const std::vector<double> even = cells_of(grid, layout(grid, seeding, sizes, Placing::even));
  const std::vector<double> placed = cells_of(grid, layout(grid, seeding, sizes, Placing::as_placed));
  double sum = 0;
  for (std::size_t c = 0; c < even.size(); ++c) {
    sum += even[c] * grid.cell_volume();
    CHECK(even[c] == Approx(placed[c]).epsilon(test::truncation(1, 1.0 / 50)));
  }
  CHECK(sum == Approx(0.37 * seeding.region.volume()).epsilon(test::round_off(1000)));
}

TEST_CASE("what an interval covers of the cells of an axis", "[occupancy]") {
  const Axis axis{.cells = 5, .origin = 1, .spacing = 0.5, .low = Boundary::wall, .high = Boundary::wall};
  const Shares shares = covered(axis, 1.75, 2.5);
  CHECK(shares.at(0) == 0);
  CHECK(shares.at(1) == 0.5);
  CHECK(shares.at(2) == 1);
  CHECK(shares.at(3) == 0);
  CHECK(covered(axis, 1, 3.5).at(4) == 1);
  CHECK(covered(axis, 1, 3.5).end() == 5);
}

TEST_CASE("the fullest cell is that of a search through all cells", "[occupancy]") {
  const run::Random random(7);
  for (std::uint64_t trial = 0; trial < 50; ++trial) {
    std::vector<ProductLayout> layouts(1 + trial % 4);
    int draw = 0;
    const auto uniform = [&] { return random.uniform(run::Purpose::position, 0, trial * 1000 + draw++, 0); };
    for (ProductLayout& layout : layouts) {
      layout.amount = uniform();
      for (Shares& shares : layout.shares) {
        shares.first = static_cast<std::int64_t>(3 * uniform());
        shares.values.resize(1 + static_cast<std::size_t>(4 * uniform()));
        for (double& value : shares.values) value = std::round(2 * uniform()) / 2;
      }
    }
    double most = 0;
    for (std::int64_t k = 0; k < 8; ++k)
      for (std::int64_t j = 0; j < 8; ++j)
        for (std::int64_t i = 0; i < 8; ++i) {
          double total = 0;
          for (const ProductLayout& l : layouts)
            total += l.amount * l.shares[0].at(i) * l.shares[1].at(j) * l.shares[2].at(k);
          most = std::max(most, total);
        }
    const Fullest found = fullest_cell(layouts);
    CHECK(found.total == Approx(most).epsilon(1e-8));
    double there = 0;
    for (const std::size_t l : found.layouts)
      there += layouts[l].amount * layouts[l].shares[0].at(found.cell[0]) * layouts[l].shares[1].at(found.cell[1]) *
               layouts[l].shares[2].at(found.cell[2]);
    CHECK(there == Approx(found.total).epsilon(test::round_off(4)));
  }
  CHECK(fullest_cell({}).total == 0);
}

} // namespace
} // namespace corral::mppic
