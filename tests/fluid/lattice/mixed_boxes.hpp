#pragma once

#include "tests/fluid/lattice/lattice_case.hpp"

#include <corral/execution.hpp>

namespace corral::test {

/// Some flow in a box whose sides are of all kinds, under a force that differs from cell to cell.
struct Mixed {
  fluid::Domain domain;
  CellVectors start, force;

  explicit Mixed(const SideKinds& sides, bool flat)
      : domain(lattice_box({flat ? 70 : 7, 5, flat ? 1 : 6}, sides, 1, inlets(sides))),
        start(at_centres(domain.grid(), [](const auto& x) {
          return std::array<double, 3>{0.02 * std::sin(x[0] + 2 * x[1]), 0.01 * std::cos(x[1] - x[2]), 0.015 * std::sin(3 * x[2] + x[0])};
        })),
        force(at_centres(domain.grid(), [](const auto& x) {
          return std::array<double, 3>{1e-4 * std::cos(x[1] + x[2]), 2e-4 * std::sin(x[0]), 1e-4 * std::sin(x[1])};
        })) {
    if (flat)
      for (std::int64_t c = 0; c < start[2].size(); ++c) start[2][c] = force[2][c] = 0;
    for (int s = 0; s < 6; ++s) {
      if (sides[static_cast<std::size_t>(s)] != SideKind::no_slip) continue;
      std::array<double, 3> slide{0.01, 0.02, flat ? 0 : 0.03};
      slide[static_cast<std::size_t>(s / 2)] = 0;
      domain.set_wall_velocity(s, slide);
    }
  }

  static std::vector<fluid::Inlet> inlets(const SideKinds& sides) {
    if ((sides[0] != SideKind::no_slip && sides[0] != SideKind::free_slip) || sides[1] != SideKind::outlet) return {};
    fluid::Inlet in;
    in.name = "in";
    in.side = 0;
    in.region = {{0, 1, 0}, {0, 4, 6}};
    in.velocity = [](const std::array<double, 3>& x) { return 0.01 * x[1]; };
    return {in};
  }

  CellVectors run(LatticeProperties p, int steps, double* excess = nullptr) const {
    LatticeFlow flow(domain, p);
    flow.start(Cpu{}, seen(start));
    for (int s = 0; s < steps; ++s) flow.step(Cpu{}, seen(force));
    if (excess) *excess = flow.excess_mass(Cpu{});
    return velocity_of(flow, domain.grid());
  }
};

inline constexpr SideKinds boxes[]{
    all_wrap,
    with(all_wrap, 0, SideKind::no_slip, SideKind::no_slip),
    with(with(all_wrap, 0, SideKind::free_slip, SideKind::no_slip), 1, SideKind::no_slip, SideKind::free_slip),
    with(with(all_wrap, 0, SideKind::no_slip, SideKind::outlet), 1, SideKind::free_slip, SideKind::symmetry),
    with(with(all_wrap, 0, SideKind::outlet, SideKind::free_slip), 1, SideKind::outlet, SideKind::no_slip),
    with(with(all_wrap, 0, SideKind::free_slip, SideKind::outlet), 1, SideKind::no_slip, SideKind::free_slip), // with an inlet
};
inline constexpr SideKinds deep_boxes[]{
    with(with(all_wrap, 1, SideKind::no_slip, SideKind::free_slip), 2, SideKind::no_slip, SideKind::outlet),
    with(with(with(all_wrap, 0, SideKind::no_slip, SideKind::outlet), 1, SideKind::free_slip, SideKind::no_slip), 2,
         SideKind::symmetry, SideKind::no_slip),
};

template <class F> void for_each_box(F f) {
  for (const VelocitySet set : all_sets) {
    const bool flat = set == VelocitySet::d2q9;
    std::size_t number = 0;
    const auto call = [&](const SideKinds& sides) {
      INFO(name(set) << ", box " << number++);
      f(set, Mixed(sides, flat));
    };
    for (const SideKinds& sides : boxes) call(sides);
    if (flat) continue;
    for (const SideKinds& sides : deep_boxes) call(sides);
  }
}

} // namespace corral::test
