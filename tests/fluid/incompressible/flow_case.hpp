#pragma once

#include "fluid/incompressible/flow.hpp"
#include "fluid/incompressible/measures.hpp"
#include "fluid/transport/advection.hpp"
#include "tests/catch.hpp"
#include "tests/fluid/face_fields.hpp"
#include "tests/tolerance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace corral::test {

constexpr std::array<fluid::SideKind, 6> walls_in_y{fluid::SideKind::periodic, fluid::SideKind::periodic,
                                                    fluid::SideKind::no_slip,  fluid::SideKind::no_slip,
                                                    fluid::SideKind::periodic, fluid::SideKind::periodic};

/// A box with cells that are cubes of `size` times `stretch` [m] along each axis.
inline fluid::Domain flow_box(const std::array<std::int64_t, 3>& cells, bool walled, double size,
                              const std::array<double, 3>& stretch = {1, 1, 1}) {
  std::array<double, 3> length{};
  for (std::size_t d = 0; d < 3; ++d) length[d] = size * stretch[d] * static_cast<double>(cells[d]);
  const auto& sides = walled ? walls_in_y : all_periodic;
  return fluid::Domain(fluid::Domain::make_grid(cells, {0, 0, 0}, length, sides), sides, {});
}

/// Of a kind that Fourier solves serve: all of it wraps, or all but the walls in y.
struct FourierBox {
  std::array<std::int64_t, 3> cells;
  bool walled;
};
inline const std::vector<FourierBox> fourier_boxes{
    {{16, 12, 10}, false}, {{9, 7, 15}, false}, {{1, 8, 6}, false}, {{6, 1, 9}, false},  {{21, 10, 1}, false},
    {{2, 2, 2}, false},    {{16, 11, 6}, true}, {{7, 2, 9}, true},  {{1, 13, 8}, true}, {{18, 3, 1}, true}};

inline std::string said(const FourierBox& b) {
  return std::to_string(b.cells[0]) + "x" + std::to_string(b.cells[1]) + "x" + std::to_string(b.cells[2]) +
         (b.walled ? " between walls" : "");
}

/// With cells of a tenth of a metre that are no cubes, and walls that slide.
inline fluid::Domain domain_of(const FourierBox& b) {
  fluid::Domain domain = flow_box(b.cells, b.walled, 0.1, {1, 1.2, 0.9});
  if (!b.walled) return domain;
  domain.set_wall_velocity(2, {0.5, 0, -0.2});
  domain.set_wall_velocity(3, {-0.3, 0, 0.7});
  return domain;
}

/// What one step is made from and leaves, with arrays of its own.
struct FlowFields {
  fluid::FaceArrays u, force;
  Array<double> pressure, potential;

  explicit FlowFields(const Grid& grid)
      : u(fluid::make_face_arrays(grid)), force(u), pressure(grid.cells(), 0.0), potential(pressure) {}
  fluid::FlowState state() { return {fluid::writable_pointers(u), pressure.data(), potential.data()}; }
  void step(fluid::IncompressibleFlow& flow, double dt) { flow.step(Cpu{}, state(), fluid::pointers(force), dt); }
};

inline fluid::FaceArrays copy_of(const Grid& grid, const fluid::ConstFacePointers& u) {
  fluid::FaceArrays copy = fluid::make_face_arrays(grid);
  for (std::size_t d = 0; d < 3; ++d) std::copy_n(u[d], copy[d].size(), copy[d].data());
  return copy;
}

inline double largest(const Array<double>& a) {
  double most = 0;
  for (const double v : a) most = std::isnan(v) ? v : std::max(most, std::abs(v));
  return most;
}
inline double largest(const fluid::FaceArrays& u) { return std::max({largest(u[0]), largest(u[1]), largest(u[2])}); }

inline double largest_difference(const fluid::FaceArrays& a, const fluid::FaceArrays& b) {
  double most = 0;
  for (std::size_t d = 0; d < 3; ++d)
    for (std::int64_t f = 0; f < a[d].size(); ++f) most = std::max(most, std::abs(a[d][f] - b[d][f]));
  return most;
}

/// Calls f(d, face, i) for faces that are not on walls.
template <class F> void each_inner_face(const fluid::Domain& domain, F f) {
  for (int d = 0; d < 3; ++d)
    each_face_in_turn(domain.grid(), d, [&](const fluid::Face& face) {
      if (!face.boundary()) f(d, face, static_cast<std::size_t>(d));
    });
}

inline fluid::FaceArrays viscous_force(const fluid::Domain& domain, const fluid::FaceArrays& u, double mu) {
  fluid::FaceArrays force = fluid::make_face_arrays(domain.grid());
  fluid::PaddedVelocity padded(domain);
  padded.fill(Cpu{}, fluid::pointers(u));
  fluid::add_viscosity(Cpu{}, padded, mu, fluid::writable_pointers(force));
  return force;
}

/// -rho H.
inline fluid::FaceArrays advective_force(const fluid::Domain& domain, const fluid::FaceArrays& u, double rho) {
  fluid::FaceArrays force = fluid::make_face_arrays(domain.grid());
  fluid::PaddedVelocity padded(domain);
  padded.fill(Cpu{}, fluid::pointers(u));
  fluid::add_advection(Cpu{}, padded, fluid::Advection::central, rho, fluid::writable_pointers(force));
  return force;
}

/// Largest divergence [1/s] over |u|/h.
inline double relative_divergence(const fluid::Domain& domain, const fluid::FaceArrays& u) {
  double most = 0;
  for (std::int64_t k = 0; k < domain.grid().axis(2).cells; ++k)
    for (std::int64_t j = 0; j < domain.grid().axis(1).cells; ++j)
      for (std::int64_t i = 0; i < domain.grid().axis(0).cells; ++i)
        most = std::max(most, std::abs(fluid::divergence(domain.view(), fluid::cell_at(domain.grid(), {i, j, k}),
                                                         fluid::ValueOnFace{fluid::pointers(u)})));
  double h = domain.grid().axis(0).spacing;
  for (int d = 1; d < 3; ++d) h = std::min(h, domain.grid().axis(d).spacing);
  return most * h / largest(u);
}

inline double gradient(const Grid& grid, int d, const fluid::Face& f, const Array<double>& p) {
  return (p[f.above] - p[f.below]) / grid.axis(d).spacing;
}

/// The same numbers in the same order, to the bit.
inline bool same_bits(const fluid::FaceArrays& a, const fluid::FaceArrays& b) {
  for (std::size_t d = 0; d < 3; ++d)
    if (!std::equal(a[d].begin(), a[d].end(), b[d].begin(), b[d].end())) return false;
  return true;
}

} // namespace corral::test
