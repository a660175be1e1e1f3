#pragma once

/// What figures.hpp asks a step of either processor for.

#include "membrane/output/figures.hpp"
#include "membrane/step/step.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace corral::membrane {

template <class Step> void MembraneFigures::start(const Step& step) {
  for (std::int64_t i = 0; i < step.membranes(); ++i) {
    volumes_[i] = step.measures()[static_cast<std::size_t>(i)].volume;
    areas_[i] = step.measures()[static_cast<std::size_t>(i)].area;
  }
  marked_ = find_marked(step);
  angle_ = marker_angle(step);
}

/// Of the first membrane's markers the one farthest from its centre in the plane of the shear: its angle is best defined.
template <class Step> double MembraneFigures::find_marked(const Step& step) const {
  if (step.membranes() == 0) return 0;
  const std::array<double, 3>& centre = step.measures()[0].centroid;
  const auto along = static_cast<std::size_t>(setup_.drive.along);
  const std::vector<std::array<double, 3>> x = step.places_of_first();
  std::size_t marked = 0;
  double farthest = -1;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double far = std::hypot(x[i][1] - centre[1], x[i][along] - centre[along]);
    if (far > farthest) farthest = far, marked = i;
  }
  return static_cast<double>(marked);
}

template <class Step> double MembraneFigures::marker_angle(const Step& step) const {
  if (step.membranes() == 0) return 0;
  const std::array<double, 3> x = step.place_in_first(static_cast<std::int64_t>(marked_));
  const std::array<double, 3>& centre = step.measures()[0].centroid;
  const auto along = static_cast<std::size_t>(setup_.drive.along);
  return std::atan2(x[1] - centre[1], x[along] - centre[along]);
}

template <class Step> void MembraneFigures::add(const Step& step, double time, double dt) {
  interval_.steps += 1;
  interval_.maps += step.maps();
  interval_.sorts += step.sorts();
  interval_.speed = std::max(interval_.speed, step.fluid().fastest().speed);
  interval_.courant = std::max(interval_.courant, step.fluid().fastest().rate * dt);
  const double now = marker_angle(step);
  turned_ += std::remainder(now - angle_, 2 * std::numbers::pi);
  angle_ = now;
  time_ = time;
  look_at_volumes(step.measures());
}

template <class Step> std::vector<double> MembraneFigures::row(const Step& step) {
  double least = 0;
  for (const auto& p : step.populations())
    for (const auto& kind : p.kinds()) {
      const structure::Material& m = setup_.surfaces[kind.surface].material;
      for (std::int64_t c = 0; c < kind.membranes->count(); ++c)
        least += 1e-8 * (m.shear_modulus + m.tension) * areas_[kind.first_membrane + c];
    }
  return row(StepFigures(step), least);
}

template <class Step> run::Rows MembraneFigures::cell_rows(Step& step) const {
  run::Rows rows(static_cast<std::size_t>(step.membranes()));
  for (auto& population : step.populations())
    for (const auto& kind : population.kinds()) {
      const auto extents = population.extents(step.execution(), kind);
      for (std::int64_t c = 0; c < kind.membranes->count(); ++c) {
        const auto number = static_cast<std::size_t>(kind.first_membrane + c);
        const auto& extent = extents[static_cast<std::size_t>(c)];
        rows[number] = cell_row(kind.first_membrane + c, kind.surface, step.measures()[number], extent.velocity, extent.length);
      }
    }
  return rows;
}

} // namespace corral::membrane
