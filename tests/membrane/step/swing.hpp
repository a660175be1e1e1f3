#pragma once

#include "run/random.hpp"
#include "tests/membrane/step/membrane_run.hpp"

#include <corral/error.hpp>

#include <cmath>
#include <cstdint>
#include <vector>

namespace corral::test {

/// Velocities of three steps: what they are in the middle, and how much they swing to and fro. A step that is too long
/// makes the shortest waves turn back too far, each time.
struct Swing {
  double to_and_fro = 0, speed = 0; ///< norms [m/s]

  Swing(MembraneRun& run, double dt) {
    const std::int64_t cells = run.domain.grid().cells();
    const auto velocity = [&] {
      std::vector<double> all;
      for (const double* u : run.step.fluid().velocity()) all.insert(all.end(), u, u + cells);
      return all;
    };
    const auto next = [&] {
      run.advance(dt);
      return velocity();
    };
    const std::vector<double> a = velocity(), b = next(), c = next();
    for (std::size_t i = 0; i < a.size(); ++i) {
      to_and_fro += std::pow(a[i] - 2 * b[i] + c[i], 2);
      speed += b[i] * b[i];
    }
    to_and_fro = std::sqrt(to_and_fro), speed = std::sqrt(speed);
  }
};

inline void shake(MembraneRun& run, double by) {
  const run::Random random(7);
  for (auto& p : run.step.populations())
    for (std::int64_t i = 0; i < p.markers(); ++i)
      for (int d = 0; d < 3; ++d)
        (*p.position[d])[i] += by * (random.uniform(run::Purpose::position, d, static_cast<std::uint64_t>(i)) - 0.5);
}

/// Whether steps of dt [s], so many, make the shortest waves of shaken membranes grow; in a periodic box.
inline bool blows_up(membrane::MembraneSetup setup, double dt, std::int64_t steps) {
  if (setup.lattice()) on_lattice(setup, dt);
  try {
    MembraneRun run(setup);
    shake(run, 1e-3 * setup.size[0] / static_cast<double>(setup.cells[0]));
    run.advance(dt, steps / 2);
    const Swing before(run, dt);
    run.advance(dt, steps / 2);
    const Swing after(run, dt);
    return !(after.to_and_fro < 1.3 * before.to_and_fro || after.to_and_fro < 0.5 * after.speed);
  } catch (const Error&) {
    return true; // torn, or out of the box
  }
}

} // namespace corral::test
