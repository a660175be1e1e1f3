#include "fluid/lattice/device/flow.hpp"
#include "fluid/lattice/device/row_exchange.hpp"
#include "tests/fluid/lattice/mixed_boxes.hpp"
#include "tests/fluid_gpu/on_device.hpp"
#include "tests/mppic_gpu/padding.cuh"
#include "tests/sanitized.hpp"

#include <algorithm>

/// The lattice on a device beside that of the host, in boxes of all kinds of sides.
namespace corral::test {
namespace {

using fluid::DeviceLatticeFlow;
using fluid::RowPart;

constexpr Gpu gpu{};

double apart(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  double most = 0;
  for (std::size_t d = 0; d < 3; ++d) most = std::max(most, std::abs(a[d] - b[d]));
  return std::isnan(a[0] + b[0]) ? NAN : most;
}

/// The same flow on either, and what is seen of both.
struct Both {
  const Mixed& box;
  LatticeFlow host;
  DeviceLatticeFlow device;
  CellVectors force, device_force, seen_by_host, seen_by_device; ///< in the last step

  Both(const Mixed& m, const LatticeProperties& p)
      : box(m), host(m.domain, p), device(m.domain, p), force(m.force), device_force(on_device(m.force)),
        seen_by_host(fluid::make_cell_arrays(m.domain.grid())), seen_by_device(on_device(seen_by_host)) {
    host.start(Cpu{}, seen(m.start));
    device.start(seen(m.start));
  }

  void step(int steps) {
    for (int s = 0; s < steps; ++s) {
      host.step(Cpu{}, seen(force), written(seen_by_host));
      device.step(gpu, seen(device_force), written(seen_by_device));
    }
  }

  /// Lets the host's force be that, and 0 elsewhere; the device has it everywhere, and is not to look.
  void force_in(fluid::RowParts parts, const CellVectors& by, double factor) {
    const std::int64_t nx = box.domain.grid().axis(0).cells;
    for (std::size_t d = 0; d < 3; ++d) {
      force[d].fill(0);
      for (const RowPart& part : parts)
        for (std::int64_t c = part.row * nx + part.begin; c < part.row * nx + part.end; ++c) force[d][c] = factor * by[d][c];
    }
  }

