#include "fluid/lattice/measures.hpp"
#include "tests/fluid/lattice/lattice_case.hpp"
#include "tests/sanitized.hpp"

#include <numbers>
#include <string>

/// Lattice flows against formulas.
namespace corral::test {
namespace {

constexpr double pi = std::numbers::pi;

/// Until it is steady, or `most` steps.
void settle(LatticeFlow& flow, const Grid& grid, int most) {
  CellVectors before = velocity_of(flow, grid);
  for (int s = 0; s < most; s += 200) {
    for (int k = 0; k < 200; ++k) flow.step(Cpu{});
    const CellVectors now = velocity_of(flow, grid);
    const double change = largest_apart(now, before);
    before = now;
    if (change < 1e-16) return;
  }
}

/// Between walls across `axis` with n cells, driven along `along`.
double poiseuille_error(VelocitySet set, int axis, int along, double tau, double magic, std::int64_t n) {
  std::array<std::int64_t, 3> cells{3, 3, 3};
  if (set == VelocitySet::d2q9) cells[2] = 1;
  cells[static_cast<std::size_t>(axis)] = n;
  const fluid::Domain domain = lattice_box(cells, with(all_wrap, axis, SideKind::no_slip, SideKind::no_slip));
  LatticeProperties p = of_tau(tau, set);
  p.magic = magic;
  const double width = static_cast<double>(n), most = 0.02, push = 8 * p.viscosity * most / (width * width);
  p.body_force[static_cast<std::size_t>(along)] = push;
  const CellVectors exact = at_centres(domain.grid(), [&](const auto& x) {
    std::array<double, 3> u{};
    const double y = x[static_cast<std::size_t>(axis)];
    u[static_cast<std::size_t>(along)] = 4 * most * y * (width - y) / (width * width);
    return u;
  });
  LatticeFlow flow(domain, p);
  flow.start(Cpu{}, seen(exact));
  settle(flow, domain.grid(), 40000);
  CellVectors u = fluid::make_cell_arrays(domain.grid());
  flow.find(Cpu{}, {}, written(u), nullptr);
  return largest_apart(u, exact) / most;
}

TEST_CASE("a lattice's parabola between walls is exact at the magic number 3/16", "[values]") {
  for (const double tau : {0.55, 0.8, 1.7}) {
    INFO("tau " << tau);
    CHECK(poiseuille_error(VelocitySet::d2q9, 1, 0, tau, 3. / 16, 9) < 1e-12);
    CHECK(poiseuille_error(VelocitySet::d2q9, 0, 1, tau, 3. / 16, 9) < 1e-12);
  }
  CHECK(poiseuille_error(VelocitySet::d3q19, 2, 0, 0.8, 3. / 16, 7) < 1e-12);
  CHECK(poiseuille_error(VelocitySet::d3q27, 0, 2, 0.8, 3. / 16, 7) < 1e-12);
  // Elsewhere fluid slips at walls by 2/3 (magic - 3/16) of the curvature.
  const double error = poiseuille_error(VelocitySet::d2q9, 1, 0, 0.8, 1. / 4, 9);
  CHECK(error == Approx(4. / 81 * 4. / 3 * (1. / 4 - 3. / 16)).epsilon(1e-6));
}

TEST_CASE("a lattice's fluid between walls that slide shears evenly", "[values]") {
  for (const int axis : {0, 1, 2}) {
    INFO("walls across " << "xyz"[axis]);
    const int along = (axis + 1) % 3;
    std::array<std::int64_t, 3> cells{4, 4, 4};
    cells[static_cast<std::size_t>(axis)] = 6;
    fluid::Domain domain = lattice_box(cells, with(all_wrap, axis, SideKind::no_slip, SideKind::no_slip));
    std::array<double, 3> slide{};
    slide[static_cast<std::size_t>(along)] = 0.05;
    domain.set_wall_velocity(fluid::side(axis, true), slide);
    LatticeFlow flow(domain, of_tau(0.9));
    flow.start(Cpu{}, seen(fluid::make_cell_arrays(domain.grid())));
    settle(flow, domain.grid(), 20000);
    const CellVectors exact = at_centres(domain.grid(), [&](const auto& x) {
      std::array<double, 3> u{};
      u[static_cast<std::size_t>(along)] = 0.05 * x[static_cast<std::size_t>(axis)] / 6;
      return u;
    });
    CHECK(largest_apart(velocity_of(flow, domain.grid()), exact) < 1e-14);
    CHECK(std::abs(flow.excess_mass(Cpu{})) < 1e-14);
  }
}

TEST_CASE("a lid that slides between walls carries no mass from one of them to the other", "[values]") {
  for (const auto set : all_sets) {
    const bool flat = set == VelocitySet::d2q9;
    SideKinds sides = all_wrap;
    for (int axis = 0; axis < (flat ? 2 : 3); ++axis) sides = with(sides, axis, SideKind::no_slip, SideKind::no_slip);
    fluid::Domain domain = lattice_box({7, 6, flat ? 1 : 5}, sides);
    domain.set_wall_velocity(fluid::side(1, true), {0.05, 0, flat ? 0 : 0.03});
    LatticeFlow flow(domain, of_tau(0.9, set));
    flow.start(Cpu{}, seen(fluid::make_cell_arrays(domain.grid())));
    settle(flow, domain.grid(), 20000);
    INFO(name(set));
    for (const double momentum : flow.momentum(Cpu{})) CHECK(std::abs(momentum) < 1e-13);
  }
}

/// Largest error of Taylor and Green's vortices on n^2 cells over their largest velocity, after `time` of h^2/nu n^2.
double vortices_error(std::int64_t n, Collision collision, Precision precision = Precision::doubles) {
  const fluid::Domain domain = lattice_box({n, n, 1}, all_wrap, 1. / static_cast<double>(n));
  LatticeProperties p;
  p.density = 1;
  p.viscosity = 0.01;
  p.set = VelocitySet::d2q9;
  p.collision = collision;
  p.precision = precision;
  const double h = 1 / static_cast<double>(n), k = 2 * pi;
  p.dt = 0.1 * h * h / p.viscosity; // diffusive scaling: tau is .8 on every grid
  const double speed = 0.064; // .04 cells a step on the coarsest grid
  const auto exact = [&](double t) {
    const double fade = std::exp(-2 * p.viscosity * k * k * t);
    return at_centres(domain.grid(), [&](const auto& x) {
      return std::array<double, 3>{-speed * fade * std::cos(k * x[0]) * std::sin(k * x[1]),
                                   speed * fade * std::sin(k * x[0]) * std::cos(k * x[1]), 0};
    });
  };
  const CellVectors pressure = at_centres(domain.grid(), [&](const auto& x) {
    return std::array<double, 3>{-0.25 * speed * speed * (std::cos(2 * k * x[0]) + std::cos(2 * k * x[1])), 0, 0};
  });
  LatticeFlow flow(domain, p);
  flow.start(Cpu{}, seen(exact(0)), pressure[0].data());
  const auto steps = static_cast<int>(10 * n * n / 256) * 8;
  for (int s = 0; s < steps; ++s) flow.step(Cpu{});
  return largest_apart(velocity_of(flow, domain.grid()), exact(steps * p.dt)) / speed;
}

TEST_CASE("vortices fade on a lattice with an error of second order in the cells", "[values][physics]") {
  for (const Collision c : all_collisions) {
    INFO(name(c));
    const double coarse = vortices_error(32, c), fine = vortices_error(64, c);
    INFO(coarse << ' ' << fine);
    CHECK(std::log2(coarse / fine) == Approx(2).margin(0.1));
    CHECK(fine < 1e-4);
  }
  CHECK(vortices_error(32, Collision::trt, Precision::floats) == Approx(vortices_error(32, Collision::trt)).margin(3e-6));
}

/// nu of a shear wave along a direction of the box, over what was asked for.
double viscosity_of_wave(VelocitySet set, Collision collision, std::array<int, 3> direction, std::array<double, 3> across,
                         double drift) {
  constexpr std::int64_t n = 32;
  std::array<std::int64_t, 3> cells{2, 2, 2};
  if (set == VelocitySet::d2q9) cells[2] = 1;
  double k2 = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    if (direction[d] != 0) cells[d] = n;
    k2 += direction[d] * direction[d] * (2 * pi / n) * (2 * pi / n);
  }
  const fluid::Domain domain = lattice_box(cells, all_wrap);
  LatticeProperties p = of_tau(0.56, set, collision);
  const auto wave = [&](double t, double amplitude) {
    return at_centres(domain.grid(), [&](const auto& x) {
      double phase = 0;
      std::array<double, 3> u{};
      for (std::size_t d = 0; d < 3; ++d) phase += 2 * pi / n * direction[d] * (x[d] - (direction[d] != 0 ? drift * t : 0));
      for (std::size_t d = 0; d < 3; ++d) u[d] = across[d] * amplitude * std::sin(phase) + (direction[d] != 0 ? drift : 0);
      return u;
    });
  };
  constexpr double amplitude = 1e-3;
  LatticeFlow flow(domain, p);
  flow.start(Cpu{}, seen(wave(0, amplitude)));
  const int steps = 200;
  for (int s = 0; s < steps; ++s) flow.step(Cpu{});
  const CellVectors u = velocity_of(flow, domain.grid()), form = wave(steps, 1);
  double shared = 0, own = 0;
  for (std::size_t d = 0; d < 3; ++d)
    for (std::int64_t c = 0; c < u[d].size(); ++c) {
      const double f = form[d][c] - (direction[d] != 0 ? drift : 0);
      shared += (u[d][c] - (direction[d] != 0 ? drift : 0)) * f;
      own += f * f;
    }
  return -std::log(shared / own / amplitude) / (k2 * steps) / p.viscosity;
}

TEST_CASE("shear waves fade by the viscosity asked for, whatever the lattice, the direction and the drift", "[values][physics]") {
  const double s = std::numbers::sqrt2 / 2;
  for (const Collision c : all_collisions) {
    INFO(name(c));
    for (const VelocitySet set : all_sets) {
      INFO(name(set));
      for (const double drift : {0.0, 0.05}) {
        INFO("drift " << drift);
        CHECK(viscosity_of_wave(set, c, {1, 0, 0}, {0, 1, 0}, drift) == Approx(1).epsilon(0.015));
        CHECK(viscosity_of_wave(set, c, {1, 1, 0}, {s, -s, 0}, drift) == Approx(1).epsilon(0.03));
        if (set == VelocitySet::d2q9) continue;
        CHECK(viscosity_of_wave(set, c, {0, 0, 1}, {0, 1, 0}, drift) == Approx(1).epsilon(0.015));
        CHECK(viscosity_of_wave(set, c, {0, 1, 1}, {1, 0, 0}, drift) == Approx(1).epsilon(0.03));
      }
    }
  }
}

TEST_CASE("regularised waves fade alike at rest and adrift, where others lack a moment of third order") {
  const auto change = [](VelocitySet set, Collision c) {
    const auto nu = [=](double drift) { return viscosity_of_wave(set, c, {1, 0, 0}, {0, 1, 0}, drift); };
    return nu(0.1) / nu(0);
  };
  for (const VelocitySet set : all_sets) {
    INFO(name(set));
    CHECK(change(set, Collision::trt) == Approx(1 - 3 * 0.1 * 0.1).epsilon(0.003)); // Krueger et al. 2017, 4.2.1
    CHECK(change(set, Collision::regularised) == Approx(1).epsilon(0.003));
  }
}

TEST_CASE("a lattice's fluid that drifts across the rows of a force lags behind it as it should", "[values]") {
  constexpr std::int64_t n = 32;
  constexpr double drift = 0.08, k = 2 * pi / n, push = 1e-6, nu = 0.4; // tau = 1.7, which lets a wrong force show
  // drift u' - nu u'' = push sin k y
  const double sine = nu * k * k, cosine = -drift * k, square = sine * sine + cosine * cosine;
  for (const VelocitySet set : all_sets)
    for (const Collision c : {Collision::trt, Collision::regularised}) { // bgk's own error is larger at this tau
      INFO(name(set) << ' ' << name(c));
      const fluid::Domain domain = lattice_box({2, n, set == VelocitySet::d2q9 ? 1 : 2}, all_wrap);
      const CellVectors u = at_centres(domain.grid(), [&](const auto& x) {
        return std::array<double, 3>{push / square * (sine * std::sin(k * x[1]) + cosine * std::cos(k * x[1])), drift, 0};
      });
      const CellVectors force =
          at_centres(domain.grid(), [&](const auto& x) { return std::array<double, 3>{push * std::sin(k * x[1]), 0, 0}; });
      LatticeFlow flow(domain, of_tau(0.5 + 3 * nu, set, c));
      flow.start(Cpu{}, seen(u));
      for (int s = 0; s < 600; ++s) flow.step(Cpu{}, seen(force));
      CellVectors found = fluid::make_cell_arrays(domain.grid());
      flow.find(Cpu{}, seen(force), written(found), nullptr);
      CHECK(largest_apart(found, u) < 0.02 * push / std::sqrt(square));
    }
}

TEST_CASE("eddies that a lattice does not resolve add Smagorinsky's viscosity", "[values][physics]") {
  constexpr std::int64_t n = 20;
  constexpr double nu = 0.002, C = 0.3, push = 2.5e-6, half = n / 2.;
  // (nu + C^2 |u'|) |u'| = push x distance from the middle
  const auto slope = [](double off) { return (std::sqrt(nu * nu + 4 * C * C * push * off) - nu) / (2 * C * C); };
  const auto exact = [&](double y) {
    constexpr int parts = 400;
    const double off = std::abs(y - half), part = (half - off) / parts;
    double u = 0;
    for (int i = 0; i < parts; ++i) u += part * slope(off + (i + 0.5) * part);
    return u;
  };
  for (const VelocitySet set : all_sets)
    for (const Collision c : all_collisions) {
      if (set != VelocitySet::d2q9 && c == Collision::bgk) continue;
      INFO(name(set) << ' ' << name(c));
      const fluid::Domain domain =
          lattice_box({2, n, set == VelocitySet::d2q9 ? 1 : 2}, with(all_wrap, 1, SideKind::no_slip, SideKind::no_slip));
      LatticeProperties p = of_tau(0.5 + 3 * nu, set, c);
      p.smagorinsky = C;
      p.body_force = {push, 0, 0};
      const CellVectors u = at_centres(domain.grid(), [&](const auto& x) { return std::array<double, 3>{exact(x[1]), 0, 0}; });
      LatticeFlow flow(domain, p);
      flow.start(Cpu{}, seen(u));
      settle(flow, domain.grid(), 8000);
      CHECK(largest_apart(velocity_of(flow, domain.grid()), u) < 0.01 * exact(half));
      CHECK(exact(half) < 0.8 * push * half * half / (2 * nu)); // which is that without eddies
    }
}

TEST_CASE("a lattice's parabola that enters leaves against no pressure", "[values]") {
  constexpr std::int64_t n = 12, length = 40;
  constexpr double most = 0.002; // density falls along with pressure, and the flow speeds up by .1 %
  const auto parabola = [](double y) { return 4 * most * y * (n - y) / (n * n); };
  for (const int along : {0, 1}) {
    INFO("along " << "xy"[along]);
    const int across = 1 - along;
    std::array<std::int64_t, 3> cells{n, n, 1};
    cells[static_cast<std::size_t>(along)] = length;
    fluid::Inlet in;
    in.name = "in";
    in.side = fluid::side(along, false);
    in.region = {{0, 0, 0}, {length, length, 1}};
    in.velocity = [&](const std::array<double, 3>& x) { return parabola(x[static_cast<std::size_t>(across)]); };
    const SideKinds sides = with(with(all_wrap, along, SideKind::no_slip, SideKind::outlet), across, SideKind::no_slip, SideKind::no_slip);
    const fluid::Domain domain = lattice_box(cells, sides, 1, {in});
    const LatticeProperties p = of_tau(0.8, VelocitySet::d2q9);
    const double gradient = 8 * p.viscosity * most / (n * n);
    CellVectors u = at_centres(domain.grid(), [&](const auto& x) {
      std::array<double, 3> v{};
      v[static_cast<std::size_t>(along)] = parabola(x[static_cast<std::size_t>(across)]);
      return v;
    });
    const CellVectors pressure = at_centres(domain.grid(), [&](const auto& x) {
      return std::array<double, 3>{gradient * (length - x[static_cast<std::size_t>(along)]), 0, 0};
    });
    const CellVectors exact = u;
    LatticeFlow flow(domain, p);
    flow.start(Cpu{}, seen(u));
    for (int s = 0; s < 4000; ++s) flow.step(Cpu{});
    CellVectors found = pressure;
    flow.find(Cpu{}, {}, written(u), found[0].data());
    // Both ends bend the flow over a few cells, and the outlet's pressure stands half a cell off.
    double worst_velocity = 0, worst_pressure = 0;
    for (std::int64_t c = 0; c < u[0].size(); ++c) {
      const std::int64_t at = along == 0 ? c % length : c / n;
      if (at < 8 || at >= length - 8) continue;
      for (std::size_t d = 0; d < 3; ++d) worst_velocity = std::max(worst_velocity, std::abs(u[d][c] - exact[d][c]));
      worst_pressure = std::max(worst_pressure, std::abs(found[0][c] - pressure[0][c]));
    }
    CHECK(worst_velocity < 0.005 * most);
    CHECK(worst_pressure < 0.75 * gradient);
  }
}

/// A steady shear wave under a force along it; both of this length [cells] across y, or across the diagonal of x and y.
struct ForcedWave {
  CellVectors u, force;
  double power = 0;
  fluid::lattice::ViscousWork work;

