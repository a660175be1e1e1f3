#include "tests/catch.hpp"
#include "tests/mppic/seeds/seeds.hpp"
#include "tests/mppic/small_beds.hpp"
#include "tests/tolerance.hpp"

#include <corral/error.hpp>
#include <corral/execution.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numbers>
#include <utility>
#include <vector>

namespace corral::test {
namespace {

using namespace mppic;

bool all_inside(const Seeds& seeds, const Box& box) {
  for (std::size_t d = 0; d < 3; ++d) {
    for (const double x : seeds.position[d]) {
      if (!(x >= box.low[d] && x < box.high[d])) return false;
    }
  }
  return true;
}

bool same_bits(const Array<double>& a, const Array<double>& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)) == 0;
}

TEST_CASE("the solids fraction is kept to round-off, whatever the arrangement and the sizes", "[seeding]") {
  const Grid grid = box_grid({5, 4, 10}, {0.1, 0.08, 0.21}, {-0.02, 1.0, 0.0});
  const Box region{{-0.01, 1.013, 0.05}, {0.5, 1.06, 0.161}}; // reaches beyond the domain along x
  const Box inside = clipped(region, grid);
  CHECK(inside.high[0] == Approx(0.08).epsilon(round_off(2)));
  const std::vector<SizeDistribution> distributions{
      SizeDistribution::one_size(3e-4),
      SizeDistribution::normal(3e-4, 5e-5),
      SizeDistribution::log_normal(3e-4, 1.6, {}, Weighting::mass),
  };
  for (const SizeDistribution& sizes : distributions) {
    for (const Arrangement arrangement : {Arrangement::random, Arrangement::stratified, Arrangement::cells,
                                          Arrangement::lattice, Arrangement::cell_lattice}) {
      Seeding seeding{.region = region, .arrangement = arrangement, .parcels = 5001, .lattice = {7, 3, 5}};
      seeding.jitter = arrangement == Arrangement::lattice ? 1e-3 : 0.0;
      seeding.solids_fraction = 0.37;
      const Seeds seeds = seed(Cpu{}, grid, seeding, sizes, random_numbers, 1000);
      INFO("arrangement " << static_cast<int>(arrangement));
      REQUIRE(seeds.size() == seed_count(grid, seeding));
      REQUIRE(seeds.size() > 100);
      CHECK(all_inside(seeds, inside));
      const double expected = 0.37 * inside.volume();
      CHECK(std::abs(total_volume(seeds) - expected) <= round_off(seeds.size()) * expected);
    }
  }
}

TEST_CASE("parcels have one weight by number and one volume by mass", "[seeding]") {
  const Grid grid = box_grid({4, 4, 4}, {0.1, 0.1, 0.1});
  Seeding seeding{.region = domain(grid), .parcels = 20000};
  seeding.particles_per_parcel = 750.0;
  const auto by_number = SizeDistribution::log_normal(3e-4, 1.3);
  const Seeds numbers = seed(Cpu{}, grid, seeding, by_number, random_numbers, 0);
  CHECK(std::all_of(numbers.weight.begin(), numbers.weight.end(), [](double n) { return n == 750.0; }));

  const auto by_mass = SizeDistribution::log_normal(3e-4, 1.3, {}, Weighting::mass);
  const Seeds masses = seed(Cpu{}, grid, seeding, by_mass, random_numbers, 0);
  const double parcel = 750.0 * by_mass.mean_particle_volume();
  double particles = 0;
  for (std::int64_t i = 0; i < masses.size(); ++i) {
    const double volume = masses.weight[i] * std::numbers::pi / 6.0 * std::pow(masses.diameter[i], 3);
    REQUIRE(std::abs(volume - parcel) <= round_off(3) * parcel);
    particles += masses.weight[i];
  }
  // The mean weight is 750 within four standard errors: N varies as d^-3, whose relative deviation is
  // sqrt(exp(9 ln(1.3)^2) - 1) = .93 for a log-normal distribution.
  CHECK(std::abs(particles / 20000.0 / 750.0 - 1.0) <= 4.0 * 0.93 / std::sqrt(20000.0));
}