  /// Cells have the same bits, but for what is rounded once more; sums are added in another order.
  void check_same() {
    const double in_cells = host.properties().precision == Precision::floats_in_double ? 3e-8 : 0;
    const double in_sums = std::max(in_cells, 1e-15) * static_cast<double>(box.domain.grid().cells());
    CHECK(device.steps() == host.steps());
    CHECK(largest_apart(on_host(seen_by_device), seen_by_host) <= in_cells);
    CHECK(apart(device.fastest(gpu), host.fastest()) <= in_cells);
    CHECK(std::abs(device.excess_mass(gpu) - host.excess_mass(Cpu{})) <= in_sums);
    CHECK(apart(device.momentum(gpu), host.momentum(Cpu{})) <= in_sums);
    CHECK(apart(device.force_of_sides(gpu), host.force_of_sides(Cpu{})) <= in_sums);
    CellVectors u = fluid::make_cell_arrays(box.domain.grid()), v = on_device(u);
    const CellVectors same_force = on_device(force);
    Array<double> p(u[0].size(), 0.0), pressure(p.span(), Memory::device);
    host.find(Cpu{}, seen(force), written(u), p.data());
    device.find(gpu, seen(same_force), written(v), pressure.data());
    CHECK(largest_apart(on_host(v), u) <= in_cells);
    const std::vector<double> found = pressure.values();
    CHECK(std::equal(found.begin(), found.end(), p.begin(), [=](double a, double b) { return std::abs(a - b) <= in_cells; }));
  }
};

struct Rule {
  Collision collision;
  double smagorinsky;
};
constexpr std::array rules{Rule{Collision::bgk, 0}, Rule{Collision::trt, 0}, Rule{Collision::trt, 0.15},
                           Rule{Collision::regularised, 0.1}};

TEST_CASE("a lattice flows on a device as on the host, in any box") {
  const PaddingHoldsAnything padding;
  for_each_box([](VelocitySet set, const Mixed& box) {
    for (const Rule& rule : rules)
      for (const Precision precision : {Precision::doubles, Precision::floats, Precision::floats_in_double})
        for (const Scheme scheme : {Scheme::in_place, Scheme::two_lattices}) {
          // An entry knows no scheme: each is tried with one, and those of trt with both.
          const bool other = (scheme == Scheme::in_place) == (precision == Precision::floats), once = rule.collision != Collision::trt;
          const bool left_out = sanitized ? precision != Precision::floats_in_double || other : other && once;
          if (left_out && !thorough()) continue;
          INFO(name(rule.collision) << ", smagorinsky " << rule.smagorinsky << ", " << name(precision) << ", " << name(scheme));
          LatticeProperties p = of_tau(0.6, set, rule.collision);
          p.smagorinsky = rule.smagorinsky;
          p.precision = precision;
          p.scheme = scheme;
          p.body_force = {1e-5, 2e-5, 0};
          Both both(box, p);
          for (const int steps : {thorough() ? 40 : 6, 1}) { // each step keeps the bits, or it does not
            both.step(steps);
            both.check_same();
          }
        }
  });
}

constexpr std::array<RowPart, 4> around{{{2, 0, 7}, {11, 1, 3}, {11, 5, 6}, {29, 6, 7}}};
constexpr std::array<RowPart, 2> elsewhere{{{3, 1, 6}, {18, 0, 2}}};
constexpr std::array<fluid::RowParts, 5> in_turn{{around, around, elsewhere, {}, around}};

LatticeProperties by(Scheme scheme, Precision precision = Precision::doubles) {
  LatticeProperties p = of_tau(0.7);
  p.scheme = scheme;
  p.precision = precision;
  p.body_force = {1e-5, 0, 2e-5};
  return p;
}

/// f(box, scheme) for boxes of 7 x 5 x 6 cells.
template <class F> void for_each_scheme(F f) {
  for (const SideKinds& sides : {boxes[0], boxes[3], boxes[4], boxes[5], deep_boxes[0]})
    for (const Scheme scheme : {Scheme::in_place, Scheme::two_lattices}) {
      INFO(name(scheme));
      f(Mixed(sides, false), scheme);
    }
}

TEST_CASE("a force in parts of rows acts on a device where it acts on the host") {
  const PaddingHoldsAnything padding;
  for_each_scheme([](const Mixed& box, Scheme scheme) {
    Both both(box, by(scheme));
    for (const fluid::RowParts parts : in_turn) {
      both.force_in(parts, box.force, 1);
      both.host.step_forced_in(Cpu{}, parts, seen(both.force), written(both.seen_by_host));
      both.device.step_forced_in(gpu, parts, seen(both.device_force), written(both.seen_by_device));
      both.check_same();
    }
  });
}

TEST_CASE("a step in two on a device, with forces found in between, is a step") {
  const PaddingHoldsAnything padding;
  for_each_scheme([](const Mixed& box, Scheme scheme) {
    Both both(box, by(scheme));
    CellVectors u = fluid::make_cell_arrays(box.domain.grid(), 7), v = u, found = on_device(u);
    fluid::RowExchange exchange;
    for (const fluid::RowParts parts : in_turn) {
      both.host.find_in(Cpu{}, parts, {}, written(u), nullptr);
      both.device.begin_step(parts);
      both.device.step_elsewhere(gpu, written(both.seen_by_device));
      both.device.find_in(gpu, parts, {}, written(found), nullptr);
      exchange.set(gpu, parts, 7);
      exchange.to_host(gpu, seen(found), written(v));
      CHECK(largest_apart(u, v) == 0);
      both.force_in(parts, v, 0.01);
      exchange.to_device(gpu, seen(both.force), written(both.device_force));
      both.device.step_forced_in(gpu, parts, seen(both.device_force), written(both.seen_by_device));
      both.host.step_forced_in(Cpu{}, parts, seen(both.force), written(both.seen_by_host));
      both.check_same();
    }
  });
}

TEST_CASE("parts of rows that were announced for a step are read once more after it") {
  const PaddingHoldsAnything padding;
  const Mixed box(boxes[3], false);
  Both both(box, by(Scheme::in_place));
  std::array<RowPart, 2> parts{around[0], around[3]};
  CellVectors u = fluid::make_cell_arrays(box.domain.grid(), 7), v = on_device(u);
  for (const bool announced : {true, false}) {
    if (announced) {
      both.device.begin_step(parts);
      both.device.step_elsewhere(gpu, written(both.seen_by_device));
    }
    both.force_in(parts, box.force, 1);
    both.device.step_forced_in(gpu, parts, seen(both.device_force), written(both.seen_by_device));
    both.host.step_forced_in(Cpu{}, parts, seen(both.force), written(both.seen_by_host));
    both.check_same();
    parts = elsewhere;
    both.host.find_in(Cpu{}, parts, {}, written(u), nullptr);
    both.device.find_in(gpu, parts, {}, written(v), nullptr);
    CHECK(largest_apart(on_host(v), u) == 0);
  }
}

TEST_CASE("rows that go to a device hold what they held when they were handed over") {
  const Grid grid = lattice_box({7, 5, 6}, all_wrap).grid();
  CellVectors host = fluid::make_cell_arrays(grid, 1), one = on_device(fluid::make_cell_arrays(grid)), two = one, back = host;
  fluid::RowExchange exchange;
  exchange.set(gpu, around, 7);
  CHECK(exchange.cells() == 11);
  exchange.to_device(gpu, seen(host), written(one));
  for (auto& component : host) component.fill(2);
  exchange.to_device(gpu, seen(host), written(two));
  for (auto& component : back) component.fill(7);
  exchange.to_host(gpu, seen(one), written(back));
  CHECK(back[1][14] == 1);
  CHECK(back[2][7 * 11] == 7);
  exchange.to_host(gpu, seen(two), written(back));
  CHECK(back[0][7 * 29 + 6] == 2);
  const CellVectors whole = on_host(two);
  CHECK(whole[0][7 * 11 + 2] == 2);
  CHECK(whole[0][7 * 11 + 3] == 0);
}

TEST_CASE("rows of zeros are not sent to a device where nobody needs them there") {
  const Grid grid = lattice_box({7, 5, 6}, all_wrap).grid();
  CellVectors host = fluid::make_cell_arrays(grid), device = on_device(fluid::make_cell_arrays(grid, 3));
  fluid::RowExchange exchange;
  exchange.set(gpu, around, 7);
  host[0][0] = 1; // in no part
  CHECK(!exchange.to_device_unless_zero(gpu, seen(host), written(device)));
  CHECK(on_host(device)[0][14] == 3);
  for (std::size_t d = 0; d < 3; ++d) {
    host[d][7 * 29 + 6] = 2;
    CHECK(exchange.to_device_unless_zero(gpu, seen(host), written(device)));
    CHECK(on_host(device)[d][7 * 29 + 6] == 2);
    CHECK(on_host(device)[d][14] == 0);
    host[d][7 * 29 + 6] = 0;
  }
  exchange.to_device(gpu, seen(host), written(device));
  CHECK(on_host(device)[2][7 * 29 + 6] == 0);
}

TEST_CASE("rows that are asked of a device have what the whole has") {
  const PaddingHoldsAnything padding;
  for_each_scheme([](const Mixed& box, Scheme scheme) {
    Both both(box, by(scheme));
    both.step(3);
    CellVectors u = fluid::make_cell_arrays(box.domain.grid(), 7), v = on_device(u);
    Array<double> p(u[0].size(), 7.0), pressure(p.span(), Memory::device);
    both.host.find_in(Cpu{}, around, seen(both.force), written(u), p.data());
    both.device.find_in(gpu, around, seen(both.device_force), written(v), pressure.data());
    CHECK(largest_apart(on_host(v), u) == 0);
    CHECK(pressure.values() == p.values());
  });
}

TEST_CASE("a lattice flow goes on from one processor's state on the other") {
  const PaddingHoldsAnything padding;
  for_each_scheme([](const Mixed& box, Scheme scheme) {
    for (const Precision precision : {Precision::doubles, Precision::floats}) {
      const LatticeProperties p = by(scheme, precision);
      Both both(box, p);
      both.step(3);
      Both other(box, p); // the other way round
      copy_state(both.device.state(), other.host.state());
      copy_state(both.host.state(), other.device.state());
      other.step(2);
      both.step(2);
      other.check_same();
      CHECK(largest_apart(other.seen_by_host, both.seen_by_host) == 0);
    }
  });
}

TEST_CASE("walls and inlets of a lattice on a device are those of the moment") {
  const PaddingHoldsAnything padding;
  Mixed box(boxes[3], false), still(with(all_wrap, 1, SideKind::no_slip, SideKind::no_slip), false);
  for (Mixed* m : {&box, &still}) {
    Both both(*m, by(Scheme::in_place));
    for (const double speed : {0.01, 0.03, 0.0, -0.02}) {
      for (int s = 0; s < 6; ++s)
        if (m->domain.side_kind(s) == SideKind::no_slip)
          m->domain.set_wall_velocity(s, {s / 2 == 0 ? 0 : speed, s / 2 == 1 ? 0 : speed, 0});
      both.step(2);
      both.check_same();
    }
  }
}

TEST_CASE("a lattice on a device may be two cells wide, and longer than a block") {
  const PaddingHoldsAnything padding;
  const SideKinds walls = with(with(all_wrap, 0, SideKind::no_slip, SideKind::outlet), 1, SideKind::free_slip, SideKind::no_slip);
  for (const SideKinds& sides : {all_wrap, walls})
    for (const std::array<std::int64_t, 3>& cells : {std::array<std::int64_t, 3>{2, 2, 2}, {3, 2, 4}, {300, 2, 2}})
      for (const Scheme scheme : {Scheme::in_place, Scheme::two_lattices}) {
        Mixed box(sides, false);
        box.domain = lattice_box(cells, sides);
        box.start = fluid::make_cell_arrays(box.domain.grid(), 0.01);
        box.force = fluid::make_cell_arrays(box.domain.grid(), 1e-4);
        for (std::int64_t c = 0; c < box.domain.grid().cells(); ++c) box.start[0][c] = 0.001 * static_cast<double>(c % 13);
        Both both(box, by(scheme));
        both.step(5);
        both.check_same();
      }
}

TEST_CASE("a velocity that is no number is the fastest on a device") {
  const PaddingHoldsAnything padding;
  const fluid::Domain domain = lattice_box({70, 6, 1}, all_wrap);
  LatticeProperties p = of_tau(0.7, VelocitySet::d2q9);
  for (const Precision precision : {Precision::doubles, Precision::floats}) {
    p.precision = precision;
    DeviceLatticeFlow flow(domain, p);
    flow.start(seen(at_centres(domain.grid(), [](const auto& x) {
      return std::array<double, 3>{x[0] < 3 && x[1] < 2 && x[1] > 1 ? std::nan("") : 0.01, 0, 0};
    })));
    CHECK(flow.fastest(gpu)[0] == 0);
    flow.step(gpu);
    CHECK(std::isnan(flow.fastest(gpu)[0]));
    CHECK(flow.fastest(gpu)[2] == 0);
  }
}

TEST_CASE("a lattice on a device refuses what one on the host refuses") {
  const fluid::Domain cube = lattice_box({4, 4, 4}, all_wrap);
  CHECK_THROWS_WITH(DeviceLatticeFlow(cube, of_tau(0.8, VelocitySet::d2q9)),
                    Catch::Matchers::ContainsSubstring("plane of x and y"));
}

} // namespace
} // namespace corral::test
