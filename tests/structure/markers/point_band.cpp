#include "structure/markers/point_band.hpp"

#include "run/random.hpp"
#include "structure/bodies/reached_rows.hpp"
#include "structure/markers/marker_maps.hpp"
#include "tests/catch.hpp"
#include "tests/tolerance.hpp"

#include <corral/cell_order.hpp>
#include <corral/execution.hpp>
#include <corral/kernels/shipped.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

/// A band's maps beside those that go through an order of points and whole fields.
namespace corral::structure::of_bands {
namespace {

using fluid::Domain;
using fluid::SideKind;
using test::round_off;

constexpr auto wall = SideKind::no_slip, slips = SideKind::free_slip, open = SideKind::outlet, round = SideKind::periodic;
constexpr std::array<Staggering, 3> in_cells{Staggering::centre, Staggering::centre, Staggering::centre};
using Sides = std::array<SideKind, 6>;

Domain box(const std::array<std::int64_t, 3>& cells, const Sides& sides) {
  const double h = 0.5;
  std::array<double, 3> size{};
  for (std::size_t d = 0; d < 3; ++d) size[d] = h * static_cast<double>(cells[d]);
  Domain domain{Domain::make_grid(cells, {1, -2, 0}, size, sides), sides, {}};
  if (sides[2] == wall) {
    domain.set_wall_velocity(2, {0.25, 0, -1});
    domain.set_wall_velocity(3, {-0.5, 0, 3});
  }
  return domain;
}

/// Points on a few rings and on their own, some at ends of the box, and values of cells and points.
struct Scene {
  std::array<std::vector<double>, 3> x, value, field;