  ForcedWave(const LatticeProperties& p, std::int64_t length, bool diagonal) {
    const fluid::Domain domain = lattice_box({length, length, p.set == VelocitySet::d2q9 ? 1 : 2}, all_wrap);
    const double k = 2 * pi / static_cast<double>(length);
    force = at_centres(domain.grid(), [&](const auto& x) {
      const double f = 1e-7 * std::cos(k * (diagonal ? x[0] + x[1] : x[1]));
      return std::array<double, 3>{f, diagonal ? -f : 0, 0};
    });
    LatticeFlow flow(domain, p);
    u = fluid::make_cell_arrays(domain.grid());
    flow.start(Cpu{}, seen(u));
    for (int s = 0; s < 2000; ++s) flow.step(Cpu{}, seen(force), written(u));
    power = fluid::lattice::power(Cpu{}, domain, seen(force), seen(u));
    work = fluid::lattice::viscous_work(Cpu{}, domain, p, seen(u), seen(force));
  }
};

TEST_CASE("what a steady force does on a lattice is what viscosity dissipates, whatever its length", "[values]") {
  for (const VelocitySet set : all_sets)
    for (const Collision c : all_collisions)
      for (const double tau : {0.7, 1.0, 1.4})
        for (const std::int64_t length : {4, 8}) {
          if (sanitized && !thorough() && (tau != 0.7 || length != 4)) continue;
          INFO(name(set) << ' ' << name(c) << ", tau = " << tau << ", " << length << " cells");
          const LatticeProperties p = of_tau(tau, set, c);
          const auto [along_axes, mean] = fluid::lattice::response_at_points(p, 1);
          const ForcedWave axis(p, length, false), diagonal(p, length, true);
          // The mean of axes and diagonals counts, a fifth of one and four of the other: where both are one it is exact.
          const double k = 2 * pi / static_cast<double>(length), lap = 2 * (1 - std::cos(k));
          const double of_axis = (along_axes - mean) * lap, of_diagonal = 0.25 * (mean - along_axes) * 2 * lap;
          CHECK(1 - axis.work.dissipated / axis.power == Approx(of_axis).margin(1e-6));
          CHECK(1 - diagonal.work.dissipated / diagonal.power == Approx(of_diagonal).margin(1e-6));
          CHECK(axis.work.by_walls == 0);
        }
}

} // namespace
} // namespace corral::test