TEST_CASE("each cell gets its number of parcels, and a cut cell its share", "[seeding]") {
  const Grid grid = box_grid({3, 2, 10}, {0.03, 0.02, 0.1});
  Seeding seeding{.region = {{0, 0, 0}, {0.03, 0.02, 0.06}}, .arrangement = Arrangement::cells};
  seeding.solids_fraction = 0.3;
  seeding.parcels = parcels_by_cell(grid, seeding.region, 12);
  REQUIRE(seeding.parcels == 12 * 36);
  const auto sizes = SizeDistribution::one_size(1e-4);
  auto count = counts(grid, seed(Cpu{}, grid, seeding, sizes, random_numbers, 0));
  CHECK(count.size() == 36);
  CHECK(std::all_of(count.begin(), count.end(), [](const auto& c) { return c.second == 12; }));

  seeding.region.high[2] = 0.055;
  seeding.parcels = parcels_by_cell(grid, seeding.region, 12);
  REQUIRE(seeding.parcels == 12 * 33);
  count = counts(grid, seed(Cpu{}, grid, seeding, sizes, random_numbers, 0));
  CHECK(count.size() == 36);
  for (const auto& [cell, n] : count) CHECK(n == (cell[2] == 5 ? 6 : 12));

  // A cell at packing holds 20: at .3 of .6 it starts with 10.
  CHECK(parcels_at_packing(grid, domain(grid), 20, 0.3, 0.6) == 10 * 60);
}

TEST_CASE("stratified parcels lie one in each slice, random ones are uniform", "[seeding]") {
  const Grid grid = box_grid({1, 1, 40}, {0.0184, 0.0184, 0.3});
  Seeding seeding{.region = domain(grid), .arrangement = Arrangement::stratified, .parcels = 2873, .axis = 2};
  seeding.particles_per_parcel = 750.0;
  const auto sizes = SizeDistribution::one_size(3e-4);
  Seeds seeds = seed(Cpu{}, grid, seeding, sizes, random_numbers, 0);
  for (std::int64_t i = 0; i < 2873; ++i) {
    REQUIRE(static_cast<std::int64_t>(seeds.position[2][i] / 0.3 * 2873.0) == i);
  }
  // At rest at close packing they stand .15 m high.
  CHECK(total_volume(seeds) / (0.0184 * 0.0184 * 0.6) == Approx(0.1500).epsilon(1e-3));

  seeding.arrangement = Arrangement::random;
  seeds = seed(Cpu{}, grid, seeding, sizes, random_numbers, 0);
  for (std::size_t d = 0; d < 3; ++d) {
    std::vector<double> x(seeds.position[d].begin(), seeds.position[d].end());
    std::sort(x.begin(), x.end());
    double distance = 0; // Kolmogorov and Smirnov: above 1.95/sqrt(n) once in a thousand sets
    for (std::size_t i = 0; i < x.size(); ++i) {
      distance = std::max(distance, std::abs(x[i] / domain(grid).high[d] - static_cast<double>(i) / 2873.0));
    }
    CHECK(distance < 1.95 / std::sqrt(2873.0));
    // Directions are independent: their correlation stays within four standard errors of 0.
    const std::size_t e = (d + 1) % 3;
    double correlation = 0;
    for (std::int64_t i = 0; i < seeds.size(); ++i) {
      correlation += (seeds.position[d][i] / domain(grid).high[d] - 0.5) *
                     (seeds.position[e][i] / domain(grid).high[e] - 0.5) * 12.0 / 2873.0;
    }
    CHECK(std::abs(correlation) < 4.0 / std::sqrt(2873.0));
  }
}

