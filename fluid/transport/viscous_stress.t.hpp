#pragma once

/// The loops of viscous_stress.hpp, for either processor.

#include "fluid/transport/padded_velocity.t.hpp"
#include "fluid/transport/viscous_stress.hpp"

namespace corral::fluid {

template <Execution E> void ViscousStress::set(E execution, const double* share, double mu) {
  const PaddedShape shape = m_;
  double* const m = m_.values.data();
  for_each_part(execution, shape.rows(), shape.points[0], rows_per_task,
                [=] CORRAL_BODY(std::int64_t r, std::int64_t begin, std::int64_t end) {
                  const std::int64_t at = shape.row(r % shape.points[1], r / shape.points[1]);
                  const double* const row = share + r * shape.points[0];
                  for (std::int64_t i = begin; i < end; ++i) m[at + i] = row[i] * mu;
                });
  fill_beyond(execution);
}

template <Execution E>
void ViscousStress::add_eddies(E execution, const double* share, double rho, double c, const PaddedVelocity& u) {
  const ViscousStressView at = view(u);
  const PaddedShape shape = m_;
  const double volume = domain_.grid().cell_volume();
  double* const m = m_.values.data();
  for_each_part(execution, shape.rows(), shape.points[0], rows_per_task,
                [=] CORRAL_BODY(std::int64_t r, std::int64_t begin, std::int64_t end) {
                  const std::int64_t j = r % shape.points[1], k = r / shape.points[1];
                  for (std::int64_t i = begin; i < end; ++i)
                    m[shape.row(j, k) + i] +=
                        share[r * shape.points[0] + i] * smagorinsky_viscosity(rho, c, volume, at.strain({i, j, k}));
                });
  fill_beyond(execution);
}

template <Execution E> void ViscousStress::fill_beyond(E execution) {
  for (int along = 0; along < 3; ++along)
    fluid::fill_beyond(execution, m_, along, domain_.grid().axis(along).periodic(), false, {}, {}, {{0, m_.points[2]}});
}

} // namespace corral::fluid
