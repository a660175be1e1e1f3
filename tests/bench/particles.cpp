#include "bench/scene/particles.hpp"

#include "tests/catch.hpp"

#include <algorithm>
#include <cmath>

using namespace corral;
using namespace corral::bench;

namespace {

constexpr std::int64_t n = 20'000;

Particles<double> drawn(Distribution distribution, std::array<std::int64_t, 3> cells) {
  Workload w;
  w.distribution = distribution;
  w.cells = cells;
  return draw_particles<double>(w, n);
}

/// Particles in each cell, which all must lie in.
std::vector<std::int64_t> counts(Particles<double>& p, const std::array<std::int64_t, 3>& cells) {
  std::vector<std::int64_t> found(static_cast<std::size_t>(cells[0] * cells[1] * cells[2]));
  for (std::int64_t i = 0; i < n; ++i) {
    std::int64_t cell = 0;
    for (int d = 2; d >= 0; --d) {
      const std::int64_t c = static_cast<std::int64_t>(std::floor(p.position.column(d)[i] / spacing));
      REQUIRE((c >= 0 && c < cells[d]));
      cell = cell * cells[d] + c;
    }
    ++found[cell];
  }
  return found;
}

} // namespace

TEST_CASE("uniform particles are everywhere alike") {
  const std::array<std::int64_t, 3> cells{5, 4, 10}; // 100 a cell: 10 is a standard deviation
  Particles<double> p = drawn(Distribution::uniform, cells);
  const auto found = counts(p, cells);
  CHECK(*std::min_element(found.begin(), found.end()) > 50);
  CHECK(*std::max_element(found.begin(), found.end()) < 150);
}

TEST_CASE("nine tenths of clustered particles are in a cube of a tenth of the volume, the others around it") {
  const std::array<std::int64_t, 3> cells{20, 40, 30};
  Particles<double> p = drawn(Distribution::clustered, cells);
  counts(p, cells);
  const double side = std::cbrt(0.1);
  std::int64_t within = 0, in_its_lower_half = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    bool in_cube = true;
    for (int d = 0; d < 3; ++d) {
      const double x = p.position.column(d)[i] / (spacing * double(cells[std::size_t(d)])) - 0.25;
      in_cube = in_cube && x >= 0 && x <= side;
    }
    within += in_cube ? 1 : 0;
    in_its_lower_half += in_cube && p.position.column(2)[i] < spacing * 30 * (0.25 + side / 2) ? 1 : 0;
  }
  CHECK(double(within) / double(n) == Approx(0.9).margin(0.01)); // .002 is a standard deviation
  CHECK(double(in_its_lower_half) / double(within) == Approx(0.5).margin(0.02));
}

TEST_CASE("markers lie on eight spheres") {
  const std::array<std::int64_t, 3> cells{32, 16, 24};
  Particles<double> p = drawn(Distribution::sphere, cells);
  std::vector<int> markers(8);
  for (std::int64_t i = 0; i < n; ++i) {
    double squared = 0;
    int sphere = 0;
    for (int d = 0; d < 3; ++d) {
      const double side = spacing * double(cells[std::size_t(d)]), x = p.position.column(d)[i];
      sphere += x > side / 2 ? 1 << d : 0;
      squared += std::pow(x - (x > side / 2 ? 0.75 : 0.25) * side, 2);
    }
    CHECK(std::sqrt(squared) == Approx(spacing * 2));
    ++markers[std::size_t(sphere)];
  }
  CHECK(*std::min_element(markers.begin(), markers.end()) > 0.9 * n / 8);
}

TEST_CASE("one cell holds them all") {
  const std::array<std::int64_t, 3> cells{7, 8, 9};
  Particles<double> p = drawn(Distribution::one_cell, cells);
  auto found = counts(p, cells);
  CHECK(*std::max_element(found.begin(), found.end()) == n);
}

TEST_CASE("fewer particles are the first of more, and values are positive numbers near 1") {
  Workload w;
  Particles<float> few = draw_particles<float>(w, 10), more = draw_particles<float>(w, 20);
  for (std::int64_t i = 0; i < 10; ++i) {
    CHECK(few.position.column(1)[i] == more.position.column(1)[i]);
    CHECK(few.value.column(2)[i] == more.value.column(2)[i]);
    CHECK((few.value.column(2)[i] >= 0.5f && few.value.column(2)[i] <= 1.5f));
    CHECK(few.value.column(0)[i] != few.value.column(1)[i]);
  }
}

TEST_CASE("interleaved values stand side by side") {
  Values<double> apart(5, 3, Layout::separate), together(5, 3, Layout::interleaved);
  apart.fill_with_numbers();
  together.fill_with_numbers();
  CHECK(apart.stride() == 1);
  CHECK(together.stride() == 3);
  CHECK(together.data(2) == together.data(0) + 2);
  for (int f = 0; f < 3; ++f)
    for (std::int64_t i = 0; i < 5; ++i) CHECK(apart.column(f)[i] == together.column(f)[i]);
}