  Scene(const Grid& grid, std::int64_t n) {
    const run::Random random(5);
    for (std::size_t d = 0; d < 3; ++d) {
      const Axis& axis = grid.axis(static_cast<int>(d));
      const auto draw = [&](std::int64_t i, int k) {
        return random.uniform(run::Purpose::position, static_cast<std::int64_t>(d), static_cast<std::uint64_t>(i), k);
      };
      for (std::int64_t i = 0; i < n; ++i) {
        const double angle = 0.05 * static_cast<double>(i), middle = 0.5 + 0.15 * static_cast<double>(i % 3 - 1);
        const double on_ring = axis.origin + axis.length() * (middle + 0.3 * std::cos(angle + 2 * static_cast<double>(d)));
        x[d].push_back(i % 4 == 0 ? axis.origin + draw(i, 0) * axis.length() : on_ring);
        value[d].push_back(draw(i, 1) - 0.5);
      }
      x[d][0] = axis.origin, x[d][1] = axis.origin + axis.length();
      for (std::int64_t i = 0; i < grid.cells(); ++i) field[d].push_back(draw(i, 2) - 0.5);
    }
  }
  std::int64_t n() const { return std::ssize(x[0]); }
  ConstPoints at() const { return pointers(x); }
  static ConstPoints pointers(const std::array<std::vector<double>, 3>& of) { return {of[0].data(), of[1].data(), of[2].data()}; }
  static Points pointers(std::array<std::vector<double>, 3>& of) { return {of[0].data(), of[1].data(), of[2].data()}; }
};

template <class F> void each_cell(const Grid& grid, const fluid::BandField& band, const F& f) {
  for (std::size_t k = 0; k < band.parts.size(); ++k) {
    double* of_cell = band.of(k);
    for (std::int64_t i = band.parts[k].begin; i < band.parts[k].end; ++i, of_cell += band.lanes)
      f(static_cast<std::size_t>(i + grid.axis(0).cells * band.parts[k].row), of_cell);
  }
}

void load(const Grid& grid, const std::array<std::vector<double>, 3>& field, PointBand& band) {
  each_cell(grid, band.velocity(), [&](std::size_t cell, double* u) {
    for (std::size_t d = 0; d < 3; ++d) u[d] = field[d][cell];
  });
}

using Columns = std::array<std::vector<double>, 3>;

/// What points see, and what they spread, as whole fields.
struct Results {
  Columns seen, spread;
};
Results through_band(const Domain& domain, const std::string& kernel, const Scene& s, PointBand& band) {
  const MarkerMaps maps(domain, kernel, Method::automatic, in_cells);
  Results r;
  for (std::size_t d = 0; d < 3; ++d) {
    r.seen[d].resize(s.x[d].size());
    r.spread[d].assign(s.field[d].size(), 0.0);
  }
  CHECK(band.find(Cpu{}, s.at(), s.n()) == s.n());
  load(domain.grid(), s.field, band);
  maps.interpolate(Cpu{}, band, s.at(), Scene::pointers(r.seen));
  band.clear_forces(Cpu{});
  maps.spread(Cpu{}, band, Scene::pointers(s.value));
  each_cell(domain.grid(), band.forces(), [&](std::size_t cell, const double* f) {
    for (std::size_t d = 0; d < 3; ++d) r.spread[d][cell] = f[d];
  });
  return r;
}

Results through_fields(const Domain& domain, const std::string& kernel, Scene& s) {
  MarkerMaps maps(domain, kernel, Method::serial, in_cells);
  CellOrder<double> order(domain.grid());
  order.sort(Cpu{}, positions(s.x[0].data(), s.x[1].data(), s.x[2].data(), s.n()));
  Results r;
  for (std::size_t d = 0; d < 3; ++d) {
    r.seen[d].resize(s.x[d].size());
    r.spread[d].assign(s.field[d].size(), 0.0);
  }
  const Columns& field = s.field;
  maps.interpolate(Cpu{}, order, {field[0].data(), field[1].data(), field[2].data()}, s.n(), s.at(), Scene::pointers(r.seen));
  maps.spread(Cpu{}, order, s.n(), Scene::pointers(std::as_const(s.value)), {r.spread[0].data(), r.spread[1].data(), r.spread[2].data()});
  return r;
}

double largest_difference(const Columns& a, const Columns& b) {
  double most = 0;
  for (std::size_t d = 0; d < 3; ++d)
    for (std::size_t i = 0; i < a[d].size(); ++i) most = std::max(most, std::abs(a[d][i] - b[d][i]));
  return most;
}

std::vector<std::string> kernels_in_cells() {
  std::vector<std::string> names;
  kernels::for_each_shipped([&]<class K>(const K& k) {
    if constexpr (kernels::sums_to_one<K> && !requires { k.beta(); }) names.emplace_back(K::name);
  });
  return names;
}

} // namespace

TEST_CASE("a band maps as whole fields do, for every kernel, in a plane and in space, at any sides", "[bodies]") {
  const std::string kernel = GENERATE(from_range(kernels_in_cells()));
  const bool flat = GENERATE(true, false);
  const std::array<std::int64_t, 3> cells = flat ? std::array<std::int64_t, 3>{70, 24, 1} : std::array<std::int64_t, 3>{70, 16, 17};
  const SideKind across = flat ? round : wall;
  for (const Sides& sides : {Sides{round, round, round, round, round, round}, Sides{round, round, wall, wall, round, round},
                             Sides{wall, wall, slips, open, across, across}}) {
    const Domain domain = box(cells, sides);
    if (!PointBand::serves(domain.grid(), kernel)) continue;
    INFO(kernel << (flat ? ", in a plane" : ", in space") << ", y_low: " << name(sides[2]));
    Scene s(domain.grid(), 300);
    PointBand band(domain.grid(), kernel);
    const Results one = through_band(domain, kernel, s, band), other = through_fields(domain, kernel, s);
    const double fastest = 4; // of walls that slide, beside which velocities are below 1
    CHECK(largest_difference(one.seen, other.seen) <= round_off(300) * fastest);
    CHECK(largest_difference(one.spread, other.spread) <= round_off(300) / domain.grid().cell_volume());
  }
}

TEST_CASE("a band has the cells that a kernel reaches, wherever points went before", "[bodies]") {
  const std::string kernel = GENERATE("roma3", "peskin4", "ib6");
  const Domain domain = box({140, 16, 17}, {round, round, wall, wall, round, round});
  Scene s(domain.grid(), 200);
  PointBand band(domain.grid(), kernel);
  ReachedRows rows(domain);
  for (int again = 0; again < 3; ++again) {
    band.find(Cpu{}, s.at(), s.n());
    const fluid::RowParts found = band.parts(), wanted = rows.find(s.at(), s.n(), kernel == "roma3" ? 3 : kernel == "ib6" ? 6 : 4);
    // Beside walls a band has what is mirrored, too, which stands beside.
    std::size_t w = 0;
    for (const fluid::RowPart& part : wanted) {
      while (w < found.size() && (found[w].row < part.row || (found[w].row == part.row && found[w].end < part.end))) ++w;
      REQUIRE(w < found.size());
      CHECK((found[w].row == part.row && found[w].begin <= part.begin && part.end <= found[w].end));
    }
    std::int64_t cells = 0, of_rows = 0;
    for (const fluid::RowPart& part : found) cells += part.end - part.begin;
    for (const fluid::RowPart& part : wanted) of_rows += part.end - part.begin;
    CHECK(cells == band.cells());
    CHECK(static_cast<double>(cells) <= 1.05 * static_cast<double>(of_rows));
    for (double& x : s.x[0]) x += 0.3;
    for (std::size_t p = 2; p < s.x[1].size(); ++p) s.x[1][p] += 0.2 * std::sin(static_cast<double>(p));
    for (double& y : s.x[1]) y = std::clamp(y, -2.0, 6.0);
  }
}

TEST_CASE("a band's results have the same bits for any number of threads", "[bodies]") {
  const Domain domain = box({96, 60, 60}, {round, round, round, round, round, round});
  Scene s(domain.grid(), 30000);
  PointBand band(domain.grid(), "roma3");
  const Results one = through_band(domain, "roma3", s, band);
  for (const int threads : {2, 4}) {
    PointBand other(domain.grid(), "roma3");
    Results many;
    run_with_threads(threads, [&] { many = through_band(domain, "roma3", s, other); });
    CHECK(one.seen == many.seen);
    CHECK(one.spread == many.spread);
  }
}

TEST_CASE("points that are not in the box have no band", "[bodies]") {
  const Domain domain = box({20, 16, 17}, {round, round, wall, wall, round, round});
  Scene s(domain.grid(), 20);
  PointBand band(domain.grid(), "roma3");
  s.x[0][3] = 1e3; // comes in at the other end
  s.x[1][4] = -2.001;
  s.x[2][5] = std::numeric_limits<double>::quiet_NaN();
  CHECK(band.find(Cpu{}, s.at(), s.n()) == s.n() - 2);
  CHECK(band.size() == 0);
  CHECK(band.parts().empty());
  s.x[1][4] = -1.9, s.x[2][5] = 1;
  CHECK(band.find(Cpu{}, s.at(), s.n()) == s.n());
  CHECK_FALSE(PointBand::serves(box({20, 1, 17}, {round, round, round, round, round, round}).grid(), "roma3"));
  CHECK_FALSE(PointBand::serves(domain.grid(), "composite43"));
}

} // namespace corral::structure::of_bands
