#include "structure/markers/marker_maps.hpp"
#include "tests/catch.hpp"
#include "tests/tolerance.hpp"

#include "run/random.hpp"

#include <corral/execution.hpp>
#include <corral/kernels/shipped.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace corral::structure {
namespace {

using fluid::Domain;
using fluid::SideKind;
using test::round_off;

constexpr std::array<std::int64_t, 3> cells{8, 7, 9};
constexpr std::array<double, 3> size{4e-6, 2.8e-6, 3.6e-6}; // [m]

Domain box(bool walls) {
  std::array<SideKind, 6> sides{};
  sides.fill(SideKind::periodic);
  if (walls) sides[2] = sides[3] = SideKind::no_slip;
  return {Domain::make_grid(cells, {1e-6, 2e-6, 0}, size, sides), sides, {}};
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
  for (const bool walls : {false, true}) {
    const Domain domain = box(walls);
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
      INFO(K::name << (walls ? ", walls" : ", periodic"));
      CHECK(std::abs(at_points - on_faces) <= round_off(600) * terms);
    });
  }
}

TEST_CASE("Between walls that slide, points see the linear profile exactly, right up to the walls") {
  Domain domain = box(true);
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

TEST_CASE("A force far from walls arrives whole") {
  for (const bool walls : {false, true}) {
    const Domain domain = box(walls);
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
  CHECK_THROWS_AS(MarkerMaps(box(false), "gaussian", Method::automatic), Error);
}

} // namespace corral::structure
