#pragma once

#include "tests/fluid/face_fields.hpp"

#include <array>

namespace corral::test {

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
  fluid::MomentumForces operation(domain, rho, mu, scheme);
  r.substeps = operation(Cpu{}, dt, fluid::pointers(u), {r.force[0].data(), r.force[1].data(), r.force[2].data()});
  return r;
}

/// u carried over the step.
inline fluid::FaceArrays carried(const fluid::Domain& domain, const fluid::FaceArrays& u, double rho, const OverStep& r,
                                 double dt) {
  fluid::FaceArrays v = u;
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    for (std::int64_t f = 0; f < v[i].size(); ++f)
      if (domain.kind(d, f) != fluid::FaceKind::fixed) v[i][f] += dt / rho * r.force[i][f];
  }
  return v;
}

} // namespace corral::test
