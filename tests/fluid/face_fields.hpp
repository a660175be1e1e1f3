#pragma once

#include "fluid/transport/momentum.hpp"
#include "tests/fluid/in_turn.hpp"

#include <array>
#include <cstdint>
#include <random>

namespace corral::test {

constexpr std::array<fluid::SideKind, 6> all_periodic{fluid::SideKind::periodic, fluid::SideKind::periodic,
                                                      fluid::SideKind::periodic, fluid::SideKind::periodic,
                                                      fluid::SideKind::periodic, fluid::SideKind::periodic};

/// Sets component d of a face field from a function of the face's centre.
template <class F> void fill(const Grid& grid, fluid::FaceArrays& u, int d, F f) {
  each_face_in_turn(grid, d, [&](const fluid::Face& s) {
    std::array<double, 3> x{};
    for (int e = 0; e < 3; ++e) {
      const auto i = static_cast<std::size_t>(e);
      x[i] = grid.axis(e).origin + (static_cast<double>(s.place[i]) + (e == d ? 0 : 0.5)) * grid.axis(e).spacing;
    }
    u[static_cast<std::size_t>(d)][s.index] = f(x);
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
  fluid::MomentumForces operation(domain, rho, mu, scheme);
  operation(Cpu{}, fluid::pointers(u), {h[0].data(), h[1].data(), h[2].data()});
  return h;
}

} // namespace corral::test
