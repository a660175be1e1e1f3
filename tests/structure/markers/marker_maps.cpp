#include "structure/markers/marker_maps.hpp"
#include "tests/catch.hpp"
#include "tests/tolerance.hpp"

#include "run/random.hpp"

#include <corral/execution.hpp>
#include <corral/kernels/shipped.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace corral::structure {
namespace {

using fluid::Domain;
using fluid::SideKind;
using test::round_off;

constexpr std::array<std::int64_t, 3> cells{8, 7, 9};
constexpr std::array<double, 3> size{4e-6, 2.8e-6, 3.6e-6}; // [m]

using Sides = std::array<SideKind, 6>;
constexpr auto wall = SideKind::no_slip, slips = SideKind::free_slip, open = SideKind::outlet, round = SideKind::periodic;
constexpr Sides none{round, round, round, round, round, round}, of_y{round, round, wall, wall, round, round};

/// What an array says of axes, of those that a turn about the diagonal brings them to.
template <class T> std::array<T, 3> turned(const std::array<T, 3>& of, int by) {
  std::array<T, 3> to{};
  for (std::size_t d = 0; d < 3; ++d) to[(d + static_cast<std::size_t>(by)) % 3] = of[d];
  return to;
}

Domain box(const Sides& sides, int turn = 0, std::vector<fluid::Inlet> inlets = {}) {
  Sides to{};
  for (std::size_t s = 0; s < 6; ++s) to[(s + 2 * static_cast<std::size_t>(turn)) % 6] = sides[s];
  return {Domain::make_grid(turned(cells, turn), turned<double>({1e-6, 2e-6, 0}, turn), turned(size, turn), to), to, std::move(inlets)};
}

struct Scene {
  std::array<std::vector<double>, 3> x, value, out;
  fluid::FaceArrays u, f;
  CellOrder<double> order;

  explicit Scene(const Domain& domain, std::int64_t n = 200)
      : u(fluid::make_face_arrays(domain.grid())), f(u), order(domain.grid()) {
    const run::Random random(11);
    for (std::size_t d = 0; d < 3; ++d) {
      const Axis& a = domain.grid().axis(static_cast<int>(d));
      const auto draw = [&](std::int64_t i, int k) {
        return random.uniform(run::Purpose::position, static_cast<std::int64_t>(d), static_cast<std::uint64_t>(i), k);
      };
      for (std::int64_t i = 0; i < n; ++i) {
        x[d].push_back(a.origin + draw(i, 0) * a.length());
        value[d].push_back(1e-12 * (draw(i, 1) - 0.5));
      }
      out[d].resize(static_cast<std::size_t>(n));
      for (std::int64_t i = 0; i < u[d].size(); ++i) u[d][i] = draw(i, 2) - 0.5;
    }
    order.sort(Cpu{}, positions(x[0].data(), x[1].data(), x[2].data(), n));
  }
  std::int64_t n() const { return static_cast<std::int64_t>(x[0].size()); }
  ConstPoints at() const { return {x[0].data(), x[1].data(), x[2].data()}; }
  ConstPoints values() const { return {value[0].data(), value[1].data(), value[2].data()}; }
  Points result() { return {out[0].data(), out[1].data(), out[2].data()}; }
};

} // namespace

TEST_CASE("Spreading forces and interpolating velocities are adjoint for every kernel, walls or none") {
  for (const Sides& sides : {none, of_y, Sides{wall, wall, slips, open, wall, wall}}) {
    const Domain domain = box(sides);
    kernels::for_each_shipped([&]<class K>(const K&) {
      Scene s(domain);
      MarkerMaps maps(domain, std::string(K::name), Method::automatic);
      maps.interpolate(Cpu{}, s.order, fluid::pointers(s.u), s.n(), s.at(), s.result());
      maps.spread(Cpu{}, s.order, s.n(), s.values(), fluid::writable_pointers(s.f));
      double at_points = 0, on_faces = 0, terms = 0;
      for (std::size_t d = 0; d < 3; ++d) {
        for (std::size_t i = 0; i < s.out[d].size(); ++i) {
          at_points += s.out[d][i] * s.value[d][i];
          terms += std::abs(s.out[d][i] * s.value[d][i]);
        }
        for (std::int64_t i = 0; i < s.f[d].size(); ++i)
          on_faces += s.f[d][i] * s.u[d][i] * domain.grid().cell_volume();
      }
      INFO(K::name << ", y_low: " << name(sides[2]));
      CHECK(std::abs(at_points - on_faces) <= round_off(600) * terms);
    });
  }
}

