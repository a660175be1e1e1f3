#pragma once

#include "fluid/faces.hpp"
#include "fluid/transport/momentum.hpp"

#include <array>
#include <cstdint>
#include <random>

namespace corral::test {

/// Calls f(fluid::Face) for every face with normal d, one after another: neither Catch2 nor a variable that sums takes
/// several threads.
template <class F> void each_face_in_turn(const Grid& grid, int d, F f) {
  run_with_threads(1, [&] { fluid::for_each_face(Cpu{}, grid, d, [&f](const fluid::Face& face) { f(face); }); });
}

/// Calls f(fluid::Cell) for every cell, one after another.
template <class F> void each_cell_in_turn(const Grid& grid, F f) {
  run_with_threads(1, [&] { fluid::for_each_cell(Cpu{}, grid, [&f](const fluid::Cell& cell) { f(cell); }); });
}

constexpr std::array<fluid::SideKind, 6> all_periodic{fluid::SideKind::periodic, fluid::SideKind::periodic,
                                                      fluid::SideKind::periodic, fluid::SideKind::periodic,
                                                      fluid::SideKind::periodic, fluid::SideKind::periodic};

/// Sets component d of a face field from a function of the face's centre.
template <class F> void fill(const Grid& grid, fluid::FaceArrays& u, int d, F f) {
  each_face_in_turn(grid, d, [&](const fluid::Face& s) {
    std::array<double, 3> x{};
    for (int e = 0; e < 3; ++e) {
      x[e] = grid.axis(e).origin + (static_cast<double>(s.place[e]) + (e == d ? 0 : 0.5)) * grid.axis(e).spacing;
    }
    u[d][s.index] = f(x);
  });
}

/// Every face between -1 and 1 m/s, on walls, too.
inline fluid::FaceArrays random_velocity(const fluid::Domain& domain, unsigned seed) {
  fluid::FaceArrays u = fluid::make_face_arrays(domain.grid());
  std::mt19937_64 generator(seed);
  for (auto& component : u)
    for (double& v : component) v = static_cast<double>(generator() >> 11) * 0x1p-52 - 1;
  return u;
}

/// The explicit force on the faces [N/m3].
inline fluid::FaceArrays forces(const fluid::Domain& domain, const fluid::FaceArrays& u, double rho, double mu,
                                fluid::Advection scheme) {
  fluid::FaceArrays h = fluid::make_face_arrays(domain.grid());
  fluid::Scratch scratch;
  fluid::MomentumForces operation(domain, rho, mu, scheme, scratch);
  operation(Cpu{}, fluid::pointers(u), {h[0].data(), h[1].data(), h[2].data()});
  return h;
}

/// Those of which a step is a mean of values around.
inline constexpr std::array<fluid::Advection, 2> schemes{fluid::Advection::upwind, fluid::Advection::van_leer};

/// The force over a step, and the sub-steps that it took.
struct OverStep {
  fluid::FaceArrays force;
  int substeps;
};

inline OverStep over_step(const fluid::Domain& domain, const fluid::FaceArrays& u, double rho, double mu,
                          fluid::Advection scheme, double dt) {
  OverStep r{fluid::make_face_arrays(domain.grid()), 0};
  fluid::Scratch scratch;
  fluid::MomentumForces operation(domain, rho, mu, scheme, scratch);
  r.substeps = operation(Cpu{}, dt, fluid::pointers(u), {r.force[0].data(), r.force[1].data(), r.force[2].data()});
  return r;
}

/// u carried over the step.
inline fluid::FaceArrays carried(const fluid::Domain& domain, const fluid::FaceArrays& u, double rho, const OverStep& r,
                                 double dt) {
  fluid::FaceArrays v = u;
  for (int d = 0; d < 3; ++d) {
    for (std::int64_t f = 0; f < v[d].size(); ++f)
      if (domain.kind(d, f) != fluid::FaceKind::fixed) v[d][f] += dt / rho * r.force[d][f];
  }
  return v;
}

} // namespace corral::test