TEST_CASE("seeds depend on the seed number and their ids only, not on threads or other seeds", "[seeding]") {
  const Grid grid = box_grid({8, 8, 16}, {0.1, 0.1, 0.2});
  Seeding seeding{.region = domain(grid), .arrangement = Arrangement::random, .parcels = 30000};
  seeding.solids_fraction = 0.3;
  const auto sizes = SizeDistribution::normal(3e-4, 5e-5);
  const Seeds all = seed(Cpu{}, grid, seeding, sizes, random_numbers, 500);
  for (const int threads : {1, 2, 3}) {
    Seeds again;
    run_with_threads(threads, [&] { again = seed(Cpu{}, grid, seeding, sizes, random_numbers, 500); });
    for (std::size_t d = 0; d < 3; ++d) CHECK(same_bits(all.position[d], again.position[d]));
    CHECK(same_bits(all.diameter, again.diameter));
    CHECK(same_bits(all.weight, again.weight));
  }
  const Seeds later = seed(Cpu{}, grid, seeding, sizes, random_numbers, 510);
  CHECK(later.position[1][0] == all.position[1][10]);
  CHECK(later.diameter[0] == all.diameter[10]);
  const Seeds other = seed(Cpu{}, grid, seeding, sizes, run::Random(21), 500);
  CHECK(other.position[1][0] != all.position[1][0]);
}

TEST_CASE("shares of a seeding are made by themselves, and are those of the whole", "[seeding]") {
  const Grid grid = box_grid({5, 4, 10}, {0.1, 0.08, 0.21});
  for (const SizeDistribution& sizes : {SizeDistribution::normal(3e-4, 5e-5), SizeDistribution::log_normal(3e-4, 1.6, {}, Weighting::mass)})
    for (const Arrangement arrangement : {Arrangement::random, Arrangement::stratified, Arrangement::cells, Arrangement::lattice, Arrangement::cell_lattice}) {
      Seeding seeding{.region = domain(grid), .arrangement = arrangement, .parcels = 5001, .lattice = {7, 3, 5}, .jitter = 1e-4};
      seeding.solids_fraction = 0.37;
      const Seeds all = seed(Cpu{}, grid, seeding, sizes, random_numbers, 1000);
      const double volume = sum(Cpu{}, all.size(), [&](std::int64_t i) { return std::numbers::pi / 6 * std::pow(all.diameter[i], 3); });
      const std::int64_t third = all.size() / 3;
      for (const auto& [begin, end] : {std::pair<std::int64_t, std::int64_t>(0, third), {third, third}, {third, all.size()}}) {
        const Seeds part = seed(Cpu{}, grid, seeding, sizes, random_numbers, 1000, {begin, end, [&](double) { return volume; }});
        REQUIRE(part.size() == end - begin);
        std::int64_t others = 0;
        for (std::int64_t i = begin; i < end; ++i) {
          for (std::size_t d = 0; d < 3; ++d) others += part.position[d][i - begin] != all.position[d][i];
          others += part.diameter[i - begin] != all.diameter[i];
          others += std::abs(part.weight[i - begin] - all.weight[i]) > round_off(all.size()) * all.weight[i];
        }
        CHECK(others == 0);
      }
    }
}

TEST_CASE("a region without parcels, and one that makes no sense", "[seeding]") {
  const Grid grid = box_grid({1, 1, 4}, {0.1, 0.1, 0.4});
  const auto sizes = SizeDistribution::one_size(1e-3);
  Seeding seeding{.region = domain(grid), .arrangement = Arrangement::cells, .parcels = 0};
  CHECK_THROWS_AS(seed_count(grid, seeding), Error); // no amount
  seeding.solids_fraction = 0.5;
  CHECK(seed(Cpu{}, grid, seeding, sizes, random_numbers, 0).size() == 0);
  seeding.parcels = 1;
  CHECK(seed(Cpu{}, grid, seeding, sizes, random_numbers, 0).size() == 1);

  const auto refused = [&](auto change) {
    Seeding wrong = seeding;
    change(wrong);
    CHECK_THROWS_AS(seed_count(grid, wrong), Error);
  };
  refused([](Seeding& s) { s.parcels = -1; });
  refused([](Seeding& s) { s.solids_fraction = 1.0; });
  refused([](Seeding& s) { s.solids_fraction = 0.0; });
  refused([](Seeding& s) { s.particles_per_parcel = 5.0; });
  refused([](Seeding& s) { s.region.low[2] = 0.4; });
  refused([](Seeding& s) { std::swap(s.region.low[0], s.region.high[0]); });
  refused([](Seeding& s) { s.arrangement = Arrangement::stratified, s.axis = 3; });
  refused([](Seeding& s) { s.arrangement = Arrangement::lattice, s.lattice[1] = 0; });
  refused([](Seeding& s) { s.arrangement = Arrangement::lattice, s.lattice = {4, 4, 4}, s.jitter = 0.0126; });
  refused([](Seeding& s) { s.solids_fraction.reset(), s.particles_per_parcel = -1.0; });
}