TEST_CASE("Between walls that slide, points see the linear profile exactly, right up to the walls") {
  Domain domain = box(of_y);
  domain.set_wall_velocity(fluid::side(1, false), {0.25, 0, -1});
  domain.set_wall_velocity(fluid::side(1, true), {-0.5, 0, 3});
  const Axis& axis = domain.grid().axis(1);
  const auto profile = [&](std::size_t d, double y) {
    const double share = (y - axis.origin) / axis.length();
    const std::array<double, 3> low{0.25, 0, -1}, high{-0.5, 0, 3};
    return low[d] + share * (high[d] - low[d]);
  };
  for (const char* kernel : {"composite43", "peskin4", "ib6", "bspline3"}) {
    Scene s(domain);
    for (std::size_t d = 0; d < 3; ++d) {
      const std::int64_t nx = domain.grid().points(face(static_cast<int>(d)), 0);
      const std::int64_t ny = domain.grid().points(face(static_cast<int>(d)), 1);
      for (std::int64_t i = 0; i < s.u[d].size(); ++i)
        s.u[d][i] = profile(d, axis.origin + (static_cast<double>(i / nx % ny) + 0.5) * axis.spacing);
    }
    MarkerMaps maps(domain, kernel, Method::automatic);
    maps.interpolate(Cpu{}, s.order, fluid::pointers(s.u), s.n(), s.at(), s.result());
    for (const std::size_t d : {0u, 2u})
      for (std::size_t i = 0; i < s.out[d].size(); ++i)
        CHECK(std::abs(s.out[d][i] - profile(d, s.x[1][i])) <= round_off(64) * 3);
  }
}

TEST_CASE("Walls of any axis are alike, whether they slide or not") {
  struct Walls {
    Sides sides;
    std::array<std::array<double, 3>, 6> velocity; // of no-slip ones
  };
  const std::vector<Walls> all{
      {of_y, {{{}, {}, {0.25, 0, -1}, {-0.5, 0, 3}, {}, {}}}},
      {{wall, wall, wall, wall, wall, wall}, {}},                                            // a tank
      {{wall, wall, wall, wall, round, round}, {{{}, {}, {}, {0.5, 0, 0.25}, {}, {}}}},      // with a lid
      {{round, round, wall, wall, wall, wall}, {{{}, {}, {2, 0, 0}, {2, 0, 0}, {2, 0, 0}, {2, 0, 0}}}}, // a pipe that moves
      {{open, open, wall, slips, slips, slips}, {{{}, {}, {1, 0, 0}, {}, {}, {}}}}};         // a belt below a stream
  for (const bool on_faces : {false, true})
    for (const Walls& walls : all)
      for (const int turn : {1, 2}) {
        const auto at = [&](int d) { return on_faces ? face(d) : Staggering::centre; };
        const auto domain_of = [&](int by) {
          Domain domain = box(walls.sides, by);
          for (int s = 0; s < 6; ++s)
            if (walls.sides[static_cast<std::size_t>(s)] == wall)
              domain.set_wall_velocity((s + 2 * by) % 6, turned(walls.velocity[static_cast<std::size_t>(s)], by));
          return domain;
        };
        const Domain domain = domain_of(0), other = domain_of(turn);
        Scene a(domain), b(other);
        b.x = turned(a.x, turn), b.value = turned(a.value, turn);
        b.order.sort(Cpu{}, positions(b.x[0].data(), b.x[1].data(), b.x[2].data(), b.n()));
        // f(d, point of `a`, component of `b`, the same point there)
        const auto each = [&](const auto& f) {
          for (int d = 0; d < 3; ++d) {
            const int to = (d + turn) % 3;
            std::array<std::int64_t, 3> n{}, m{};
            for (int e = 0; e < 3; ++e) n[e] = domain.grid().points(at(d), e), m[e] = other.grid().points(at(to), e);
            for (std::int64_t k = 0; k < n[2]; ++k)
              for (std::int64_t j = 0; j < n[1]; ++j)
                for (std::int64_t i = 0; i < n[0]; ++i) {
                  const std::array<std::int64_t, 3> p = turned<std::int64_t>({i, j, k}, turn);
                  f(d, i + n[0] * (j + n[1] * k), to, p[0] + m[0] * (p[1] + m[1] * p[2]));
                }
          }
        };
        each([&](int d, std::int64_t p, int to, std::int64_t q) { b.u[to][q] = a.u[d][p]; });
        double power[2][2]{};
        int i = 0;
        for (auto* const scene : {&a, &b}) {
          MarkerMaps maps(scene == &a ? domain : other, "roma3", Method::automatic, {at(0), at(1), at(2)});
          maps.interpolate(Cpu{}, scene->order, fluid::pointers(scene->u), scene->n(), scene->at(), scene->result());
          maps.spread(Cpu{}, scene->order, scene->n(), scene->values(), fluid::writable_pointers(scene->f));
          power[i][0] = maps.power_on_field(Cpu{}, fluid::pointers(scene->f));
          power[i++][1] = maps.power_on_points(Cpu{}, scene->n(), scene->at(), scene->values());
        }
        INFO(name(walls.sides[0]) << " " << name(walls.sides[3]) << ", turned by " << turn << (on_faces ? ", faces" : ", centres"));
        const auto seen = turned(a.out, turn);
        for (std::size_t d = 0; d < 3; ++d)
          for (std::size_t p = 0; p < seen[d].size(); ++p) CHECK(std::abs(b.out[d][p] - seen[d][p]) <= round_off(64) * 3);
        double terms = 0;
        for (const double f : a.value[0]) terms = std::max(terms, std::abs(f) / domain.grid().cell_volume());
        each([&](int d, std::int64_t p, int to, std::int64_t q) { CHECK(std::abs(b.f[to][q] - a.f[d][p]) <= round_off(64) * 10 * terms); });
        for (int which = 0; which < 2; ++which) CHECK(power[1][which] == Approx(power[0][which]).margin(1e-12 * 1e-12));
      }
}

