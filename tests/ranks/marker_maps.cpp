#include "tests/catch.hpp"

#include "distributed/make_team.hpp"
#include "run/random.hpp"
#include "structure/markers/marker_maps.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// Maps of points that all ranks know to the boxes of a shared grid, beside the same maps of the whole grid, which every rank does, too:
/// of fields in the middles of cells, and of those on faces.
namespace corral::test {
namespace {

using distributed::Uncut;
using fluid::Domain;
using fluid::SideKind;
using structure::MarkerMaps;
using structure::MarkerOrder;
using Sides = std::array<SideKind, 6>;
using Fields = std::array<std::vector<double>, 3>;
using Places = std::array<Staggering, 3>;

constexpr SideKind p = SideKind::periodic, w = SideKind::no_slip, f = SideKind::free_slip;
constexpr Places in_cells{Staggering::centre, Staggering::centre, Staggering::centre};
constexpr std::int64_t points = 400;

std::array<double*, 3> writable(Fields& v) { return {v[0].data(), v[1].data(), v[2].data()}; }
std::array<const double*, 3> readable(const Fields& v) { return {v[0].data(), v[1].data(), v[2].data()}; }

/// Of the whole, or of a rank's box; walls across y slide.
struct Scene {
  Scene(Domain of, const Sides& sides, const std::string& kernel, Method method, const Places& staggering)
      : at(staggering), domain(slid(std::move(of), sides)), maps(domain, kernel, method, at), order(domain) {
    for (auto& component : velocity) component.assign(points, 7);
    for (std::size_t d = 0; d < 3; ++d) {
      for (auto* fields : {&u, &force}) (*fields)[d].resize(static_cast<std::size_t>(domain.grid().points(at[d])));
      each_point(d, [&](std::size_t i, const std::array<std::int64_t, 3>& place) {
        const double phase = static_cast<double>(3 * place[0] + 5 * place[1] + 7 * place[2]) + static_cast<double>(d);
        u[d][i] = std::sin(phase);
        force[d][i] = 0.3 * std::cos(1.7 * phase);
      });
    }
  }
  /// call(number here, place in the whole) for each point of a component, ghosts too.
  template <class F> void each_point(std::size_t component, const F& call) const {
    const Staggering s = at[component];
    const auto n = [&](int d) { return domain.grid().points(s, d); };
    const auto in_whole = [&](int d, std::int64_t here) {
      const std::int64_t place = (domain.shared() ? domain.shared()->first(d) : 0) + here, all = domain.whole().points(s, d);
      return domain.whole().axis(d).periodic() ? (place + all) % all : place;
    };
    for (std::int64_t i = 0; i < domain.grid().points(s); ++i)
      call(static_cast<std::size_t>(i), {in_whole(0, i % n(0)), in_whole(1, i / n(0) % n(1)), in_whole(2, i / (n(0) * n(1)))});
  }
  static Domain slid(Domain domain, const Sides& sides) {
    if (sides[2] == w) domain.set_wall_velocity(2, {0.02, 0, -0.01});
    if (sides[3] == w) domain.set_wall_velocity(3, {-0.03, 0, 0.02});
    return domain;
  }

  std::int64_t sort(const Fields& x) {
    order.sort(Cpu{}, readable(x), points);
    return order.inside();
  }
  void map(const Fields& x, const Fields& values) {
    for (int times = 0; times < 2; ++times) maps.spread(Cpu{}, order, points, readable(values), writable(force));
    maps.interpolate(Cpu{}, order, readable(u), points, readable(x), writable(velocity));
  }

