#include "tests/catch.hpp"
#include "tests/mppic/seeds/seeds.hpp"
#include "tests/tolerance.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace corral::test {
namespace {

using namespace mppic;

TEST_CASE("the bed of Goldschmidt starts on its lattice", "[seeding]") {
  const Grid grid = box_grid({15, 1, 45}, {0.15, 0.015, 0.45});
  Seeding seeding{.region = {{0, 0, 0}, {0.15, 0.015, 0.295}}, .arrangement = Arrangement::lattice,
                  .lattice = {50, 5, 99}, .jitter = 1e-4};
  seeding.particles_per_parcel = 1.0;
  const Seeds seeds = seed(Cpu{}, grid, seeding, SizeDistribution::one_size(2.5e-3), random_numbers, 0);
  REQUIRE(seeds.size() == 24750);
  const double digits_given = 1e-5;
  CHECK(total_volume(seeds) * 2526.0 == Approx(0.51148).epsilon(digits_given));
  const std::array<double, 3> pitch{3e-3, 3e-3, 0.295 / 99};
  double lowest = 0;
  double highest = 0;
  for (std::int64_t i = 0; i < seeds.size(); ++i) {
    const std::array<std::int64_t, 3> index{i % 50, i / 50 % 5, i / 250};
    for (std::size_t d = 0; d < 3; ++d) {
      const double point = (static_cast<double>(index[d]) + 0.5) * pitch[d];
      lowest = std::min(lowest, seeds.position[d][i] - point);
      highest = std::max(highest, seeds.position[d][i] - point);
    }
  }
  const double nearly = 1e-3; // 74250 draws come this close to the ends
  CHECK(highest == Approx(1e-4).epsilon(nearly));
  CHECK(lowest == Approx(-1e-4).epsilon(nearly));
  CHECK(seeds.position[0][7] != seeds.position[0][57]);
}

TEST_CASE("a lattice of 2 x 2 x 2 in each cell fills a part of the box", "[seeding]") {
  const Grid grid = box_grid({5, 100, 5}, {0.02, 1.0, 0.02});
  Seeding seeding{.region = {{0, 0, 0}, {0.02, 0.9, 0.02}}, .arrangement = Arrangement::cell_lattice,
                  .lattice = {2, 2, 2}};
  seeding.solids_fraction = 0.1;
  const Seeds seeds = seed(Cpu{}, grid, seeding, SizeDistribution::one_size(3e-4), random_numbers, 0);
  REQUIRE(seeds.size() == 8 * 5 * 90 * 5);
  const auto count = counts(grid, seeds);
  CHECK(count.size() == 5 * 90 * 5);
  CHECK(std::all_of(count.begin(), count.end(), [](const auto& c) { return c.second == 8; }));
  CHECK(seeds.position[0][0] == Approx(0.001));
  CHECK(seeds.position[1][0] == Approx(0.0025));
}

TEST_CASE("lattices too large to make are counted at once, and never come out negative", "[seeding]") {
  const Grid grid = box_grid({10, 10, 10}, {0.1, 0.1, 0.1});
  Seeding seeding{.region = domain(grid), .arrangement = Arrangement::cell_lattice, .lattice = {1000, 1000, 1000}};
  seeding.solids_fraction = 0.4;
  CHECK(seed_count(grid, seeding) == 1'000'000'000'000);
  seeding.lattice = {1'000'000, 1'000'000, 1'000'000};
  CHECK(seed_count(grid, seeding) == std::numeric_limits<std::int64_t>::max());
  CHECK(parcels_by_cell(grid, seeding.region, 1e300) == std::numeric_limits<std::int64_t>::max());
}

TEST_CASE("the points of a lattice within a region are those that lie in it, one by one", "[seeding]") {
  const Grid grid = box_grid({7, 3, 5}, {0.07, 0.03, 0.05}, {0.1, 0, -1});
  Seeding seeding{.region = {{0.1234, 0, -0.985}, {0.1511, 0.03, -0.975}}, .arrangement = Arrangement::cell_lattice,
                  .lattice = {9, 1, 2}};
  seeding.solids_fraction = 0.4;
  const auto lines = lattice_lines(grid, seeding);
  for (std::size_t d = 0; d < 3; ++d) {
    const Axis& axis = grid.axis(static_cast<int>(d));
    const double pitch = axis.spacing / static_cast<double>(seeding.lattice[d]);
    std::vector<double> inside;
    for (std::int64_t i = 0; i < axis.cells * seeding.lattice[d]; ++i) {
      const double x = axis.origin + (static_cast<double>(i) + 0.5) * pitch;
      if (x >= seeding.region.low[d] && x < seeding.region.high[d]) inside.push_back(x);
    }
    REQUIRE(lines[d].count == static_cast<std::int64_t>(inside.size()));
    for (std::size_t i = 0; i < inside.size(); ++i)
      CHECK(lines[d].at(static_cast<std::int64_t>(i)) == Approx(inside[i]).epsilon(round_off(2)));
  }
}

} // namespace
} // namespace corral::test