TEST_CASE("a parcel's mean volume is that of the seeds", "[seeding]") {
  const Grid grid = box_grid({5, 4, 10}, {0.1, 0.08, 0.2});
  const SizeDistribution sizes = SizeDistribution::log_normal(3e-4, 1.6, {}, Weighting::mass);
  Seeding seeding{.region = domain(grid), .arrangement = Arrangement::cells, .parcels = 500};
  seeding.particles_per_parcel = 12;
  const double given = total_volume(seed(Cpu{}, grid, seeding, sizes, random_numbers, 0));
  CHECK(500 * parcel_volume(grid, seeding, sizes) == Approx(given).epsilon(round_off(500)));
  seeding.particles_per_parcel.reset();
  seeding.solids_fraction = 0.2;
  CHECK(500 * parcel_volume(grid, seeding, sizes) == Approx(0.2 * 0.1 * 0.08 * 0.2).epsilon(round_off(2)));
  seeding.parcels = 0;
  CHECK(parcel_volume(grid, seeding, sizes) == 0);
}

TEST_CASE("a seed has its mean velocity and its granular temperature to round-off, by volume", "[seeding]") {
  Setup s = empty_box({3, 2, 4}, {0.03, 0.02, 0.04});
  for (const double low : {0.0, 0.02}) {
    s.seeds.push_back(bed(s, low + 0.02, 0.1, 600, 1e-3));
    s.seeds.back().seeding.region.low[2] = low;
    s.seeds.back().sizes = SizeDistribution::log_normal(3e-4, 1.6, {}, Weighting::number);
  }
  s.seeds[1].velocity = {1, -2, 3};
  s.seeds[1].granular_temperature = {0.25, 0, 4};
  Bed b(s);
  const Parcels& p = b.step.parcels();
  std::array<std::vector<double>, 3> fluctuations; // of the second seed
  for (std::size_t d = 0; d < 3; ++d) {
    double all = 0, mean = 0, variance = 0;
    for (std::int64_t i = 0; i < p.size(); ++i) {
      const double u = (*p.velocity[d])[i];
      if (p.id[i] < 600) CHECK(u == 0);
      if (p.id[i] < 600) continue;
      fluctuations[d].push_back(u - s.seeds[1].velocity[d]);
      all += p.volume[i], mean += p.volume[i] * u, variance += p.volume[i] * std::pow(fluctuations[d].back(), 2);
    }
    CHECK(mean / all == Approx(s.seeds[1].velocity[d]).epsilon(1e-13));
    CHECK(variance / all == Approx(s.seeds[1].granular_temperature[d]).epsilon(1e-13));
  }
  REQUIRE(fluctuations[0].size() == 600);
  // Whatever the size they are normal, of a fourth moment of 3, and those along x and z are independent.
  const auto moment = [&](std::size_t d, std::size_t e, int power) {
    double sum = 0;
    for (std::size_t i = 0; i < 600; ++i) sum += std::pow(fluctuations[d][i] * fluctuations[e][i], power);
    return sum / 600;
  };
  for (const std::size_t d : {0, 2}) CHECK(moment(d, d, 2) / std::pow(moment(d, d, 1), 2) == Approx(3).margin(1.6));
  CHECK(std::abs(moment(0, 2, 1)) < 4 * std::sqrt(moment(0, 0, 1) * moment(2, 2, 1) / 600));
}

} // namespace
} // namespace corral::test