  Places at;
  Domain domain;
  MarkerMaps maps;
  MarkerOrder order;
  Fields u, force, velocity;
};

/// Anywhere in the box, some of them by turns beyond periodic sides, and on faces.
Fields scattered(const Grid& grid, bool places) {
  Fields all;
  const run::Random random(5);
  for (std::size_t d = 0; d < 3; ++d) {
    const Axis& axis = grid.axis(static_cast<int>(d));
    for (std::int64_t i = 0; i < points; ++i) {
      const double at = random.uniform(run::Purpose::position, places ? 0 : 1, static_cast<std::uint64_t>(i), static_cast<int>(d));
      if (!places) {
        all[d].push_back(at - 0.4);
        continue;
      }
      const double cells = static_cast<double>(axis.cells) * at, turns = axis.periodic() ? static_cast<double>(i % 3 - 1) : 0;
      all[d].push_back(axis.origin + axis.spacing * (i % 7 == 0 ? std::floor(cells) : cells) + turns * axis.length());
    }
  }
  return all;
}

double farthest(const Scene& part, const Scene& whole) {
  double most = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    const std::int64_t nx = whole.domain.grid().points(whole.at[d], 0), ny = whole.domain.grid().points(whole.at[d], 1);
    part.each_point(d, [&](std::size_t i, const std::array<std::int64_t, 3>& place) {
      most = std::max(most, std::abs(part.force[d][i] - whole.force[d][static_cast<std::size_t>(place[0] + nx * (place[1] + ny * place[2]))]));
    });
    for (std::size_t i = 0; i < points; ++i) most = std::max(most, std::abs(part.velocity[d][i] - whole.velocity[d][i]));
  }
  return most;
}

struct Shape {
  std::array<std::int64_t, 3> cells;
  Sides sides;
  Uncut uncut;
  bool same_bits; ///< nothing near a wall comes over a periodic side before it that is cut
};

void check_maps(const distributed::Team& team, const Shape& shape, const std::string& kernel, const Places& at) {
  const Grid grid = Domain::make_grid(shape.cells, {-0.3, 0.7, 0.1},
                                      {0.1 * double(shape.cells[0]), 0.1 * double(shape.cells[1]), 0.1 * double(shape.cells[2])}, shape.sides);
  const std::int64_t ghosts = std::max<std::int64_t>(2, structure::marker_maps::reach(kernel));
  if (!distributed::best_cut(grid, team.size(), ghosts, shape.uncut)) return;
  const auto shared = team.share(grid, ghosts, shape.uncut);
  const Fields x = scattered(grid, true), values = scattered(grid, false);
  for (const Method method : {Method::serial, Method::automatic}) {
    INFO(kernel << ", " << (at == in_cells ? "in cells" : "on faces") << ", " << name(method) << ", sides " << static_cast<int>(shape.sides[0]) << static_cast<int>(shape.sides[2]) << static_cast<int>(shape.sides[4])
                << ", left whole " << shape.uncut[0] << shape.uncut[1] << shape.uncut[2]);
    Scene part(Domain(*shared, shape.sides, {}), shape.sides, kernel, method, at), whole(Domain(grid, shape.sides, {}), shape.sides, kernel, method, at);
    CHECK(part.sort(x) == points);
    CHECK(whole.sort(x) == points);
    part.map(x, values), whole.map(x, values);
    const double off = farthest(part, whole);
    if (method == Method::serial && shape.same_bits) CHECK(off == 0);
    CHECK(off < 1e-12 * 1e3); // forces are over the volume of a cell
    CHECK(part.maps.power_on_field(Cpu{}, readable(part.force)) ==
          Approx(whole.maps.power_on_field(Cpu{}, readable(whole.force))).epsilon(1e-12).margin(1e-15));
    CHECK(part.maps.power_on_points(Cpu{}, points, readable(x), readable(values)) ==
          whole.maps.power_on_points(Cpu{}, points, readable(x), readable(values)));
  }
}

} // namespace

TEST_CASE("Maps of points to boxes that ranks share are those of the whole grid") {
  const auto team = distributed::make_team(distributed::Ranks::world());
  for (const std::string kernel : {"linear", "peskin4", "composite43", "ib6"})
    for (const Shape& shape : {Shape{{9, 10, 13}, {p, p, p, p, p, p}, {}, true},
                               Shape{{13, 8, 7}, {p, p, p, p, p, p}, {false, true, true}, true},
                               Shape{{7, 13, 8}, {p, p, p, p, p, p}, {true, false, true}, true},
                               Shape{{8, 9, 13}, {p, p, w, w, p, p}, {true, false, false}, true},
                               Shape{{14, 9, 8}, {p, p, w, w, p, p}, {false, true, true}, false},
                               Shape{{8, 13, 7}, {p, p, f, f, p, p}, {true, false, true}, true},
                               Shape{{9, 10, 13}, {w, f, w, w, f, w}, {}, true}})
      for (const Places& at : {in_cells, run::on_faces}) check_maps(*team, shape, kernel, at);
}

TEST_CASE("Points that are nowhere in the grid are missed by all ranks") {
  const auto team = distributed::make_team(distributed::Ranks::world());
  const Sides sides{p, p, w, w, p, p};
  const Grid grid = Domain::make_grid({9, 10, 13}, {0, 0, 0}, {0.9, 1, 1.3}, sides);
  const auto shared = team->share(grid, 2);
  Scene part(Domain(*shared, sides, {}), sides, "peskin4", Method::automatic, in_cells);
  Fields x = scattered(grid, true);
  x[1][3] = 1.01, x[1][4] = -0.2, x[0][5] = std::numeric_limits<double>::quiet_NaN(), x[2][6] = std::numeric_limits<double>::infinity();
  CHECK(part.sort(x) == points - 4);
  part.order.keep_whole();
  CHECK(part.sort(x) == points - 4);
  CHECK(part.order.whole().counts().inside == points - 4);
}

TEST_CASE("Kernels that reach beyond the ghosts are refused") {
  const auto team = distributed::make_team(distributed::Ranks::world());
  const Sides sides{p, p, p, p, p, p};
  const Grid grid = Domain::make_grid({9, 10, 13}, {0, 0, 0}, {0.9, 1, 1.3}, sides);
  const auto shared = team->share(grid, 2);
  const Domain domain(*shared, sides, {});
  if (team->size() > 1) CHECK_THROWS_WITH(MarkerMaps(domain, "ib6", Method::automatic, in_cells), Catch::Matchers::ContainsSubstring("reaches 3 cells"));
  CHECK_NOTHROW(MarkerMaps(domain, "peskin4", Method::automatic, in_cells));
}

} // namespace corral::test