TEST_CASE("At walls a velocity is the walls', at sides that slip or are open it goes on as it is") {
  const fluid::Inlet stream{.name = "stream", .side = 0, .region = {{0, 0, 0}, {1, 1, 1}}, .velocity = [](const auto&) { return 1.; }};
  struct Seen {
    Sides sides;
    std::array<std::array<int, 3>, 3> as; // each component along each axis: 1 goes on, -1 ends
    std::vector<fluid::Inlet> inlets{};
  };
  const std::vector<Seen> all{{{wall, wall, wall, wall, wall, wall}, {{{-1, -1, -1}, {-1, -1, -1}, {-1, -1, -1}}}},
                              {{round, round, slips, slips, round, round}, {{{1, 1, 1}, {1, -1, 1}, {1, 1, 1}}}},
                              {{open, open, slips, slips, wall, wall}, {{{1, 1, -1}, {1, -1, -1}, {1, 1, -1}}}},
                              {{wall, open, slips, slips, slips, slips}, {{{1, 1, 1}, {-1, -1, 1}, {-1, 1, -1}}}, {stream}},
                              {{slips, open, slips, slips, slips, slips}, {{{1, 1, 1}, {1, -1, 1}, {1, 1, -1}}}, {stream}},
                              {{wall, open, wall, slips, slips, open}, {{{-1, -1, 1}, {-1, -1, 1}, {-1, -1, -1}}}}};
  for (const Seen& seen : all) {
    const Domain domain = box(seen.sides, 0, seen.inlets);
    for (int d = 0; d < 3; ++d)
      for (std::size_t e = 0; e < 3; ++e) {
        INFO("component " << d << " along " << e << ", x_low: " << name(seen.sides[0]) << ", y_low: " << name(seen.sides[2]));
        CHECK(static_cast<int>(marker_maps::walled(domain, d).sign[e]) == (domain.grid().axis(static_cast<int>(e)).periodic() ? 1 : seen.as[static_cast<std::size_t>(d)][e]));
      }
  }
  // What that means where a point stands a tenth of a cell off a side: 1 stays 1, or is .2 or so of it.
  const Domain domain = box({open, open, slips, slips, wall, wall});
  for (const std::size_t e : {0u, 1u, 2u}) {
    Scene s(domain, 1);
    for (std::size_t d = 0; d < 3; ++d) {
      const Axis& axis = domain.grid().axis(static_cast<int>(d));
      s.x[d][0] = axis.origin + (d == e ? 0.1 * axis.spacing : 0.47 * axis.length());
      s.u[d].fill(1);
    }
    s.order.sort(Cpu{}, positions(s.x[0].data(), s.x[1].data(), s.x[2].data(), 1));
    const std::array<Staggering, 3> centres{Staggering::centre, Staggering::centre, Staggering::centre};
    MarkerMaps maps(domain, "linear", Method::automatic, centres);
    fluid::FaceArrays u;
    for (auto& component : u) component.resize(domain.grid().cells(), 1.0);
    maps.interpolate(Cpu{}, s.order, fluid::pointers(u), 1, s.at(), s.result());
    for (std::size_t d = 0; d < 3; ++d) {
      INFO("component " << d << " beside a side of " << e);
      CHECK(s.out[d][0] == Approx(all[2].as[d][e] > 0 ? 1 : 0.2));
    }
  }
}

TEST_CASE("A force far from walls arrives whole") {
  for (const Sides& sides : {none, of_y}) {
    const Domain domain = box(sides);
    Scene s(domain, 1);
    for (std::size_t d = 0; d < 3; ++d) s.x[d][0] = domain.grid().axis(static_cast<int>(d)).origin + 0.47 * size[d];
    s.order.sort(Cpu{}, positions(s.x[0].data(), s.x[1].data(), s.x[2].data(), 1));
    MarkerMaps maps(domain, "composite43", Method::automatic);
    maps.spread(Cpu{}, s.order, 1, s.values(), fluid::writable_pointers(s.f));
    for (std::size_t d = 0; d < 3; ++d) {
      double total = 0;
      for (const double f : s.f[d]) total += f * domain.grid().cell_volume();
      CHECK(total == Approx(s.value[d][0]).epsilon(round_off(64)));
    }
  }
}

TEST_CASE("A kernel that nobody knows is refused") {
  CHECK_THROWS_AS(MarkerMaps(box(none), "gaussian", Method::automatic), Error);
}

} // namespace corral::structure
