#include "tests/catch.hpp"

#include "distributed/shared_grid.hpp"
#include "fluid/lattice/measures.hpp"
#include "fluid/lattice/shared_flow.hpp"

#include <corral/error.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

/// A lattice flow in a box that ranks share beside the same flow in one process, which every rank has, too.
namespace corral::test {
namespace {

using fluid::Domain;
using fluid::LatticeProperties;
using fluid::PlacedLatticeFlow;
using fluid::SideKind;
using fluid::lattice::Scheme;
using fluid::lattice::VelocitySet;
using Sides = std::array<SideKind, 6>;
using Three = std::array<double, 3>;

constexpr SideKind p = SideKind::periodic, w = SideKind::no_slip, f = SideKind::free_slip;

void slide(Domain& domain, const Sides& sides) {
  for (int s = 0; s < 6; ++s)
    if (sides[static_cast<std::size_t>(s)] == w && domain.has_side(s)) {
      Three u{0.02, -0.01, 0.015};
      u[static_cast<std::size_t>(s / 2)] = 0;
      domain.set_wall_velocity(s, u);
    }
}

/// A flow and its fields.
struct Flow {
  Flow(Domain of, const Sides& sides, const LatticeProperties& properties) : domain(std::move(of)) {
    slide(domain, sides);
    flow = fluid::make_placed_flow(domain, properties, fluid::lattice::Processor::host);
    if (domain.shared()) flow = fluid::share_flow(domain, std::move(flow));
    for (std::size_t d = 0; d < 3; ++d)
      for (auto* const field : {&start, &force, &midway, &found}) (*field)[d].assign(static_cast<std::size_t>(cells()), 0.0);
    pressure.assign(static_cast<std::size_t>(cells()), 0.0);
    // From the places of cells in the whole, so that all who have one agree.
    for (std::int64_t c = 0; c < cells(); ++c) {
      const std::array<std::int64_t, 3> at = in_whole(c);
      for (std::size_t d = 0; d < 3; ++d) {
        const double phase = static_cast<double>(3 * at[0] + 5 * at[1] + 7 * at[2]) + static_cast<double>(d);
        start[d][static_cast<std::size_t>(c)] = 0.02 * std::sin(phase);
        force[d][static_cast<std::size_t>(c)] = 1e-3 * std::cos(1.7 * phase);
      }
    }
    flow->start(Cpu{}, pointers(start), nullptr);
  }

  std::int64_t cells() const { return domain.grid().cells(); }
  std::array<std::int64_t, 3> in_whole(std::int64_t c) const {
    const std::int64_t nx = domain.grid().axis(0).cells, ny = domain.grid().axis(1).cells;
    return {domain.in_whole(0, c % nx), domain.in_whole(1, c / nx % ny), domain.in_whole(2, c / (nx * ny))};
  }
  static fluid::ConstFacePointers pointers(const std::array<std::vector<double>, 3>& v) { return {v[0].data(), v[1].data(), v[2].data()}; }
  static fluid::FacePointers writable(std::array<std::vector<double>, 3>& v) { return {v[0].data(), v[1].data(), v[2].data()}; }

  void step() { flow->step(Cpu{}, pointers(force), writable(midway)); }
  void find() { flow->find(Cpu{}, pointers(force), writable(found), pressure.data()); }

