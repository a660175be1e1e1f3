#include "tests/fluid/incompressible/flow_case.hpp"

#include <corral/error.hpp>

#include <limits>

/// What a flow by Fourier solves does not serve, and says so.
namespace corral::test {
namespace {

using fluid::Domain;
using fluid::FlowProperties;
using fluid::IncompressibleFlow;
using fluid::Projection;
using fluid::SideKind;

const FlowProperties water{.density = 1e3, .viscosity = 1e-3};

Domain box_with(std::array<SideKind, 6> sides, std::array<std::int64_t, 3> cells = {4, 4, 4},
                const std::vector<std::uint8_t>& blocked = {}) {
  return Domain(Domain::make_grid(cells, {0, 0, 0}, {1, 1, 1}, sides), sides, {}, blocked);
}

std::string refusal(const Domain& domain, const FlowProperties& properties = water) {
  try {
    const IncompressibleFlow flow(domain, properties);
    return "";
  } catch (const Error& e) { return e.what(); }
}

bool says(const std::string& message, const std::string& part) { return message.find(part) != std::string::npos; }

} // namespace

TEST_CASE("boxes that Fourier solves don't serve are refused by side") {
  using enum SideKind;
  CHECK(refusal(box_with(all_periodic)).empty());
  CHECK(refusal(box_with(walls_in_y)).empty());
  CHECK(says(refusal(box_with({no_slip, no_slip, periodic, periodic, periodic, periodic})), "side x_low is no_slip"));
  CHECK(says(refusal(box_with({periodic, periodic, periodic, periodic, no_slip, no_slip})), "side z_low is no_slip"));
  CHECK(says(refusal(box_with({periodic, periodic, no_slip, outlet, periodic, periodic})), "side y_high is outlet"));
  CHECK(says(refusal(box_with({periodic, periodic, free_slip, free_slip, periodic, periodic})), "y_low is free_slip"));
  CHECK(says(refusal(box_with({periodic, periodic, symmetry, no_slip, periodic, periodic})), "y_low is symmetry"));
  CHECK(says(refusal(box_with(walls_in_y, {4, 1, 4})), "one cell between two walls"));
  CHECK(says(refusal(box_with(walls_in_y, {4, 11, 4})), ""));
  CHECK(refusal(box_with(walls_in_y, {4, 11, 4})).empty()); // between walls any number of cells
  CHECK(says(refusal(box_with(walls_in_y, {11, 4, 4})), "take 10 or 12"));
  CHECK(says(refusal(box_with(all_periodic, {4, 13, 4})), "take 12 or 14"));
  std::vector<std::uint8_t> blocked(64, 0);
  blocked[5] = 1;
  CHECK(says(refusal(box_with(all_periodic, {4, 4, 4}, blocked)), "blocked cells"));
  fluid::Inlet inlet;
  inlet.name = "top";
  inlet.side = 3;
  inlet.region = {{0, 0, 0}, {1, 1, 1}};
  inlet.velocity = [](const auto&) { return 1.0; };
  CHECK(says(refusal(Domain(Domain::make_grid({4, 4, 4}, {0, 0, 0}, {1, 1, 1}, walls_in_y), walls_in_y, {inlet})),
             "inlet top"));
}

TEST_CASE("properties, steps and arrays that cannot be are refused") {
  const Domain box = box_with(all_periodic), walls = box_with(walls_in_y);
  const double infinite = std::numeric_limits<double>::infinity();
  CHECK(says(refusal(box, {.density = 0, .viscosity = 1}), "density"));
  CHECK(says(refusal(box, {.density = 1, .viscosity = 0}), "viscosity"));
  CHECK(says(refusal(box, {.density = 1, .viscosity = infinite}), "viscosity"));
  CHECK(says(refusal(box, {.density = 1, .viscosity = 1, .body_force = {0, infinite, 0}}), "body force"));
  CHECK(says(refusal(walls, {.viscosity = 1, .projection = Projection::pm2, .inertia = fluid::Inertia::none}), "PmII"));
  CHECK(says(refusal(walls, {.density = 1, .viscosity = 1, .mean_force = fluid::MeanForce::balanced}), "balanced"));

  FlowFields f(box.grid()), g(walls.grid());
  IncompressibleFlow flow(box, water);
  CHECK_THROWS_AS(f.step(flow, 0), Error);
  CHECK_THROWS_AS(f.step(flow, std::numeric_limits<double>::quiet_NaN()), Error);
  CHECK_THROWS_AS(flow.step(Cpu{}, {}, fluid::pointers(f.force), 1), Error);
  CHECK_THROWS_AS(flow.step(Cpu{}, f.state(), {}, 1), Error);
  CHECK_THROWS_AS(flow.project(Cpu{}, {}), Error);
  for (const Projection projection : {Projection::pm2, Projection::pm3}) {
    FlowProperties properties = water;
    properties.projection = projection;
    IncompressibleFlow split(walls, properties);
    CHECK_THROWS_AS(split.step(Cpu{}, {.velocity = fluid::writable_pointers(g.u)}, fluid::pointers(g.force), 1e-3),
                    Error);
  }
  IncompressibleFlow stokes(box, {.viscosity = 1, .inertia = fluid::Inertia::none});
  f.force[2].fill(1);
  CHECK_THROWS_WITH(f.step(stokes, 1), Catch::Matchers::ContainsSubstring("mean force along z"));
  f.force[2].fill(0);
  f.force[2][3] = 1, f.force[2][7] = -1;
  CHECK_NOTHROW(f.step(stokes, 1));
}

} // namespace corral::test
