#pragma once

/// What figures.hpp asks a step of either processor for.

#include "body/output/figures.hpp"

#include <algorithm>
#include <cstddef>

namespace corral::body {

template <class Step> void BodyFigures::start(const Step& step) { interval_.momentum = step.fluid().momentum(); }

template <class Step> void BodyFigures::add(const Step& step, double time, double dt) {
  interval_.time += dt;
  interval_.steps += 1;
  interval_.passes += step.passes();
  interval_.speed = std::max(interval_.speed, step.fluid().fastest().speed);
  interval_.slip = std::max(interval_.slip, step.slip());
  rows_time_ += dt;
  const structure::Stresslet stresslet = step.stresslet();
  for (std::size_t k = 0; k < stresslet.size(); ++k) interval_.stresslet[k] += dt * stresslet[k];
  const std::array<double, 3> sides = step.fluid().force_of_sides();
  for (std::size_t d = 0; d < 3; ++d) interval_.sides[d] += dt * sides[d];
  for (std::int64_t b = 0; b < step.bodies(); ++b) add(step.body(b), b, dt);
  time_ = time;
}

template <class Step> std::vector<double> BodyFigures::row(const Step& step) {
  return row(Moment{.bodies = step.bodies(),
                    .first = step.bodies() > 0 ? &step.body(0) : nullptr,
                    .contact = step.contact(),
                    .momentum = step.fluid().momentum(),
                    .kinetic_energy = step.fluid().kinetic_energy(),
                    .fastest = step.fastest(),
                    .slip = step.slip()});
}

template <class Step> run::Rows BodyFigures::body_rows(const Step& step) {
  run::Rows rows;
  for (std::int64_t b = 0; b < step.bodies(); ++b) rows.push_back(body_row(step.body(b), b));
  end_rows();
  return rows;
}

} // namespace corral::body
