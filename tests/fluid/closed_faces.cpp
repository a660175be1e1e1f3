#include "tests/catch.hpp"
#include "tests/fluid/face_fields.hpp"
#include "tests/fluid/projection_flow.hpp"
#include "tests/tolerance.hpp"

#include <cmath>
#include <functional>

/// Blocked cells stop momentum as they stop pressure: they are no-slip walls at rest.
namespace corral::test {
namespace {

using fluid::Advection;
using fluid::Domain;
using fluid::FaceArrays;
using fluid::FaceKind;
using fluid::SideKind;

using Place = std::array<std::int64_t, 3>;

constexpr std::array<Advection, 3> all_schemes{Advection::upwind, Advection::van_leer, Advection::central};

Domain box(const Place& cells, const std::array<SideKind, 6>& sides, const std::function<bool(const Place&)>& blocked) {
  std::array<double, 3> size{};
  for (std::size_t d = 0; d < 3; ++d) size[d] = 0.125 * static_cast<double>(cells[d]);
  const Grid grid = Domain::make_grid(cells, {0, 0, 0}, size, sides);
  std::vector<std::uint8_t> flags(static_cast<std::size_t>(grid.cells()));
  each_cell_in_turn(grid, [&](const fluid::Cell& c) { flags[c.index] = blocked(c.place); });
  return Domain(grid, sides, {}, flags);
}

/// A box of 6 x 5 x 7 cells with blocked ones: two layers with a hole in them, a corner, single cells.
Domain obstacles(const std::array<SideKind, 6>& sides) {
  return box({6, 5, 7}, sides, [](const Place& c) {
    return (c[2] == 3 && !(c[0] == 2 && c[1] >= 2)) || (c[0] < 2 && c[1] == 0 && c[2] == 0) || c == Place{4, 4, 5};
  });
}

/// Calls f(face of the outer domain, face of the inner one) for direction d: the inner box begins at `offset`.
template <class F> void for_each_pair(const Grid& outer, const Grid& inner, const Place& offset, int d, F f) {
  each_face_in_turn(inner, d, [&](const fluid::Face& s) {
    Place at{};
    for (std::size_t i = 0; i < 3; ++i) at[i] = s.place[i] + offset[i];
    f(at[0] + outer.points(face(d), 0) * (at[1] + outer.points(face(d), 1) * at[2]), s.index);
  });
}

const std::array<SideKind, 6> walls{SideKind::no_slip, SideKind::no_slip, SideKind::no_slip,
                                    SideKind::no_slip, SideKind::no_slip, SideKind::no_slip};

} // namespace

TEST_CASE("a box within blocked cells has the bits of a box within walls") {
  const Place cells{4, 3, 5}, offset{1, 2, 1};
  const Domain inner = box(cells, walls, [](const Place&) { return false; });
  const Domain outer = box({7, 6, 7}, walls, [&](const Place& c) {
    bool inside = true;
    for (std::size_t d = 0; d < 3; ++d) inside = inside && c[d] >= offset[d] && c[d] < offset[d] + cells[d];
    return !inside;
  });
  FaceArrays v = random_velocity(inner, 1), u = random_velocity(outer, 2); // nothing in blocked cells is looked at
  for (int d = 0; d < 3; ++d)
    for_each_pair(outer.grid(), inner.grid(), offset, d, [&](std::int64_t a, std::int64_t b) {
      if (inner.kind(d, b) == FaceKind::fixed) v[d][b] = 0;
      u[d][a] = v[d][b];
    });
  for (const Advection scheme : all_schemes) {
    const FaceArrays expected = forces(inner, v, 1.2, 0.01, scheme), h = forces(outer, u, 1.2, 0.01, scheme);
    int compared = 0;
    for (int d = 0; d < 3; ++d)
      for_each_pair(outer.grid(), inner.grid(), offset, d, [&](std::int64_t a, std::int64_t b) {
        if (inner.kind(d, b) == FaceKind::fixed) return;
        CHECK(h[d][a] == expected[d][b]);
        ++compared;
      });
    CHECK(compared == 3 * 3 * 5 + 4 * 2 * 5 + 4 * 3 * 4);
  }
}

TEST_CASE("nothing passes through a layer of one blocked cell, and closed faces feel nothing") {
  const std::array<SideKind, 6> sides{SideKind::periodic, SideKind::periodic, SideKind::free_slip,
                                      SideKind::no_slip,  SideKind::no_slip,  SideKind::outlet};
  const Domain domain = box({5, 4, 8}, sides, [](const Place& c) { return c[2] == 3; });
  const FaceArrays u = random_velocity(domain, 3), other = random_velocity(domain, 4);
  for (const Advection scheme : all_schemes) {
    FaceArrays v = u;
    const auto below = [](const fluid::Face& f, int d) { return d == 2 ? f.place[2] <= 3 : f.place[2] < 3; };
    for (int d = 0; d < 3; ++d)
      each_face_in_turn(domain.grid(), d, [&](const fluid::Face& f) {
        if (!below(f, d)) v[d][f.index] = other[d][f.index];
      });
    const FaceArrays a = forces(domain, u, 1, 0.1, scheme), b = forces(domain, v, 1, 0.1, scheme);
    for (int d = 0; d < 3; ++d)
      each_face_in_turn(domain.grid(), d, [&](const fluid::Face& f) {
        if (domain.aperture(d, f.index) == 0)
          CHECK(b[d][f.index] == 0);
        else if (below(f, d))
          CHECK(a[d][f.index] == b[d][f.index]);
        else if (domain.kind(d, f.index) == FaceKind::interior)
          CHECK(a[d][f.index] != b[d][f.index]);
      });
  }
}

TEST_CASE("a face at the edge of a blocked cell feels half a wall, half the closed face beyond") {
  // Cells 0 and 1 of the upper row are blocked: above face 2, between cells 1 and 2 of the lower row, half is wall.
  const Domain domain = box({4, 2, 1}, walls, [](const Place& c) { return c[1] == 1 && c[0] < 2; });
  FaceArrays u = fluid::make_face_arrays(domain.grid());
  u[0][2] = 1;
  const FaceArrays h = forces(domain, u, 1, 1e6, Advection::upwind);
  // Along x -2; along y the wall below -2, above 1/2 (-1) + 1/2 (-2); along z two walls -4.
  CHECK(h[0][2] * 0.125 * 0.125 * 1e-6 == Approx(-2 - 2 - 1.5 - 4).margin(1e-6));
}

TEST_CASE("around obstacles viscosity takes energy, and central advection gives none") {
  for (const auto& sides : {all_periodic, walls}) {
    const Domain domain = obstacles(sides);
    for (const bool viscous : {true, false}) {
      ProjectionFlow flow(domain, viscous ? 1e9 : 0.0, Advection::central);
      flow.u = random_velocity(domain, 6);
      flow.project();
      for (int d = 0; d < 3; ++d)
        for (std::int64_t f = 0; f < flow.u[d].size(); ++f)
          if (domain.aperture(d, f) == 0) CHECK(flow.u[d][f] == 0);
      const FaceArrays& h = flow.forces();
      double work = 0, rate = 0;
      for (int d = 0; d < 3; ++d)
        for (std::int64_t f = 0; f < h[d].size(); ++f) {
          if (domain.kind(d, f) == FaceKind::fixed) continue;
          work += flow.u[d][f] * h[d][f];
          rate += std::abs(flow.u[d][f] * h[d][f]);
        }
      if (viscous)
        CHECK(work < -0.5 * rate);
      else
        CHECK(std::abs(work) < 100 * ProjectionFlow::tolerance * rate);
    }
  }
}

TEST_CASE("no step makes the gas faster around obstacles") {
  for (const auto& sides : {all_periodic, walls}) {
    const Domain domain = obstacles(sides);
    const FaceArrays u = random_velocity(domain, 7);
    for (const Advection scheme : {Advection::upwind, Advection::van_leer})
      for (const double dt : {1e-3, 0.03, 0.2, 5.0}) {
        FaceArrays h = fluid::make_face_arrays(domain.grid());
        fluid::Scratch scratch;
        fluid::MomentumForces operation(domain, 1, 0.01, scheme, scratch);
        operation(Cpu{}, dt, fluid::pointers(u), {h[0].data(), h[1].data(), h[2].data()});
        double fastest = 0;
        for (int d = 0; d < 3; ++d)
          for (std::int64_t f = 0; f < domain.grid().points(face(d)); ++f) {
            if (domain.kind(d, f) != FaceKind::fixed) fastest = std::max(fastest, std::abs(u[d][f] + dt * h[d][f]));
          }
        CHECK(fastest <= 1 + round_off(200));
      }
  }
}

TEST_CASE("a lid over blocked cells drives the flow that it drives over walls") {
  using enum SideKind;
  const std::array<SideKind, 6> sides{no_slip, no_slip, no_slip, no_slip, periodic, periodic};
  Domain inner = box({6, 6, 1}, sides, [](const Place&) { return false; });
  Domain outer = box({8, 7, 1}, sides, [](const Place& c) { return c[0] == 0 || c[0] == 7 || c[1] == 0; });
  std::array<FaceArrays, 2> u;
  int k = 0;
  for (Domain* domain : {&inner, &outer}) {
    domain->set_wall_velocity(fluid::side(1, true), {1, 0, 0});
    ProjectionFlow flow(*domain, 0.02, Advection::central);
    for (int step = 0; step < 100; ++step) flow.runge_kutta(0.05);
    u[k++] = flow.u;
  }
  for (int d = 0; d < 2; ++d)
    for_each_pair(outer.grid(), inner.grid(), {1, 1, 0}, d, [&](std::int64_t a, std::int64_t b) {
      CHECK(u[1][d][a] == Approx(u[0][d][b]).margin(1e3 * ProjectionFlow::tolerance));
    });
}

} // namespace corral::test
