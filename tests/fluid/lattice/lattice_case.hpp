#pragma once

#include "fluid/lattice/flow.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace corral::test {

using fluid::LatticeFlow;
using fluid::LatticeProperties;
using fluid::SideKind;
using fluid::lattice::Collision;
using fluid::lattice::Precision;
using fluid::lattice::Scheme;
using fluid::lattice::VelocitySet;

using SideKinds = std::array<SideKind, 6>;
inline constexpr SideKinds all_wrap{SideKind::periodic, SideKind::periodic, SideKind::periodic,
                                    SideKind::periodic, SideKind::periodic, SideKind::periodic};
constexpr SideKinds with(SideKinds sides, int axis, SideKind low, SideKind high) {
  sides[static_cast<std::size_t>(2 * axis)] = low;
  sides[static_cast<std::size_t>(2 * axis + 1)] = high;
  return sides;
}

inline constexpr std::array all_sets{VelocitySet::d2q9, VelocitySet::d3q19, VelocitySet::d3q27};
inline constexpr std::array all_collisions{Collision::bgk, Collision::trt, Collision::regularised};

/// Cubes of edge h.
inline fluid::Domain lattice_box(const std::array<std::int64_t, 3>& cells, const SideKinds& sides, double h = 1,
                                 std::vector<fluid::Inlet> inlets = {}) {
  std::array<double, 3> size{};
  for (std::size_t d = 0; d < 3; ++d) size[d] = h * static_cast<double>(cells[d]);
  return fluid::Domain(fluid::Domain::make_grid(cells, {0, 0, 0}, size, sides), sides, std::move(inlets));
}

/// With cells and steps of 1 and this tau.
inline LatticeProperties of_tau(double tau, VelocitySet set = VelocitySet::d3q19, Collision collision = Collision::trt) {
  LatticeProperties p;
  p.density = 1;
  p.viscosity = (tau - 0.5) / 3;
  p.dt = 1;
  p.set = set;
  p.collision = collision;
  return p;
}

using CellVectors = std::array<Array<double>, 3>;
inline fluid::ConstFacePointers seen(const CellVectors& v) { return {v[0].data(), v[1].data(), v[2].data()}; }
inline fluid::FacePointers written(CellVectors& v) { return {v[0].data(), v[1].data(), v[2].data()}; }

/// f(x) = {u, v, w} at the middles of cells.
template <class F> CellVectors at_centres(const Grid& grid, F f) {
  CellVectors v = fluid::make_cell_arrays(grid);
  std::int64_t cell = 0;
  std::array<std::int64_t, 3> n{};
  for (int d = 0; d < 3; ++d) n[static_cast<std::size_t>(d)] = grid.axis(d).cells;
  for (std::int64_t k = 0; k < n[2]; ++k)
    for (std::int64_t j = 0; j < n[1]; ++j)
      for (std::int64_t i = 0; i < n[0]; ++i, ++cell) {
        const auto middle = [&](int d, std::int64_t at) { return (static_cast<double>(at) + 0.5) * grid.axis(d).spacing; };
        const std::array<double, 3> u = f(std::array<double, 3>{middle(0, i), middle(1, j), middle(2, k)});
        for (std::size_t d = 0; d < 3; ++d) v[d][cell] = u[d];
      }
  return v;
}

inline CellVectors velocity_of(const LatticeFlow& flow, const Grid& grid) {
  CellVectors u = fluid::make_cell_arrays(grid);
  flow.find(Cpu{}, {}, written(u), nullptr);
  return u;
}

inline double largest_apart(const CellVectors& a, const CellVectors& b) {
  double most = 0;
  for (std::size_t d = 0; d < 3; ++d)
    for (std::int64_t c = 0; c < a[d].size(); ++c) {
      const double apart = std::abs(a[d][c] - b[d][c]);
      most = std::isnan(apart) ? apart : std::max(most, apart);
    }
  return most;
}

} // namespace corral::test