  Domain domain;
  std::unique_ptr<PlacedLatticeFlow<Cpu>> flow;
  std::array<std::vector<double>, 3> start, force, midway, found;
  std::vector<double> pressure;
};

void check_near(const Three& a, const Three& b, double scale) {
  for (std::size_t d = 0; d < 3; ++d) CHECK(std::abs(a[d] - b[d]) <= 1e-11 * scale);
}

/// One of them, right after a step, when nobody has looked at ghosts yet.
void check_sums(const Flow& part, const Flow& whole, bool sides) {
  const double momentum = 0.02 * whole.flow->properties().density * whole.domain.grid().cell_volume() * static_cast<double>(whole.cells());
  if (sides) check_near(part.flow->force_of_sides(Cpu{}), whole.flow->force_of_sides(Cpu{}), momentum / whole.flow->properties().dt);
  else check_near(part.flow->momentum(Cpu{}), whole.flow->momentum(Cpu{}), momentum);
}

/// Fields have the whole's bits in all cells of the box, ghosts among them; sums agree to round-off.
void check_alike(Flow& part, Flow& whole) {
  const std::int64_t nx = whole.domain.grid().axis(0).cells, ny = whole.domain.grid().axis(1).cells;
  std::int64_t wrong = 0;
  for (std::int64_t c = 0; c < part.cells(); ++c) {
    const auto [x, y, z] = part.in_whole(c);
    const auto here = static_cast<std::size_t>(c), there = static_cast<std::size_t>(x + nx * (y + ny * z));
    for (std::size_t d = 0; d < 3; ++d)
      wrong += part.midway[d][here] != whole.midway[d][there] || part.found[d][here] != whole.found[d][there];
    wrong += part.pressure[here] != whole.pressure[there];
  }
  CHECK(wrong == 0);
  CHECK(part.flow->fastest() == whole.flow->fastest());
  const auto energy = [](const Flow& of) { return fluid::lattice::kinetic_energy(Cpu{}, of.domain, 1, Flow::pointers(of.found)); };
  CHECK(energy(part) == Approx(energy(whole)).epsilon(1e-12));
  const auto viscous = [](const Flow& of) {
    return fluid::lattice::viscous_work(Cpu{}, of.domain, of.flow->properties(), Flow::pointers(of.midway), Flow::pointers(of.force));
  };
  CHECK(viscous(part).dissipated == Approx(viscous(whole).dissipated).epsilon(1e-12));
  CHECK(viscous(part).by_walls == Approx(viscous(whole).by_walls).epsilon(1e-12).margin(1e-18));
  CHECK(fluid::lattice::total(Cpu{}, part.domain, part.found[0].data()) ==
        Approx(fluid::lattice::total(Cpu{}, whole.domain, whole.found[0].data())).epsilon(1e-11).margin(1e-12));
}

void check_steps(const distributed::Team& team, const std::array<std::int64_t, 3>& cells, const Sides& sides, const LatticeProperties& properties) {
  const Grid grid = Domain::make_grid(cells, {-0.3, 0.7, 0.1}, {0.1 * double(cells[0]), 0.1 * double(cells[1]), 0.1 * double(cells[2])}, sides);
  for (const std::int64_t ghosts : {fluid::lattice_ghosts, fluid::lattice_ghosts + 1}) {
    INFO(ghosts << " ghosts");
    const auto shared = team.share(grid, ghosts);
    Flow part(Domain(*shared, sides, {}), sides, properties), whole(Domain(grid, sides, {}), sides, properties);
    for (int step = 0; step < 6; ++step) {
      part.step(), whole.step();
      check_sums(part, whole, step / 2 % 2 == 0);
      part.find(), whole.find();
      check_alike(part, whole);
    }
  }
}

} // namespace

TEST_CASE("A lattice flow that ranks share has one process's fields, and its sums") {
  const auto team = distributed::make_team(distributed::Ranks::world());
  LatticeProperties properties{.density = 1, .viscosity = 0.02, .dt = 0.1};
  for (const Sides& sides : {Sides{p, p, p, p, p, p}, Sides{p, p, w, w, f, w}, Sides{w, w, w, f, w, w}, Sides{f, f, p, p, w, w}})
    for (const Scheme scheme : {Scheme::in_place, Scheme::two_lattices}) {
      INFO("sides " << static_cast<int>(sides[0]) << static_cast<int>(sides[3]) << static_cast<int>(sides[4]) << static_cast<int>(sides[5]) << ", "
                     << fluid::lattice::name(scheme));
      properties.scheme = scheme;
      check_steps(*team, {9, 10, 13}, sides, properties);
    }
}

TEST_CASE("So has one in the plane, of floats, or with more velocities") {
  const auto team = distributed::make_team(distributed::Ranks::world());
  check_steps(*team, {13, 12, 1}, {p, p, w, w, p, p}, {.density = 1, .viscosity = 0.02, .dt = 0.1, .set = VelocitySet::d2q9});
  check_steps(*team, {9, 10, 13}, {w, w, p, p, p, p},
              {.density = 1, .viscosity = 0.02, .dt = 0.1, .set = VelocitySet::d3q27, .precision = fluid::lattice::Precision::floats});
}

TEST_CASE("A shared flow refuses outlets, and too few ghosts") {
  const auto team = distributed::make_team(distributed::Ranks::world());
  const LatticeProperties properties{.density = 1, .viscosity = 0.02, .dt = 0.1};
  const Sides out{w, SideKind::outlet, p, p, p, p}, wrapping{p, p, p, p, p, p};
  const auto made = [&](const Sides& sides, std::int64_t ghosts) {
    const Grid grid = Domain::make_grid({8, 8, 9}, {0, 0, 0}, {0.8, 0.8, 0.9}, sides);
    const auto shared = team->share(grid, ghosts);
    Flow(Domain(*shared, sides, {}), sides, properties);
  };
  CHECK_THROWS_AS(made(out, 2), Error);
  if (team->size() > 1) CHECK_THROWS_AS(made(wrapping, 1), Error);
  CHECK_NOTHROW(made(wrapping, 2));
}

} // namespace corral::test
